/** What entries about the photos of a near miss hold, and what they answer. */
import { ulid } from 'ulid';
import { z } from 'zod';
import { ulidSchema } from '../../contract/host.ts';
import { type Answers, type Marks, noBytes, noNotes, note, notes, ofRecord } from './answers.ts';
import { carriedPhoto } from './carried-photo.ts';

const id = z.number().int().positive();

export const photoSendSchema = z.object({
  key: z.string(),
  company_id: id,
  project_id: id,
  /** The idempotency key of the association. */
  associate_key: ulidSchema,
  /** Enough to make its row again when the database is gone. */
  photo: carriedPhoto,
});
export type PhotoToSend = z.infer<typeof photoSendSchema>;

const removeSchema = z.object({
  key: z.string(),
  project_id: id,
  server_id: id.nullable(),
  attachment_id: id.nullable(),
  upload_uuid: z.string().nullable(),
  /** Of the original; null for a photo that only the server has. */
  sha256: z.string().nullable(),
});
export type PhotoToRemove = z.infer<typeof removeSchema>;

/** How far the bytes of a photo or file are, and what they hang on. */
export const sendingShape = {
  step: note(z.string().nullable()),
  upload_uuid: note(z.string().nullable()),
  /** The idempotency key of the association, where the payload's was used for another upload. */
  associate_key: note(z.string()),
  attaching: note(z.boolean()),
  attachment_id: note(z.number()),
  /** Segments on the server when it failed last. */
  acknowledged: note(z.number()),
};
export const sendingCarries = ['step', 'upload_uuid', 'associate_key'];

/** The steps as they are shown and counted. */
export const sendingSteps = (
  checkpoint: Readonly<{
    step?: string | null | undefined;
    upload_uuid?: string | null | undefined;
    acknowledged?: number | undefined;
  }>,
) => ({
  step: checkpoint.step ?? null,
  uploaded: typeof checkpoint.upload_uuid === 'string',
  acknowledged: checkpoint.acknowledged ?? 0,
});

const sendNotes = notes({
  ...sendingShape,
  /** Where an earlier try went that was not the record: read where it is used, as a newer Spotter may know more places. */
  place: z.unknown().optional(),
});
export type PhotoNotes = z.infer<typeof sendNotes>;

/** Noted once more than bytes may have been sent, or where nobody knows how far it got. */
const BEYOND_BYTES = [
  'step',
  'upload_uuid',
  'place',
  'attaching',
  'attachment_id',
  'exported',
  'restored',
];

const common = {
  ...ofRecord,
  record: 'photo',
  many: false,
  blocks: false,
  order: 'beside',
  taken_back: 'alone',
  recycled: () => false,
  told: () => ({ before: {}, after: {}, edit: false }),
} as const;

export const photoSendKind: Answers<PhotoToSend, PhotoNotes> = {
  ...common,
  does: 'makes',
  asks: null,
  payload: { 1: photoSendSchema },
  checkpoint: sendNotes,
  carries: sendingCarries,
  sends_bytes: true,
  only_bytes: (checkpoint) => BEYOND_BYTES.every((name) => !checkpoint[name]),
  over: ({ photo }) => ({ puts: 'photo', photo }),
  bytes: ({ photo, company_id }, checkpoint) => ({
    photo,
    company_id,
    ...sendingSteps(checkpoint),
  }),
  carrying: (payload, photo) => ({ ...payload, photo }),
  // Another association of the photo: under the old key the refusal is kept.
  again: (payload) => ({ ...payload, associate_key: ulid() }),
};

export const photoRemoveKind: Answers<PhotoToRemove, Marks> = {
  ...noNotes,
  ...noBytes,
  ...common,
  does: 'removes',
  asks: 'deletes',
  payload: { 1: removeSchema },
  over: (removal) => ({ puts: 'no_photo', removal }),
};
