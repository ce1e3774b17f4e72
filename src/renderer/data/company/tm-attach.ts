/**
 * Attaching to a time-and-material entry: files of this laptop, without what a photo says of people and places where that is
 * wanted, and documents of the project. The bytes are in the host's spool before the queue hears of them.
 */
import { monotonicFactory, ulid } from 'ulid';
import type { Result } from '../../../contract/problem.ts';
import { addOperation, type QueueChange } from '../../outbox/queue/enqueue.ts';
import type { FileToAttach } from '../../operations/company/entry-file.ts';
import { entryFile } from '../../operations/queued.ts';
import {
  bringIn,
  type Bringing,
  type Brought,
  type IntakeOptions,
  type Outcome,
} from '../../photos/bring-in.ts';
import { changeQueue } from '../../outbox/queue/change.ts';
import { laneOperations } from '../near-misses/pending-operations.ts';
import type { Deps } from '../db/db.ts';
import type { RefreshScope } from '../near-misses/refresh-rows.ts';
import { takenAway, tmLane, tmTables, waitingRow } from './tm-rows.ts';

const newId = monotonicFactory();

/** The time-and-material entry to attach to. */
export interface AttachTarget extends RefreshScope {
  readonly time_and_material_entry_id: number;
}

const queueCreate = async (
  deps: Deps,
  changed: QueueChange,
  target: AttachTarget,
  made: Pick<
    FileToAttach,
    'attachment_key' | 'photo' | 'original' | 'documents' | 'folders' | 'name'
  >,
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
  const { created_at } = await addOperation(deps.db, changed, account, deps.clock.now(), queued);
  await deps.db.tm_attachments.put(waitingRow({ ...queued, account, created_at }));
};

/**
 * Attaches files of any kind to an entry. Every file has an outcome, in the order given; none stops the others. `ok` means
 * saved on this laptop: in the spool, in the database and in the journal.
 */
export const attachFiles = (
  deps: Deps,
  target: AttachTarget,
  files: readonly Blob[],
  options: IntakeOptions & Pick<Bringing<string>, 'onProgress'>,
): Promise<readonly Outcome<string>[]> =>
  bringIn(deps, files, {
    ...options,
    purpose: 'attachment',
    keep: (brought) => attachOnce(deps, target, brought),
    show: (key, thumbnail) => deps.db.tm_attachments.update(key, { thumbnail }),
  });

/** Queues it unless its bytes hang on the entry, or are on their way there: looked for and queued in one step. Answers its row's key. */
const attachOnce = async (
  deps: Deps,
  target: AttachTarget,
  { scaled }: Brought,
): Promise<Result<string | null>> => {
  const sent = await scaled();
  if (!sent.ok) return sent;
  const { original, ...photo } = sent.value;
  const { account, project_id, time_and_material_entry_id } = target;
  const lane = tmLane(account, project_id, time_and_material_entry_id);
  return changeQueue(deps, tmTables, async (changed) => {
    const there = await deps.db.tm_attachments.where('lane').equals(lane).toArray();
    const going = (await laneOperations(deps.db, lane)).flatMap(takenAway);
    const same = ({ sha256, size }: { sha256: string | null; size: number | null }): boolean =>
      sha256 === photo.sha256 && size === photo.size;
    if (there.some((row) => same(row) && !going.includes(row.key))) return null;
    const made = {
      attachment_key: photo.photo_id,
      photo,
      documents: [],
      folders: [],
      name: photo.filename,
      ...(original === undefined ? {} : { original }),
    };
    await queueCreate(deps, changed, target, made);
    return photo.photo_id;
  });
};

/**
 * Attaches documents and folders of the project's catalog, in one request.
 * @param name shown while the operation waits
 */
export const attachDocuments = (
  deps: Deps,
  target: AttachTarget,
  chosen: Pick<FileToAttach, 'documents' | 'folders' | 'name'>,
): Promise<Result<null>> =>
  changeQueue(deps, tmTables, async (changed) => {
    const made = { attachment_key: newId(), photo: null, ...chosen };
    await queueCreate(deps, changed, target, made);
    return null;
  });
