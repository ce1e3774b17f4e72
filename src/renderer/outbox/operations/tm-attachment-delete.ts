/**
 * `tm_attachment.delete`: one file off its time-and-material entry. A file made here is known by the id its sending brought,
 * or, where that never came, by its bytes. One that is not there (any more) is what was wanted. Its bytes
 * go from the spool then.
 */
import { ok, type Result } from '../../../contract/problem.ts';
import { attachmentKey } from '../../data/tm-rows.ts';
import type { FileToDelete } from '../../entries/entry-file.ts';
import type { Operation, SendContext } from './operation.ts';

/** What the server no longer has, nobody can want back: the originals go from the spool. */
export const discardSpooled = async (
  { db, host }: Pick<SendContext, 'db' | 'host'>,
  keys: readonly string[],
): Promise<void> => {
  for (const row of await db.tm_attachments.bulkGet([...keys]))
    if (row?.in_spool) await host.call('photos.discard', { photo_id: row.key });
};

/** The attachment's id on the server; null where it is not there. */
const attachmentOf = async (
  payload: FileToDelete,
  context: SendContext,
): Promise<Result<number | null>> => {
  const photo_id = attachmentKey(payload.attachment_ref);
  const known = await context.serverId(photo_id, payload.server_id);
  const { in_spool, project_id, time_and_material_entry_id } = payload;
  if (known !== null || !in_spool || time_and_material_entry_id === null) return ok(known);
  const rows = await context.db.tm_attachments.where('lane').equals(payload.key).toArray();
  const found = await context.host.call('photos.verify_attachment', {
    photo_id,
    project_id,
    time_and_material_entry_id,
    attachment_id: null,
    except: rows.flatMap((row) => row.server_id ?? []).slice(-10_000),
    account: context.entry.account,
  });
  if (found.ok) return ok(found.value.receipt?.attachment_id ?? null);
  // Without its bytes it cannot be told from others: nothing is deleted.
  return found.problem.kind === 'photo_damaged' ? ok(null) : found;
};

export const tmAttachmentDeleteOperation: Operation<'tm_attachment.delete', number | null> = {
  async send(payload, context) {
    const found = await attachmentOf(payload, context);
    if (!found.ok) return found;
    if (found.value !== null) {
      const answer = await context.host.request('time_and_material_entry_attachments.delete', {
        params: { project_id: payload.project_id, id: found.value },
        idempotency_key: context.entry.id,
      });
      if (!answer.ok && answer.problem.kind !== 'gone') return answer;
    }
    await discardSpooled(context, [attachmentKey(payload.attachment_ref)]);
    return found;
  },

  async settle({ attachment_ref, key }, server_id, { db }) {
    await db.tm_attachments.delete(attachmentKey(attachment_ref));
    if (server_id !== null)
      await db.tm_attachments
        .where('lane')
        .equals(key)
        .and((row) => row.server_id === server_id)
        .delete();
    return [];
  },
};
