/**
 * Files of time-and-material entries (reference: Time and material entry attachments). `tm_attachment.create`: a file, delivered by the
 * host as a photo is and done only when the server's bytes were found equal; or documents and folders of the project.
 * `tm_attachment.delete`: one file off its entry, known by the id its sending brought, or, where that never came, by its bytes.
 * `tm_attachment.bulk_delete`: many in one request. The server deletes all or none, and refuses where one is unknown (decisions
 * §6): then somebody was faster with one of them, and the rest go one by one.
 */
import type { PhotoReceipt, PhotoTarget } from '../../../../contract/host.ts';
import { fail, ok, type Result } from '../../../../contract/problem.ts';
import type { EntryAttachment } from '../../../../contract/rest/attachments.ts';
import {
  attachmentKey,
  rowOfServer,
  serverAttachmentKey,
  waitingRow,
} from '../../../data/company/tm-rows.ts';
import type { FileToAttach, FileToDelete } from '../../../entries/company/entry-file.ts';
import type { SendingNotes } from '../../../entries/photo.ts';
import { begunByOlder, delivered } from '../ask-to-deliver.ts';
import { noRows, type Operation, type SendContext } from '../operation.ts';
import { removal } from '../removal.ts';

type Context = SendContext<SendingNotes>;

interface Attached {
  /** What the create made; empty where it is known from the receipt alone. */
  readonly made: readonly EntryAttachment[];
  readonly receipt: PhotoReceipt | null;
}

/** Attachments that this laptop knows: none of them is a file that was not delivered yet. */
const known = async (lane: string, { db }: Pick<SendContext, 'db'>): Promise<number[]> => {
  const rows = await db.tm_attachments.where('lane').equals(lane).toArray();
  return rows.flatMap((row) => row.server_id ?? []).slice(-10_000);
};

const attachDocuments = async (job: FileToAttach, context: Context): Promise<Result<Attached>> => {
  const { documents, folders, project_id, time_and_material_entry_id } = job;
  const answer = await context.host.request('time_and_material_entry_attachments.create', {
    params: { project_id },
    body: {
      time_and_material_entry_id,
      time_and_material_entry_attachment: { documents, folders },
    },
    idempotency_key: context.entry.id,
  });
  if (!answer.ok) return answer;
  const { created, ...first } = answer.value.data;
  return ok({ made: created ?? [first], receipt: null });
};

type File = FileToAttach & { readonly photo: NonNullable<FileToAttach['photo']> };

const attachFile = async (job: File, context: Context): Promise<Result<Attached>> => {
  const to: PhotoTarget = {
    kind: 'time_and_material_entry',
    id: job.time_and_material_entry_id,
    not_attachments: await known(job.key, context),
  };
  const { checkpoint } = context.entry;
  const unknown = checkpoint.exported === true || checkpoint.restored === true;
  const unsure = unknown || begunByOlder(checkpoint);
  const sent = await delivered(job, to, context, { unsure, place: null });
  if (!sent.ok) return sent;
  if (sent.value.outcome === 'takes_no_photos')
    return fail({ kind: 'bug', detail: 'an entry that takes no attachments' });
  const { attachment, receipt } = sent.value;
  return ok({ made: attachment === null ? [] : [attachment], receipt });
};

export const tmAttachmentCreateOperation: Operation<'tm_attachment.create', Attached> = {
  rows: (entry) => [
    { table: 'tm_attachments', key: entry.payload.attachment_key, row: waitingRow(entry) },
  ],

  send: (payload, context) =>
    payload.photo === null
      ? attachDocuments(payload, context)
      : attachFile({ ...payload, photo: payload.photo }, context),

  async settle(payload, { made, receipt }, { db, entry, seen_at }) {
    const { attachment_key, time_and_material_entry_id } = payload;
    const { account } = entry;
    const server_id = receipt?.attachment_id ?? null;
    if (payload.photo !== null && server_id !== null) {
      // A refresh between the answer and this may have brought the same file as the server's.
      await db.tm_attachments.delete(serverAttachmentKey(account, server_id));
      await db.tm_attachments.update(attachment_key, {
        server_id,
        receipt,
        state: 'delivered',
        seen_at,
        has_bytes: true,
        has_thumbnail: Boolean(made[0]?.thumbnail_url),
        content_type: made[0]?.content_type ?? payload.photo.content_type,
      });
      return [{ local_id: attachment_key, server_id }];
    }
    const { company_id, project_id } = payload;
    const scope = { account, company_id, project_id };
    await db.tm_attachments.delete(attachment_key);
    await db.tm_attachments.bulkPut(
      made.map((one) =>
        rowOfServer(scope, { ...one, time_and_material_entry_id }, undefined, seen_at),
      ),
    );
    return [];
  },
};

/** What the server no longer has, nobody can want back: the originals go from the spool. */
const discardSpooled = async (
  { db, host }: Pick<SendContext, 'db' | 'host'>,
  keys: readonly string[],
): Promise<void> => {
  for (const row of await db.tm_attachments.bulkGet([...keys]))
    if (row?.in_spool) await host.call('photos.discard', { photo_id: row.key });
};

const remove = (
  { project_id }: { readonly project_id: number },
  id: number,
  { host, entry }: SendContext,
) =>
  host.request('time_and_material_entry_attachments.delete', {
    params: { project_id, id },
    idempotency_key: entry.id,
  });

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
  const found = await context.host.call('photos.find_attachment', {
    photo_id,
    project_id,
    time_and_material_entry_id,
    except: rows.flatMap((row) => row.server_id ?? []).slice(-10_000),
    account: context.entry.account,
  });
  if (found.ok) return ok(found.value.attachment_id);
  // Without its bytes it cannot be told from others: nothing is deleted.
  return found.problem.kind === 'photo_damaged' ? ok(null) : found;
};

export const tmAttachmentDeleteOperation: Operation<'tm_attachment.delete', number | null> = {
  rows: noRows,

  async send(payload, context) {
    const found = await attachmentOf(payload, context);
    if (!found.ok) return found;
    const removed = await removal(found.value, (id) => remove(payload, id, context));
    if (!removed.ok) return removed;
    await discardSpooled(context, [attachmentKey(payload.attachment_ref)]);
    return removed;
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

export const tmAttachmentBulkDeleteOperation: Operation<'tm_attachment.bulk_delete', null> = {
  rows: noRows,

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
      const removed = await removal(one, (id) =>
        host.request('time_and_material_entry_attachments.delete', { params: { project_id, id } }),
      );
      if (!removed.ok) return removed;
    }
    await discardSpooled(context, keys);
    return ok(null);
  },

  async settle({ attachments }, _done, { db }) {
    await db.tm_attachments.bulkDelete(attachments.map((one) => attachmentKey(one.attachment_ref)));
    return [];
  },
};
