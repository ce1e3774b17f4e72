/** The operations of a near miss's photos: their payloads and their specifications. */
import { ulid } from 'ulid';
import { z } from 'zod';
import { ulidSchema } from '../../contract/host.ts';
import {
  type OperationSpec,
  type CommonCheckpoint,
  noBytes,
  noCheckpoint,
  checkpointField,
  checkpointOf,
  ofRecord,
} from './spec.ts';
import { carriedPhoto } from './carried-photo.ts';

const id = z.number().int().positive();

export const photoSendSchema = z.object({
  key: z.string(),
  company_id: id,
  project_id: id,
  /** The idempotency key of the request that attaches the photo. */
  associate_key: ulidSchema,
  /** Enough to restore its row if the database is lost. */
  photo: carriedPhoto,
});
export type PhotoToSend = z.infer<typeof photoSendSchema>;

const removeSchema = z.object({
  key: z.string(),
  project_id: id,
  server_id: id.nullable(),
  attachment_id: id.nullable(),
  upload_uuid: z.string().nullable(),
  /** SHA-256 of the original bytes; null for a photo that only the server has. */
  sha256: z.string().nullable(),
});
export type PhotoToRemove = z.infer<typeof removeSchema>;

/** The part of a photo's or file's progress that the operation needs. The host keeps the rest. */
const sendingNotes = checkpointOf({
  /** `delivering`: handed to the host. `attaching`: the attaching request was sent. `attached`: it succeeded. */
  step: checkpointField(z.string().nullable()),
  /** True if all bytes were on the server at the last failure. `acknowledged` is of the same moment. */
  uploaded: checkpointField(z.boolean()),
  /** Segments on the server. */
  acknowledged: checkpointField(z.number()),
  /** The idempotency key for attaching it, if a person sent it again. */
  associate_key: checkpointField(ulidSchema),
  /**
   * The target of an attempt, if it is not the record. Validated on use, because a newer version of Spotter may know
   * more targets.
   */
  place: z.unknown().optional(),
});
export type SendingNotes = z.infer<typeof sendingNotes>;

/** Attaches under a new key, because the server keeps the refusal under the old one. The uploaded bytes stay there. */
export const underNewKey = (_payload: unknown, checkpoint: SendingNotes): SendingNotes => ({
  ...checkpoint,
  associate_key: ulid(),
});

/** Specification shared by the kinds that send bytes. */
export const ofSending = {
  checkpoint: sendingNotes,
  // The upload and its progress belong to the other laptop.
  portable: {
    associate_key: true,
    step: false,
    uploaded: false,
    acknowledged: false,
    place: false,
  },
  sends_bytes: true,
} as const;

/** The steps for display and counting. */
export const sendingSteps = ({ step, uploaded, acknowledged }: SendingNotes) => {
  const all = uploaded === true;
  const attached = step === 'attached';
  return {
    step: attached ? ('associated' as const) : all ? ('uploaded' as const) : null,
    uploaded: all || attached,
    acknowledged: acknowledged ?? 0,
  };
};

/**
 * Checkpoint fields that are set when the attaching request may have been sent, or when the progress is unknown.
 * Without them only bytes were sent.
 */
const BEYOND_BYTES = ['step', 'place', 'exported', 'restored'];

const common = {
  ...ofRecord,
  record: 'photo',
  many: false,
  blocks: false,
  order: 'beside',
  on_cancel: 'alone',
  recycled: () => false,
  recordedChange: () => ({ before: {}, after: {}, edit: false }),
} as const;

export const photoSendKind: OperationSpec<PhotoToSend, SendingNotes> = {
  ...common,
  does: 'makes',
  asks: null,
  payload: { 1: photoSendSchema },
  ...ofSending,
  only_bytes: (checkpoint) => BEYOND_BYTES.every((name) => !checkpoint[name]),
  optimisticPatch: () => null,
  bytes: ({ photo, company_id }, checkpoint) => ({
    photo,
    company_id,
    any_kind: false,
    ...sendingSteps(checkpoint),
  }),
  carrying: (payload, photo) => ({ ...payload, photo }),
  requeue: (payload) => ({ ...payload, associate_key: ulid() }),
  retryCheckpoint: underNewKey,
};

export const photoRemoveKind: OperationSpec<PhotoToRemove, CommonCheckpoint> = {
  ...noCheckpoint,
  ...noBytes,
  ...common,
  does: 'removes',
  asks: 'deletes',
  payload: { 1: removeSchema },
  optimisticPatch: (removal) => ({ puts: 'no_photo', removal }),
};
