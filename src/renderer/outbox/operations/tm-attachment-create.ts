/**
 * `tm_attachment.create`: a file, or documents and folders of the project, onto a time-and-material entry (reference: Time and
 * material entry attachments). A file goes as a photo does: upload, associate, read back; it is delivered only when the
 * server's bytes were found equal. What an earlier try attached is looked for by name and bytes where the server keeps no
 * keys, or where nobody knows how far it got.
 */
import { ulid } from 'ulid';
import { z } from 'zod';
import { photoFacts, type PhotoReceipt, ulidSchema } from '../../../contract/host.ts';
import { fail, ok, type Result } from '../../../contract/problem.ts';
import type { EntryAttachment } from '../../../contract/rest/attachments.ts';
import type { OutboxEntry, TmAttachmentRow } from '../../data/db.ts';
import { rowOfServer, serverAttachmentKey } from '../../data/tm-rows.ts';
import type { Operation, SendContext } from './operation.ts';
import { RESTARTS, uploaded, uploadIsOver, uploadOf } from './photo-upload.ts';
import { keepsKeys } from './plain-server.ts';

const id = z.number().int().positive();

export const tmAttachmentCreateSchema = z.object({
  /** The lane: one per entry. */
  key: z.string(),
  company_id: id,
  project_id: id,
  time_and_material_entry_id: id,
  /** The row it becomes; of a file, its id in the spool. */
  attachment_key: ulidSchema,
  /** The idempotency key of the association. */
  associate_key: ulidSchema,
  /** Null: documents and folders are attached. */
  photo: photoFacts.nullable(),
  /** What a smaller photo was made from: named here, so that it stays in the spool as long as this waits. */
  original: photoFacts.pick({ photo_id: true, size: true, sha256: true }).optional(),
  documents: z.array(id),
  folders: z.array(id),
  /** What is attached, for people. */
  name: z.string(),
});
export type TmAttachmentCreate = z.infer<typeof tmAttachmentCreateSchema>;

/** What waits, as the list shows it: for making the entry, and for making it again from the journal or an export. */
export const waitingRow = (
  entry: Pick<OutboxEntry, 'kind' | 'account' | 'payload' | 'created_at'>,
): TmAttachmentRow | null => {
  if (entry.kind !== 'tm_attachment.create') return null;
  const parsed = tmAttachmentCreateSchema.safeParse(entry.payload);
  if (!parsed.success) return null;
  const { key: lane, attachment_key, company_id, project_id, photo, name } = parsed.data;
  return {
    ...{ key: attachment_key, account: entry.account, company_id, project_id, lane },
    time_and_material_entry_id: parsed.data.time_and_material_entry_id,
    ...{ server_id: null, filename: photo?.filename ?? name },
    content_type: photo?.content_type ?? null,
    ...{ has_bytes: false, has_thumbnail: false },
    ...{ size: photo?.size ?? null, sha256: photo?.sha256 ?? null, in_spool: photo !== null },
    ...{ thumbnail: null, state: 'waiting', receipt: null },
    ...{ created_at: entry.created_at, seen_at: 0 },
  };
};

interface Attached {
  /** What the create made; empty where it is known from the receipt alone. */
  readonly made: readonly EntryAttachment[];
  readonly receipt: PhotoReceipt | null;
}

/** Attachments of this laptop that are other files. */
const othersOf = async ({ db }: Pick<SendContext, 'db'>, lane: string): Promise<number[]> => {
  const rows = await db.tm_attachments.where('lane').equals(lane).toArray();
  return rows.flatMap((row) => row.server_id ?? []).slice(-10_000);
};

type File = TmAttachmentCreate & { readonly photo: NonNullable<TmAttachmentCreate['photo']> };

const readBack = async (
  job: File,
  attachment_id: number | null,
  context: SendContext,
): Promise<Result<PhotoReceipt | null>> => {
  const { project_id, time_and_material_entry_id } = job;
  const answer = await context.host.call('photos.verify_attachment', {
    ...{ photo_id: job.photo.photo_id, project_id, time_and_material_entry_id, attachment_id },
    except: attachment_id === null ? await othersOf(context, job.key) : [],
    original: job.original?.photo_id,
    account: context.entry.account,
  });
  return answer.ok ? ok(answer.value.receipt) : answer;
};

/** What an earlier try attached: told by its answer, or, where that was lost, found by name and bytes. */
const attachedBefore = async (
  job: File,
  context: SendContext,
): Promise<Result<PhotoReceipt | null>> => {
  const kept = context.entry.checkpoint;
  const known = kept['attachment_id'];
  if (typeof known === 'number') return readBack(job, known, context);
  const unknown =
    kept['exported'] === true ||
    (['attaching', 'restored'].some((note) => kept[note] === true) &&
      (await keepsKeys(context, job.project_id)) !== true);
  return unknown ? readBack(job, null, context) : ok(null);
};

const post = (
  job: TmAttachmentCreate,
  what: { documents?: number[]; folders?: number[]; upload_uuids?: string[] },
  idempotency_key: string,
  { host }: SendContext,
) =>
  host.request('time_and_material_entry_attachments.create', {
    params: { project_id: job.project_id },
    body: {
      time_and_material_entry_id: job.time_and_material_entry_id,
      time_and_material_entry_attachment: what,
    },
    idempotency_key,
  });

const attachDocuments = async (
  job: TmAttachmentCreate,
  context: SendContext,
): Promise<Result<Attached>> => {
  const { documents, folders } = job;
  const answer = await post(job, { documents, folders }, context.entry.id, context);
  if (!answer.ok) return answer;
  const { created, ...first } = answer.value.data;
  return ok({ made: created ?? [first], receipt: null });
};

const attachFile = async (job: File, context: SendContext): Promise<Result<Attached>> => {
  const { host, checkpoint, entry } = context;
  const before = await attachedBefore(job, context);
  if (!before.ok) return before;
  if (before.value !== null) return ok({ made: [], receipt: before.value });
  const kept = entry.checkpoint['associate_key'];
  let key = typeof kept === 'string' ? kept : job.associate_key;
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

export const tmAttachmentCreateOperation: Operation<TmAttachmentCreate, Attached> = {
  kind: 'tm_attachment.create',
  version: 1,
  schema: tmAttachmentCreateSchema,
  blocks: false,
  asks: null,
  lane: (payload) => payload.key,
  describe: ({ photo }) => ({
    photo:
      photo === null
        ? null
        : { photo_id: photo.photo_id, filename: photo.filename, size: photo.size },
  }),

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
        ...{ server_id, receipt, state: 'delivered', seen_at, has_bytes: true },
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
