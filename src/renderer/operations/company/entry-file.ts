/** The entries of a time-and-material entry's files: their payloads and their specifications. */
import { z } from 'zod';
import { photoFacts, ulidSchema } from '../../../contract/host.ts';
import {
  type OperationSpec,
  type CommonCheckpoint,
  noBytes,
  noCheckpoint,
  checkpointField,
  checkpointOf,
  ofRecord,
} from '../spec.ts';
import type { CarriedPhoto } from '../carried-photo.ts';
import { ofSending, type SendingNotes, sendingSteps, underNewKey } from '../photo.ts';

const id = z.number().int().positive();

export const tmAttachmentCreateSchema = z.object({
  /** The lane: one per time-and-material entry. */
  key: z.string(),
  company_id: id,
  project_id: id,
  time_and_material_entry_id: id,
  /** The key of its row; for a file, also its id in the spool. */
  attachment_key: ulidSchema,
  /** The idempotency key of the request that attaches it. */
  associate_key: ulidSchema,
  /** Null: documents and folders are attached. */
  photo: photoFacts.nullable(),
  /** The original of a reduced photo. Named here so that it stays in the spool while this operation is queued. */
  original: photoFacts.pick({ photo_id: true, size: true, sha256: true }).optional(),
  documents: z.array(id),
  folders: z.array(id),
  /** The name to show while the operation waits. */
  name: z.string(),
});
export type FileToAttach = z.infer<typeof tmAttachmentCreateSchema>;

const deleteSchema = z.object({
  key: z.string(),
  project_id: id,
  time_and_material_entry_id: id.nullable(),
  attachment_ref: z.string(),
  server_id: id.nullable(),
  /** True if its original was in the spool: without a server id it is found by its bytes. */
  in_spool: z.boolean(),
  name: z.string(),
});
export type FileToDelete = z.infer<typeof deleteSchema>;

const bulkDeleteSchema = z.object({
  key: z.string(),
  project_id: id,
  attachments: z.array(z.object({ attachment_ref: z.string(), server_id: id })).min(1),
});
export type FilesToDelete = z.infer<typeof bulkDeleteSchema>;

/** `singly`: one of them was gone, so the rest are deleted one by one. */
const bulkNotes = checkpointOf({ singly: checkpointField(z.boolean()) });
export type BulkNotes = z.infer<typeof bulkNotes>;

const common = {
  ...ofRecord,
  record: 'tm_attachment',
  blocks: false,
  order: 'beside',
  on_cancel: 'alone',
  recordedChange: () => null,
} as const;

const photoOf = ({ photo, original }: FileToAttach): CarriedPhoto | null =>
  photo && { ...photo, taken_at: null, gps: null, orientation: null, original };

export const tmAttachmentCreateKind: OperationSpec<FileToAttach, SendingNotes> = {
  ...noCheckpoint,
  ...common,
  does: 'makes',
  many: false,
  asks: null,
  payload: { 1: tmAttachmentCreateSchema },
  ...ofSending,
  only_bytes: () => false,
  optimisticPatch: () => null,
  bytes: (payload, checkpoint) => {
    const photo = photoOf(payload);
    const { company_id } = payload;
    return photo && { photo, company_id, any_kind: true, ...sendingSteps(checkpoint) };
  },
  carrying: (payload, { original }) => {
    const { original: _had, ...rest } = payload;
    return original === undefined ? rest : payload;
  },
  // Documents have no bytes and no separate key; they are attached under the operation's key.
  retryCheckpoint: (payload, checkpoint) =>
    payload.photo === null ? null : underNewKey(payload, checkpoint),
};

export const tmAttachmentDeleteKind: OperationSpec<FileToDelete, CommonCheckpoint> = {
  ...noCheckpoint,
  ...noBytes,
  ...common,
  does: 'removes',
  many: false,
  asks: 'deletes',
  payload: { 1: deleteSchema },
  optimisticPatch: ({ attachment_ref }) => ({
    puts: 'no_files',
    attachment_refs: [attachment_ref],
  }),
};

export const tmAttachmentBulkDeleteKind: OperationSpec<FilesToDelete, BulkNotes> = {
  ...noCheckpoint,
  ...noBytes,
  ...common,
  does: 'removes',
  many: true,
  asks: 'deletes',
  payload: { 1: bulkDeleteSchema },
  checkpoint: bulkNotes,
  portable: { singly: true },
  optimisticPatch: ({ attachments }) => ({
    puts: 'no_files',
    attachment_refs: attachments.map(({ attachment_ref }) => attachment_ref),
  }),
};
