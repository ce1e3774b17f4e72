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

/** How far a photo or file is, as far as the entry has to know; the host knows the rest. */
const sendingNotes = notes({
  /** `delivering`: the host was told to; `hanging`: it may hang there; `hung`: it does. Older versions noted steps of their own. */
  step: note(z.string().nullable()),
  /** Are all its bytes on the server? Noted when it failed last, as is `acknowledged`. */
  uploaded: note(z.boolean()),
  /** Segments on the server. */
  acknowledged: note(z.number()),
  /** The idempotency key of what hangs it on, where a person sent it again. */
  associate_key: note(ulidSchema),
  /** Where a try went that was not the record: read where it is used, as a newer Spotter may know more places. */
  place: z.unknown().optional(),
  /** What older versions noted here and the host notes now. */
  upload_uuid: note(z.string().nullable()),
  attaching: note(z.boolean()),
  attachment_id: note(z.number()),
});
export type SendingNotes = z.infer<typeof sendingNotes>;

/** Hung on under another key, because the refusal is kept under the old one; the bytes that are there stay there. */
export const underNewKey = (_payload: unknown, checkpoint: SendingNotes): SendingNotes => ({
  ...checkpoint,
  associate_key: ulid(),
});

/** What the kinds that send bytes say of how far they are. */
export const ofSending = {
  checkpoint: sendingNotes,
  // The upload, and how far it is, are the other laptop's own.
  carries: {
    associate_key: true,
    step: false,
    uploaded: false,
    acknowledged: false,
    place: false,
    upload_uuid: false,
    attaching: false,
    attachment_id: false,
  },
  sends_bytes: true,
} as const;

/** The steps as they are shown and counted. */
export const sendingSteps = ({ step, uploaded, upload_uuid, acknowledged }: SendingNotes) => {
  const all = uploaded === true || typeof upload_uuid === 'string';
  const hung = step === 'hung' || step === 'associated';
  return {
    step: hung ? ('associated' as const) : all ? ('uploaded' as const) : null,
    uploaded: all || hung,
    acknowledged: acknowledged ?? 0,
  };
};

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

export const photoSendKind: Answers<PhotoToSend, SendingNotes> = {
  ...common,
  does: 'makes',
  asks: null,
  payload: { 1: photoSendSchema },
  ...ofSending,
  only_bytes: (checkpoint) => BEYOND_BYTES.every((name) => !checkpoint[name]),
  over: () => null,
  bytes: ({ photo, company_id }, checkpoint) => ({
    photo,
    company_id,
    any_kind: false,
    ...sendingSteps(checkpoint),
  }),
  carrying: (payload, photo) => ({ ...payload, photo }),
  again: (payload) => ({ ...payload, associate_key: ulid() }),
  resumed: underNewKey,
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
