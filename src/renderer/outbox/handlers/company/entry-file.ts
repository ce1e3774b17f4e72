/**
 * Sends files of time-and-material entries (reference: Time and material operation attachments).
 * `tm_attachment.create`: a file, delivered by the host like a photo and done only if the server's bytes are equal; or
 * documents and folders of the project.
 * `tm_attachment.delete`: one file, known by its server id or, without one, by its bytes.
 * `tm_attachment.bulk_delete`: many in one request. The server deletes all or none and refuses if one is unknown
 * (decisions §6). Somebody else has then deleted one, and the rest are deleted one by one.
 */
import type { PhotoReceipt, PhotoTarget } from '../../../../contract/host.ts';
import { everyRow } from '../../../../contract/rest/protocol/every-page.ts';
import { fail, ok, type Result } from '../../../../contract/problem.ts';
import type { EntryAttachment } from '../../../../contract/rest/attachments.ts';
import {
  attachmentKey,
  rowOfServer,
  serverAttachmentKey,
  waitingRow,
} from '../../../data/company/tm-rows.ts';
import type { FileToAttach, FileToDelete } from '../../../operations/company/entry-file.ts';
import type { SendingNotes } from '../../../operations/photo.ts';
import { isKeyOver } from '../../queue/operation-life.ts';
import { delivered } from '../ask-to-deliver.ts';
import { noRows, type Handler, type SendContext } from '../handler.ts';
import { removal } from '../removal.ts';

const PER_PAGE = 1000;

type Context = SendContext<SendingNotes>;

interface Attached {
  /** The created attachments; empty if only the receipt is known. */
  readonly made: readonly EntryAttachment[];
  readonly receipt: PhotoReceipt | null;
}

/** Attachments that this laptop knows. None of them is an undelivered file. */
const known = async (lane: string, { db }: Pick<SendContext, 'db'>): Promise<number[]> => {
  const rows = await db.tm_attachments.where('lane').equals(lane).toArray();
  return rows.flatMap((row) => row.server_id ?? []).slice(-10_000);
};

/**
 * Finds the attachments of an earlier attempt by the documents' names; the server attached all or none. Null if there
 * are none, or if the names are not known locally.
 */
const attachedBefore = async (
  { documents, folders, project_id, time_and_material_entry_id, key }: FileToAttach,
  context: Context,
): Promise<Result<readonly EntryAttachment[] | null>> => {
  const { host, db, operation } = context;
  const all = await everyRow(PER_PAGE, (query) =>
    host.request('time_and_material_entry_attachments.list', { params: { project_id }, query }),
  );
  if (!all.ok) return all;
  const mine = new Set(await known(key, context));
  const free = all.value.filter(
    (one) => one.time_and_material_entry_id === time_and_material_entry_id && !mine.has(one.id),
  );
  const catalog = (await db.catalogs.get([operation.account, project_id]))?.catalog;
  const names = (catalog?.documents ?? [])
    .filter(({ id, folder_id }) => documents.includes(id) || folders.includes(folder_id ?? 0))
    .map(({ name }) => name);
  const found = names.flatMap((name) => free.find(({ filename }) => filename === name) ?? []);
  return ok(found.length > 0 && found.length === names.length ? found : null);
};

const attachDocuments = async (job: FileToAttach, context: Context): Promise<Result<Attached>> => {
  const { documents, folders, project_id, time_and_material_entry_id } = job;
  if (isKeyOver(context.operation, context.clock.now())) {
    const found = await attachedBefore(job, context);
    if (!found.ok) return found;
    if (found.value !== null) return ok({ made: found.value, receipt: null });
  }
  const answer = await context.host.request('time_and_material_entry_attachments.create', {
    params: { project_id },
    body: {
      time_and_material_entry_id,
      time_and_material_entry_attachment: { documents, folders },
    },
    idempotency_key: context.operation.id,
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
  const { checkpoint } = context.operation;
  const outcomeUnknown = checkpoint.exported === true || checkpoint.restored === true;
  const sent = await delivered(job, to, context, { outcome_unknown: outcomeUnknown, place: null });
  if (!sent.ok) return sent;
  if (sent.value.outcome === 'takes_no_photos')
    return fail({ kind: 'bug', detail: 'an entry that takes no attachments' });
  const { attachment, receipt } = sent.value;
  return ok({ made: attachment === null ? [] : [attachment], receipt });
};

export const tmAttachmentCreateOperation: Handler<'tm_attachment.create', Attached> = {
  rows: (operation) => [
    { table: 'tm_attachments', key: operation.payload.attachment_key, row: waitingRow(operation) },
  ],

  send: (payload, context) =>
    payload.photo === null
      ? attachDocuments(payload, context)
      : attachFile({ ...payload, photo: payload.photo }, context),

  async settle(payload, { made, receipt }, { db, operation, seen_at }) {
    const { attachment_key, time_and_material_entry_id } = payload;
    const { account } = operation;
    const server_id = receipt?.attachment_id ?? null;
    if (payload.photo !== null && server_id !== null) {
      // A refresh may have stored the same file as the server's before this answer was written.
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

/** Discards the originals of files that the server has deleted. */
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
  { host, operation }: SendContext,
) =>
  host.request('time_and_material_entry_attachments.delete', {
    params: { project_id, id },
    idempotency_key: operation.id,
  });

/** The attachment's id on the server; null if it is not there. */
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
    account: context.operation.account,
  });
  if (found.ok) return ok(found.value.attachment_id);
  // Without its bytes the file cannot be identified, so nothing is deleted.
  return found.problem.kind === 'photo_damaged' ? ok(null) : found;
};

export const tmAttachmentDeleteOperation: Handler<'tm_attachment.delete', number | null> = {
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

export const tmAttachmentBulkDeleteOperation: Handler<'tm_attachment.bulk_delete', null> = {
  rows: noRows,

  async send({ project_id, attachments }, context) {
    const { host, operation, checkpoint } = context;
    const keys = attachments.map((one) => attachmentKey(one.attachment_ref));
    const ids = attachments.map(({ server_id }) => server_id);
    if (operation.checkpoint.singly !== true) {
      const answer = await host.request('time_and_material_entry_attachments.bulk_destroy', {
        params: { project_id },
        body: {
          time_and_material_entry_attachment: { time_and_material_entry_attachment_ids: ids },
        },
        idempotency_key: operation.id,
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
