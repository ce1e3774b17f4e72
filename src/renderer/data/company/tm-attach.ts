/**
 * Attaching to a time-and-material entry: files of this laptop, without what a photo says of people and places where that is
 * wanted, and documents of the project. The bytes are in the host's spool before the queue hears of them.
 */
import { monotonicFactory, ulid } from 'ulid';
import type { Result } from '../../../contract/problem.ts';
import { addEntry, type QueueChange } from '../../outbox/enqueue.ts';
import type { FileToAttach } from '../../entries/company/entry-file.ts';
import { entryFile } from '../../entries/queued.ts';
import {
  bringIn,
  type Bringing,
  type Brought,
  type IntakeOptions,
  type Outcome,
} from '../../photos/bring-in.ts';
import { changeQueue } from '../../outbox/change.ts';
import { laneEntries } from '../waiting-entries.ts';
import type { Deps } from '../db.ts';
import type { RefreshScope } from '../refresh.ts';
import { takenAway, tmLane, tmTables, waitingRow } from './tm-rows.ts';

const newId = monotonicFactory();

/** Of an entry of the time-and-material kind. */
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
  const { created_at } = await addEntry(deps.db, changed, account, deps.clock.now(), queued);
  const row = waitingRow({ ...queued, account, created_at });
  await deps.db.tm_attachments.put({ ...row, thumbnail });
};

/**
 * Attaches files of any kind to an entry. Every file has an outcome, in the order given; none stops the others. `ok` means
 * saved on this laptop: in the spool, in the database and in the journal.
 */
export const attachFiles = (
  deps: Deps,
  target: AttachTarget,
  files: readonly Blob[],
  options: IntakeOptions & Pick<Bringing<true>, 'onProgress'>,
): Promise<readonly Outcome<true>[]> =>
  bringIn(deps, files, {
    ...options,
    purpose: 'attachment',
    keep: (brought) => attachOnce(deps, target, brought),
  });

/** Queues it unless its bytes hang on the entry, or are on their way there: looked for and queued in one step. */
const attachOnce = (
  deps: Deps,
  target: AttachTarget,
  { sent, thumbnail }: Brought,
): Promise<Result<true | null>> => {
  const { original, ...photo } = sent;
  const { account, project_id, time_and_material_entry_id } = target;
  const lane = tmLane(account, project_id, time_and_material_entry_id);
  return changeQueue(deps, tmTables, async (changed) => {
    const there = await deps.db.tm_attachments.where('lane').equals(lane).toArray();
    const going = (await laneEntries(deps.db, lane)).flatMap(takenAway);
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
    await queueCreate(deps, changed, target, made, thumbnail);
    return true;
  });
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
