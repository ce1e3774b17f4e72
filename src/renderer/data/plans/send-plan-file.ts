/** Sends one file of a plan to the server. Nothing of it stays on this laptop, whether it arrives or not. */
import { ulid } from 'ulid';
import { fail, ok, type Result } from '../../../contract/problem.ts';
import type { Deps } from '../db/db.ts';

interface Sending {
  readonly account: string;
  readonly company_id: number;
  readonly signal: AbortSignal;
  /** 0..1 of this file. */
  readonly progress: (share: number) => void;
}

/** The uuid of the complete upload. */
export const sendPlanFile = async (
  { host }: Pick<Deps, 'host'>,
  file: Blob,
  filename: string,
  { account, company_id, signal, progress }: Sending,
): Promise<Result<string>> => {
  const photo_id = ulid();
  const cancel = (): void => void host.call('photos.cancel', { photo_id });
  const unlisten = host.listen('photo.progress', (event) => {
    if (event.photo_id === photo_id && event.size > 0) progress(event.sent / event.size);
  });
  signal.addEventListener('abort', cancel);
  try {
    if (signal.aborted) return fail({ kind: 'cancelled' });
    const kept = await host.sendPhoto(file, photo_id, filename, undefined, signal, 'attachment');
    if (!kept.ok) return kept;
    const sent = await host.call('photos.upload', { photo_id, company_id, account });
    if (signal.aborted) return fail({ kind: 'cancelled' });
    return sent.ok ? ok(sent.value.upload_uuid) : sent;
  } finally {
    unlisten();
    signal.removeEventListener('abort', cancel);
    await host.call('photos.discard', { photo_id });
  }
};
