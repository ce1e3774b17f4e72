/**
 * `tm_attachment.create`: a file, or documents and folders of the project, onto a time-and-material entry (reference: Time and
 * material entry attachments). A file goes as a photo does: upload, associate, read back; it is delivered only when the
 * server's bytes were found equal. What an earlier try attached is looked for by name and bytes where the server keeps no
 * keys, or where nobody knows how far it got.
 */
import { ulid } from 'ulid';
import type { PhotoReceipt } from '../../../contract/host.ts';
import { fail, ok, type Result } from '../../../contract/problem.ts';
import type { EntryAttachment } from '../../../contract/rest/attachments.ts';
import { rowOfServer, serverAttachmentKey } from '../../data/tm-rows.ts';
import type { FileNotes, FileToAttach } from '../../entries/entry-file.ts';
import type { Operation, SendContext } from './operation.ts';
import { RESTARTS, uploaded, uploadIsOver, uploadOf } from './photo-upload.ts';
import { keepsKeys } from './plain-server.ts';

type Context = SendContext<FileNotes>;

interface Attached {
  /** What the create made; empty where it is known from the receipt alone. */
  readonly made: readonly EntryAttachment[];
  readonly receipt: PhotoReceipt | null;
}

/** Attachments of this laptop that are other files. */
const othersOf = async ({ db }: Pick<Context, 'db'>, lane: string): Promise<number[]> => {
  const rows = await db.tm_attachments.where('lane').equals(lane).toArray();
  return rows.flatMap((row) => row.server_id ?? []).slice(-10_000);
};

type File = FileToAttach & { readonly photo: NonNullable<FileToAttach['photo']> };

const readBack = async (
  job: File,
  attachment_id: number | null,
  context: Context,
): Promise<Result<PhotoReceipt | null>> => {
  const { project_id, time_and_material_entry_id } = job;
  const answer = await context.host.call('photos.verify_attachment', {
    photo_id: job.photo.photo_id,
    project_id,
    time_and_material_entry_id,
    attachment_id,
    except: attachment_id === null ? await othersOf(context, job.key) : [],
    original: job.original?.photo_id,
    account: context.entry.account,
  });
  return answer.ok ? ok(answer.value.receipt) : answer;
};

/** What an earlier try attached: told by its answer, or, where that was lost, found by name and bytes. */
const attachedBefore = async (
  job: File,
  context: Context,
): Promise<Result<PhotoReceipt | null>> => {
  const kept = context.entry.checkpoint;
  const known = kept.attachment_id;
  if (typeof known === 'number') return readBack(job, known, context);
  const unknown =
    kept.exported === true ||
    ([kept.attaching, kept.restored].includes(true) &&
      (await keepsKeys(context, job.project_id)) !== true);
  return unknown ? readBack(job, null, context) : ok(null);
};

const post = (
  job: FileToAttach,
  what: { documents?: number[]; folders?: number[]; upload_uuids?: string[] },
  idempotency_key: string,
  { host }: Context,
) =>
  host.request('time_and_material_entry_attachments.create', {
    params: { project_id: job.project_id },
    body: {
      time_and_material_entry_id: job.time_and_material_entry_id,
      time_and_material_entry_attachment: what,
    },
    idempotency_key,
  });

const attachDocuments = async (job: FileToAttach, context: Context): Promise<Result<Attached>> => {
  const { documents, folders } = job;
  const answer = await post(job, { documents, folders }, context.entry.id, context);
  if (!answer.ok) return answer;
  const { created, ...first } = answer.value.data;
  return ok({ made: created ?? [first], receipt: null });
};

const attachFile = async (job: File, context: Context): Promise<Result<Attached>> => {
  const { host, checkpoint, entry } = context;
  const before = await attachedBefore(job, context);
  if (!before.ok) return before;
  if (before.value !== null) return ok({ made: [], receipt: before.value });
  let key = entry.checkpoint.associate_key ?? job.associate_key;
  let uuid = uploadOf(context);
  for (let restarts = 0; ; restarts += 1) {
    const sent: Result<string> = await uploaded(job, context, uuid);
    if (!sent.ok) return sent;
    uuid = sent.value;
    await checkpoint({ attaching: true });
    const answer = await post(job, { upload_uuids: [uuid] }, key, context);
    if (answer.ok) {
      const { created: _all, ...one } = answer.value.data;
      await checkpoint({ attaching: false, attachment_id: one.id, step: 'associated' });
      const receipt = await readBack(job, one.id, context);
      if (!receipt.ok) return receipt;
      if (receipt.value === null) return fail({ kind: 'gone', status: 404, messages: [] });
      return ok({ made: [one], receipt: receipt.value });
    }
    if (!uploadIsOver(answer.problem) || restarts >= RESTARTS) return answer;
    const again = await host.call('photos.restart', { photo_id: job.photo.photo_id });
    if (!again.ok) return again;
    uuid = null;
    key = ulid();
    await checkpoint({ attaching: false, step: null, upload_uuid: null, associate_key: key });
  }
};

export const tmAttachmentCreateOperation: Operation<'tm_attachment.create', Attached> = {
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
