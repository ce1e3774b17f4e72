/**
 * Deleting files of time-and-material entries. One that was never sent leaves no trace; of the others the server is told when
 * the queue moves, and they are hidden meanwhile (`takenAway` in tm-rows.ts).
 */
import { fail, ok, type Result } from '../../../contract/problem.ts';
import { bytesOf, type NewEntry } from '../../entries/entry.ts';
import { entryFile } from '../../entries/queued.ts';
import { addEntry, dropEntry, type QueueChange } from '../../outbox/enqueue.ts';
import { neverDone } from '../../outbox/entry-life.ts';
import { changeQueue } from '../../outbox/change.ts';
import { laneEntries } from '../waiting-entries.ts';
import type { Deps, TmAttachmentRow } from '../db.ts';
import { attaching, attachmentRef, takenAway, tmTables } from './tm-rows.ts';

/** Takes one away inside the transaction. Answers null where it must be said to the server, with its id where it is known. */
const takeAway = async (
  { db }: Deps,
  changed: QueueChange,
  row: TmAttachmentRow,
): Promise<'taken_back' | 'conflict' | null> => {
  const create = attaching(await laneEntries(db, row.lane), row);
  if (create === undefined) return null;
  if (neverDone(create)) {
    await dropEntry(db, changed, create);
    await db.tm_attachments.delete(row.key);
    return 'taken_back';
  }
  // Documents become attachments of their own: which ones is known only when they are there.
  if (!row.in_spool) return 'conflict';
  // One that will never be sent again by itself: only what the server may have of it is left to delete.
  if (create.state === 'parked') await dropEntry(db, changed, create);
  return null;
};

const deletionOf = (row: TmAttachmentRow) => ({
  key: row.lane,
  project_id: row.project_id,
  name: row.filename,
  attachment_ref: attachmentRef(row.key),
  server_id: row.server_id,
  time_and_material_entry_id: row.time_and_material_entry_id,
  in_spool: row.in_spool,
});

/**
 * Deletes files from their entries: those never sent leave no trace, the others go when the queue moves; many of one entry
 * in one request. `conflict`: documents that are just being attached.
 */
export const removeAttachments = async (
  deps: Deps,
  keys: readonly string[],
): Promise<Result<'taken_back' | 'queued'>> => {
  const discard: string[] = [];
  const done = await changeQueue(deps, tmTables, async (changed) => {
    const { db, clock } = deps;
    const rows = (await db.tm_attachments.bulkGet([...keys])).filter((row) => row !== undefined);
    const told: TmAttachmentRow[] = [];
    let busy = false;
    for (const row of rows) {
      const waiting = await laneEntries(db, row.lane);
      if (waiting.flatMap(takenAway).includes(row.key)) continue;
      const create = attaching(waiting, row);
      const taken = await takeAway(deps, changed, row);
      if (taken === null) told.push(row);
      busy ||= taken === 'conflict';
      if (taken !== 'taken_back' || !row.in_spool) continue;
      const original = create && bytesOf(create)?.photo.original;
      discard.push(row.key, ...(original ? [original.photo_id] : []));
    }
    for (const [lane, of] of Map.groupBy(told, (row) => row.lane)) {
      const known = of.flatMap((row) =>
        row.server_id === null
          ? []
          : [{ attachment_ref: attachmentRef(row.key), server_id: row.server_id }],
      );
      const bulk = known.length > 1;
      const { account, project_id } = of[0] as TmAttachmentRow;
      const queue = (entry: NewEntry) => addEntry(db, changed, account, clock.now(), entry);
      if (bulk) await queue(entryFile.bulkDelete({ key: lane, project_id, attachments: known }));
      for (const row of of)
        if (!bulk || row.server_id === null) await queue(entryFile.delete(deletionOf(row)));
    }
    return { queued: told.length > 0, busy };
  });
  if (!done.ok) return done;
  for (const photo_id of discard) await deps.host.call('photos.discard', { photo_id });
  if (done.value.busy) return fail({ kind: 'conflict', status: 409, messages: [] });
  return ok(done.value.queued ? 'queued' : 'taken_back');
};
