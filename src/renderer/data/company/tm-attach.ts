/**
 * Attaching to a time-and-material entry: files of this laptop, without what a photo says of people and places where that is
 * wanted, and documents of the project. The bytes are in the host's spool before the queue hears of them.
 */
import { monotonicFactory, ulid } from 'ulid';
import type { Problem, Result } from '../../../contract/problem.ts';
import { addEntry, type QueueChange } from '../../outbox/enqueue.ts';
import type { FileToAttach } from '../../entries/company/entry-file.ts';
import { entryFile } from '../../entries/queued.ts';
import type { Inspection, UnsafeReason } from '../../photos/formats/inspection.ts';
import { inspect } from '../../photos/formats/inspect.ts';
import { smaller } from '../../photos/rendition.ts';
import { makeThumbnail } from '../../photos/thumbnail.ts';
import { changeQueue } from '../../outbox/change.ts';
import { laneEntries } from './company-change.ts';
import type { Deps } from '../db.ts';
import type { RefreshScope } from '../refresh.ts';
import { takenAway, tmLane, tmTables, waitingRow } from './tm-rows.ts';

const newId = monotonicFactory();

/** Of an entry of the time-and-material kind. */
export interface AttachTarget extends RefreshScope {
  readonly time_and_material_entry_id: number;
}

/** Why a file was not attached. */
export type AttachRefusal =
  | { readonly kind: 'problem'; readonly problem: Problem }
  | { readonly kind: 'duplicate' }
  /** What it says of people and places cannot be taken out safely. */
  | { readonly kind: 'personal'; readonly reason: UnsafeReason };

export type AttachOutcome =
  | { readonly ok: true; readonly filename: string }
  | { readonly ok: false; readonly filename: string; readonly refusal: AttachRefusal };

const queueCreate = async (
  deps: Deps,
  changed: QueueChange,
  target: AttachTarget,
  made: Pick<
    FileToAttach,
    'attachment_key' | 'photo' | 'original' | 'documents' | 'folders' | 'name'
  >,
  thumbnail: Blob | null,
): Promise<void> => {
  const { account, company_id, project_id, time_and_material_entry_id } = target;
  const key = tmLane(account, project_id, time_and_material_entry_id);
  const queued = entryFile.create({
    key,
    company_id,
    project_id,
    time_and_material_entry_id,
    associate_key: ulid(),
    ...made,
  });
  const entry = await addEntry(deps.db, changed, account, deps.clock.now(), queued);
  const row = waitingRow(entry);
  if (row !== null) await deps.db.tm_attachments.put({ ...row, thumbnail });
};

export interface AttachOptions {
  /** Take out what a photo says of people, places and devices. */
  readonly privacy: boolean;
  /** Pixels of the longer side of what is sent of a photo; null: as it is. */
  readonly max_side: number | null;
  readonly progress?: (filename: string, written: number, size: number) => void;
}

/** The bytes to be sent: without what a photo says of people, places and devices, where that is wanted. */
const bodyOf = async (
  file: File,
  privacy: boolean,
): Promise<
  | { readonly blob: Blob; readonly thumbnail: Blob | null; readonly seen: Inspection }
  | AttachRefusal
> => {
  const seen = await inspect(file);
  const thumbnail = seen.type === null ? null : await makeThumbnail(file, seen);
  if (!privacy || seen.type === null || seen.stripped.kind === 'clean')
    return { blob: file, thumbnail, seen };
  if (seen.stripped.kind === 'unsafe') return { kind: 'personal', reason: seen.stripped.reason };
  return { blob: seen.stripped.blob, thumbnail, seen };
};

const attachOne = async (
  deps: Deps,
  target: AttachTarget,
  file: File,
  { privacy, max_side, progress }: AttachOptions,
): Promise<AttachRefusal | null> => {
  const body = await bodyOf(file, privacy);
  if ('kind' in body) return body;
  const { blob, seen, thumbnail } = body;
  const photo_id = newId();
  const written = (bytes: number) => progress?.(file.name, bytes, file.size);
  const facts = await deps.host.sendPhoto(
    ...[blob, photo_id, file.name, written, undefined, 'attachment' as const],
  );
  if (!facts.ok) return { kind: 'problem', problem: facts.problem };
  const sent = await smaller(deps, facts.value, blob, seen, max_side);
  const discard = async () => {
    // Named by the journal already, they stay (host: `photos.discard`).
    for (const id of new Set([photo_id, ...(sent.ok ? [sent.value.photo_id] : [])]))
      await deps.host.call('photos.discard', { photo_id: id });
  };
  if (!sent.ok) {
    await discard();
    return { kind: 'problem', problem: sent.problem };
  }
  const { original, ...photo } = sent.value;
  const { account, project_id, time_and_material_entry_id } = target;
  const lane = tmLane(account, project_id, time_and_material_entry_id);
  const { filename, sha256, size } = photo;
  const saved = await changeQueue(deps, tmTables, async (changed) => {
    const there = await deps.db.tm_attachments.where('lane').equals(lane).toArray();
    const going = (await laneEntries(deps.db, lane)).flatMap(takenAway);
    if (there.some((row) => row.sha256 === sha256 && row.size === size && !going.includes(row.key)))
      return false;
    const made = {
      attachment_key: photo.photo_id,
      photo,
      documents: [],
      folders: [],
      name: filename,
      ...(original === undefined ? {} : { original }),
    };
    await queueCreate(deps, changed, target, made, thumbnail);
    return true;
  });
  if (saved.ok && saved.value) return null;
  await discard();
  return saved.ok ? { kind: 'duplicate' } : { kind: 'problem', problem: saved.problem };
};

/**
 * Attaches files of any kind to an entry. Every file has an outcome, in the order given; none stops the others. `ok` means
 * saved on this laptop: in the spool, in the database and in the journal.
 */
export const attachFiles = async (
  deps: Deps,
  target: AttachTarget,
  files: readonly File[],
  options: AttachOptions,
): Promise<readonly AttachOutcome[]> => {
  const outcomes: AttachOutcome[] = [];
  for (const file of files) {
    const refusal = await attachOne(deps, target, file, options);
    outcomes.push(
      refusal === null
        ? { ok: true, filename: file.name }
        : { ok: false, filename: file.name, refusal },
    );
  }
  return outcomes;
};

/** Attaches documents and folders of the project's catalog, in one request. `name`: what is said of it while it waits. */
export const attachDocuments = (
  deps: Deps,
  target: AttachTarget,
  chosen: Pick<FileToAttach, 'documents' | 'folders' | 'name'>,
): Promise<Result<null>> =>
  changeQueue(deps, tmTables, async (changed) => {
    const made = { attachment_key: newId(), photo: null, ...chosen };
    await queueCreate(deps, changed, target, made, null);
    return null;
  });
