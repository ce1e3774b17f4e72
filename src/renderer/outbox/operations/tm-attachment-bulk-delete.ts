/**
 * `tm_attachment.bulk_delete`: many files off one time-and-material entry in one request (reference: bulk_destroy). The server
 * deletes all or none, and refuses where one is unknown (decisions §6): then somebody was faster with one of them, and the
 * rest go one by one.
 */
import { ok } from '../../../contract/problem.ts';
import { attachmentKey } from '../../data/tm-rows.ts';
import type { Operation } from './operation.ts';
import { discardSpooled } from './tm-attachment-delete.ts';

export const tmAttachmentBulkDeleteOperation: Operation<'tm_attachment.bulk_delete', null> = {
  async send({ project_id, attachments }, context) {
    const { host, entry, checkpoint } = context;
    const keys = attachments.map((one) => attachmentKey(one.attachment_ref));
    const ids = attachments.map(({ server_id }) => server_id);
    if (entry.checkpoint.singly !== true) {
      const answer = await host.request('time_and_material_entry_attachments.bulk_destroy', {
        params: { project_id },
        body: {
          time_and_material_entry_attachment: { time_and_material_entry_attachment_ids: ids },
        },
        idempotency_key: entry.id,
      });
      if (answer.ok) {
        await discardSpooled(context, keys);
        return ok(null);
      }
      const { problem } = answer;
      const one_is_gone =
        problem.kind === 'gone' || (problem.kind === 'refused' && problem.status === 422);
      if (!one_is_gone) return answer;
      await checkpoint({ singly: true });
    }
    for (const one of ids) {
      const answer = await host.request('time_and_material_entry_attachments.delete', {
        params: { project_id, id: one },
      });
      if (!answer.ok && answer.problem.kind !== 'gone') return answer;
    }
    await discardSpooled(context, keys);
    return ok(null);
  },

  async settle({ attachments }, _done, { db }) {
    await db.tm_attachments.bulkDelete(attachments.map((one) => attachmentKey(one.attachment_ref)));
    return [];
  },
};
