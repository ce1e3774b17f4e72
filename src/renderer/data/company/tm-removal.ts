/**
 * Deletes files of time-and-material entries. A file that was never sent leaves no trace. For others a deletion is
 * queued, and they are hidden meanwhile (`takenAway` in tm-rows.ts).
 */
import { fail, ok, type Result } from '../../../contract/problem.ts';
import { bytesOf, type NewOperation } from '../../operations/operation.ts';
import { entryFile } from '../../operations/queued.ts';
import { addOperation, dropOperation, type QueueChange } from '../../outbox/queue/enqueue.ts';
import { provablyNotSent } from '../../outbox/queue/operation-life.ts';
import { changeQueue } from '../../outbox/queue/change.ts';
import { laneOperations } from '../near-misses/pending-operations.ts';
import type { Deps, TmAttachmentRow } from '../db/db.ts';
import { attaching, attachmentRef, takenAway, tmTables } from './tm-rows.ts';

/** Removes a file locally, inside the transaction. Returns null if a deletion must be sent to the server. */
const takeAway = async (
  { db }: Deps,
  changed: QueueChange,
  row: TmAttachmentRow,
): Promise<'cancelled' | 'conflict' | null> => {
  const create = attaching(await laneOperations(db, row.lane), row);
  if (create === undefined) return null;
  if (provablyNotSent(create)) {
    await dropOperation(db, changed, create);
    await db.tm_attachments.delete(row.key);
    return 'cancelled';
  }
  // Attached documents become separate attachments; their ids are known only after the server has them.
  if (!row.in_spool) return 'conflict';
  // A parked entry does not retry, so drop it; the queued deletion removes any copy on the server.
  if (create.state === 'parked') await dropOperation(db, changed, create);
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
 * Deletes files from their entries, with several known files of one entry in one request. `cancelled`: never sent,
 * no trace left. `queued`: the deletion is sent later. `conflict`: documents are still being attached.
 */
export const removeAttachments = async (
  deps: Deps,
  keys: readonly string[],
): Promise<Result<'cancelled' | 'queued'>> => {
  const discard: string[] = [];
  const done = await changeQueue(deps, tmTables, async (changed) => {
    const { db, clock } = deps;
    const rows = (await db.tm_attachments.bulkGet([...keys])).filter((row) => row !== undefined);
    const sent: TmAttachmentRow[] = [];
    let busy = false;
    for (const row of rows) {
      const waiting = await laneOperations(db, row.lane);
      if (waiting.flatMap(takenAway).includes(row.key)) continue;
      const create = attaching(waiting, row);
      const taken = await takeAway(deps, changed, row);
      if (taken === null) sent.push(row);
      busy ||= taken === 'conflict';
      if (taken !== 'cancelled' || !row.in_spool) continue;
      const original = create && bytesOf(create)?.photo.original;
      discard.push(row.key, ...(original ? [original.photo_id] : []));
    }
    for (const [lane, of] of Map.groupBy(sent, (row) => row.lane)) {
      const known = of.flatMap((row) =>
        row.server_id === null
          ? []
          : [{ attachment_ref: attachmentRef(row.key), server_id: row.server_id }],
      );
      const bulk = known.length > 1;
      const { account, project_id } = of[0] as TmAttachmentRow;
      const queue = (entry: NewOperation) => addOperation(db, changed, account, clock.now(), entry);
      if (bulk) await queue(entryFile.bulkDelete({ key: lane, project_id, attachments: known }));
      for (const row of of)
        if (!bulk || row.server_id === null) await queue(entryFile.delete(deletionOf(row)));
    }
    return { queued: sent.length > 0, busy };
  });
  if (!done.ok) return done;
  for (const photo_id of discard) await deps.host.call('photos.discard', { photo_id });
  if (done.value.busy) return fail({ kind: 'conflict', status: 409, messages: [] });
  return ok(done.value.queued ? 'queued' : 'cancelled');
};
