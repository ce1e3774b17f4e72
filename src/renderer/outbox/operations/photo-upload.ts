/** A photo's bytes on their way to an upload: the part of sending a photo that is the same wherever it goes then. */
import { fail, ok, type Problem, type Result } from '../../../contract/problem.ts';
import type { FileNotes } from '../../entries/entry-file.ts';
import type { SendContext } from './operation.ts';

type Context = SendContext<FileNotes>;

interface Job {
  readonly company_id: number;
  readonly photo: { readonly photo_id: string };
}

/** How often an upload that the server no longer has is begun again within one try (failures A11, A12). */
export const RESTARTS = 3;

export const uploadIsOver = (problem: Problem): boolean =>
  problem.kind === 'refused' &&
  Object.keys(problem.fields).some((name) => name.split('.').includes('upload_uuids'));

/** The upload of an earlier try, or a new one with every byte in it. Answers its uuid. */
export const uploaded = async (
  { photo, company_id }: Job,
  { host, db, entry, checkpoint }: Context,
  had: string | null,
): Promise<Result<string>> => {
  if (had !== null) return ok(had);
  // Paused after it was claimed and before it began.
  if ((await db.entries.get(entry.id))?.photo_pace === 'paused') return fail({ kind: 'cancelled' });
  const { photo_id } = photo;
  const sent = await host.call('photos.upload', { photo_id, company_id, account: entry.account });
  if (!sent.ok) return sent;
  await checkpoint({ step: 'uploaded', upload_uuid: sent.value.upload_uuid });
  return ok(sent.value.upload_uuid);
};

/** The upload an earlier try ended with, null where there is none. */
export const uploadOf = ({ entry }: Pick<Context, 'entry'>): string | null =>
  entry.checkpoint.upload_uuid ?? null;
