/** The operations of a near miss: their payloads and their specifications. */
import { z } from 'zod';
import { nearMissCreate, nearMissUpdate } from '../../contract/rest/near-misses.ts';
import {
  type OperationSpec,
  type CommonCheckpoint,
  noBytes,
  noCheckpoint,
  checkpointField,
  checkpointOf,
  ofRecord,
} from './spec.ts';

const id = z.number().int().positive();

const createSchema = z.object({
  key: z.string(),
  company_id: id,
  project_id: id,
  /** A locally opened incident has its negative local id here, and the server's id is sent (failures A27). */
  body: nearMissCreate.extend({ incident_id: z.number().int() }),
});
export type NearMissToMake = z.infer<typeof createSchema>;

const updateSchema = z.object({
  key: z.string(),
  project_id: id,
  /** Null if the record was created locally and had no id yet. */
  server_id: id.nullable(),
  changes: nearMissUpdate,
  /** The values that the user saw in the changed fields. */
  base: z.record(z.string(), z.unknown()),
});
export type NearMissToChange = z.infer<typeof updateSchema>;

const recyclingSchema = z.object({
  key: z.string(),
  project_id: id,
  server_id: id.nullable(),
});
export type Recycling = z.infer<typeof recyclingSchema>;

/** A server record that an earlier attempt may have created, as the user is shown it. */
const candidateSchema = z.object({
  server_id: z.number(),
  full_number: z.string(),
  /** Milliseconds since the epoch; null if the server does not say. */
  created_at: z.number().nullable(),
  text: z.string(),
  /** Further values in one line: `Falling object · Scaffolding`; '' if none. */
  facts: z.string(),
  recycled: z.boolean(),
});
export type Candidate = Readonly<z.infer<typeof candidateSchema>>;

const createNotes = checkpointOf({
  /** The id of the record on the server, once it was created, found by a search or picked by the user. */
  server_id: checkpointField(z.number().nullable()),
  /** Range of times of the attempts with an unknown outcome, by the server's clock. */
  sent_from: checkpointField(z.number().nullable()),
  sent_to: checkpointField(z.number().nullable()),
  /** The user said that none of the candidates matches: send once without a search. */
  as_new: checkpointField(z.boolean()),
  /** Ids that the user ruled out. */
  not_it: checkpointField(z.array(z.unknown())),
  candidates: checkpointField(z.array(candidateSchema)),
});
export type CreateNotes = z.infer<typeof createNotes>;

/** A field that someone else changed too: all three values, until the user chooses. */
const conflictSchema = z.object({
  /** As on the wire: `description`, `harm_source_id`, `custom_field_7`. */
  name: z.string(),
  mine: z.unknown(),
  theirs: z.unknown(),
  /** The value before the local edit; undefined if unknown. */
  before: z.unknown().optional(),
});
export type FieldConflict = Readonly<z.infer<typeof conflictSchema>>;

const updateNotes = checkpointOf({
  /** Later knowledge about the values that its author saw. */
  base: checkpointField(z.record(z.string(), z.unknown())),
  conflicts: checkpointField(z.array(conflictSchema)),
  etag: checkpointField(z.string().nullable()),
  /** The idempotency key, if the operation's own was refused. */
  key: checkpointField(z.string()),
  recycled: checkpointField(z.boolean()),
});
export type UpdateNotes = z.infer<typeof updateNotes>;

/** The known base values of the fields that an update changes. */
export const baseFieldsOf = (
  { base }: Pick<NearMissToChange, 'base'>,
  { base: later }: Pick<UpdateNotes, 'base'>,
): Readonly<Record<string, unknown>> => ({ ...base, ...later });

const common = {
  ...ofRecord,
  ...noBytes,
  record: 'near_miss',
  many: false,
} as const;

const nothingChanged = { before: {}, after: {}, edit: false };

export const nearMissCreateKind: OperationSpec<NearMissToMake, CreateNotes> = {
  ...common,
  ...noCheckpoint,
  does: 'makes',
  blocks: true,
  asks: null,
  order: 'record',
  on_cancel: 'as_draft',
  payload: { 1: createSchema },
  checkpoint: createNotes,
  // Another laptop always searches before it sends, because this laptop may have sent since.
  portable: {
    server_id: true,
    candidates: true,
    not_it: true,
    sent_from: false,
    sent_to: false,
    as_new: false,
  },
  may_need_incident: true,
  needs: ({ body: { incident_id }, project_id }) =>
    incident_id < 0 ? { incident_id, project_id } : null,
  optimisticPatch: ({ body }) => ({ puts: 'fields', wire: body, bin: null }),
  recordedChange: ({ body }) => ({ before: {}, after: body, edit: false }),
};

export const nearMissUpdateKind: OperationSpec<NearMissToChange, UpdateNotes> = {
  ...common,
  does: 'changes',
  blocks: false,
  asks: null,
  order: 'record',
  disputed: true,
  on_cancel: 'alone',
  payload: { 1: updateSchema },
  checkpoint: updateNotes,
  portable: { base: true, conflicts: true, etag: true, key: true, recycled: true },
  requeue: (payload, checkpoint) => ({ ...payload, base: baseFieldsOf(payload, checkpoint) }),
  retryCheckpoint: () => null,
  recycled: ({ recycled }) => recycled === true,
  optimisticPatch: ({ changes }) => ({ puts: 'fields', wire: changes, bin: null }),
  recordedChange: ({ changes, base }) => ({ before: base, after: changes, edit: true }),
};

const recycling = {
  ...common,
  ...noCheckpoint,
  blocks: false,
  on_cancel: 'alone',
  payload: { 1: recyclingSchema },
  recordedChange: () => nothingChanged,
} as const;

export const nearMissDeleteKind: OperationSpec<Recycling, CommonCheckpoint> = {
  ...recycling,
  does: 'removes',
  asks: 'deletes',
  // A record in the bin takes no photos.
  order: 'last',
  optimisticPatch: () => ({ puts: 'fields', wire: {}, bin: 'in' }),
};

export const nearMissRestoreKind: OperationSpec<Recycling, CommonCheckpoint> = {
  ...recycling,
  does: 'restores',
  asks: null,
  order: 'record',
  optimisticPatch: () => ({ puts: 'fields', wire: {}, bin: 'out' }),
};
