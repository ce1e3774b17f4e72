/** What entries about the files of a time-and-material entry hold, and what they answer. */
import { z } from 'zod';
import { photoFacts, ulidSchema } from '../../../contract/host.ts';
import { type Answers, type Marks, noBytes, noNotes, note, notes, ofRecord } from '../answers.ts';
import type { CarriedPhoto } from '../carried-photo.ts';
import { ofSending, type SendingNotes, sendingSteps, underNewKey } from '../photo.ts';

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
export type FileToAttach = z.infer<typeof tmAttachmentCreateSchema>;

const deleteSchema = z.object({
  key: z.string(),
  project_id: id,
  time_and_material_entry_id: id.nullable(),
  attachment_ref: z.string(),
  server_id: id.nullable(),
  /** Its original was in the spool: where the server's id never came it is found by that. */
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

/** `singly`: one of them was gone, so that the rest go one by one. */
const bulkNotes = notes({ singly: note(z.boolean()) });
export type BulkNotes = z.infer<typeof bulkNotes>;

const common = {
  ...ofRecord,
  record: 'tm_attachment',
  blocks: false,
  order: 'beside',
  taken_back: 'alone',
  told: () => null,
} as const;

const photoOf = ({ photo, original }: FileToAttach): CarriedPhoto | null =>
  photo && { ...photo, taken_at: null, gps: null, orientation: null, original };

export const tmAttachmentCreateKind: Answers<FileToAttach, SendingNotes> = {
  ...noNotes,
  ...common,
  does: 'makes',
  many: false,
  asks: null,
  payload: { 1: tmAttachmentCreateSchema },
  ...ofSending,
  only_bytes: () => false,
  over: () => null,
  bytes: (payload, checkpoint) => {
    const photo = photoOf(payload);
    const { company_id } = payload;
    return photo && { photo, company_id, any_kind: true, ...sendingSteps(checkpoint) };
  },
  carrying: (payload, { original }) => {
    const { original: _had, ...rest } = payload;
    return original === undefined ? rest : payload;
  },
  // Documents have no bytes and no key of their own: they are attached by the entry's.
  resumed: (payload, checkpoint) =>
    payload.photo === null ? null : underNewKey(payload, checkpoint),
};

export const tmAttachmentDeleteKind: Answers<FileToDelete, Marks> = {
  ...noNotes,
  ...noBytes,
  ...common,
  does: 'removes',
  many: false,
  asks: 'deletes',
  payload: { 1: deleteSchema },
  over: ({ attachment_ref }) => ({ puts: 'no_files', attachment_refs: [attachment_ref] }),
};

export const tmAttachmentBulkDeleteKind: Answers<FilesToDelete, BulkNotes> = {
  ...noNotes,
  ...noBytes,
  ...common,
  does: 'removes',
  many: true,
  asks: 'deletes',
  payload: { 1: bulkDeleteSchema },
  checkpoint: bulkNotes,
  carries: { singly: true },
  over: ({ attachments }) => ({
    puts: 'no_files',
    attachment_refs: attachments.map(({ attachment_ref }) => attachment_ref),
  }),
};
