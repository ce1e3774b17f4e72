/** What entries about a near miss hold, and what they answer. */
import { z } from 'zod';
import { nearMissCreate, nearMissUpdate } from '../../contract/rest/near-misses.ts';
import { type Answers, type Marks, noBytes, noNotes, note, notes, ofRecord } from './answers.ts';

const id = z.number().int().positive();

const createSchema = z.object({
  key: z.string(),
  company_id: id,
  project_id: id,
  body: nearMissCreate,
});
export type NearMissToMake = z.infer<typeof createSchema>;

/** Under an incident that was opened on this laptop: the body holds its number here, the server's is sent (failures A27). */
const openedSchema = createSchema.extend({
  body: nearMissCreate.extend({ incident_id: z.number().int() }),
});

const updateSchema = z.object({
  key: z.string(),
  project_id: id,
  /** Null where the record was made here and had no id yet. */
  server_id: id.nullable(),
  changes: nearMissUpdate,
  /** What the user saw in the changed fields; null only in entries of the first Spotter, made before the record had an id. */
  base: z.record(z.string(), z.unknown()).nullable(),
});
export type NearMissToChange = z.infer<typeof updateSchema>;

const recyclingSchema = z.object({
  key: z.string(),
  project_id: id,
  server_id: id.nullable(),
});
export type Recycling = z.infer<typeof recyclingSchema>;

/** A record on the server that may be the one an earlier try made, as the user is shown it. */
const candidateSchema = z.object({
  server_id: z.number(),
  full_number: z.string(),
  /** Milliseconds since the epoch; null where the server does not say. */
  created_at: z.number().nullable(),
  text: z.string(),
  /** What else it says, by name: `Falling object · Scaffolding`; '' where nothing. */
  facts: z.string(),
  recycled: z.boolean(),
});
export type Candidate = Readonly<z.infer<typeof candidateSchema>>;

const createNotes = notes({
  /** The record on the server: found, answered or picked. */
  server_id: note(z.number().nullable()),
  /** When tries with an unknown outcome left, by the server's clock. */
  sent_from: note(z.number().nullable()),
  sent_to: note(z.number().nullable()),
  /** The user said that none of those there is it: sent once without a look. */
  as_new: note(z.boolean()),
  /** Ids that the user said are not it. */
  not_it: note(z.array(z.unknown())),
  candidates: note(z.array(candidateSchema)),
});
export type CreateNotes = z.infer<typeof createNotes>;

/** A field that someone else changed too: all three values, until the user chooses. */
const conflictSchema = z.object({
  /** As on the wire: `description`, `harm_source_id`, `custom_field_7`. */
  name: z.string(),
  mine: z.unknown(),
  theirs: z.unknown(),
  /** What it was when it was edited here; undefined where that is not known. */
  before: z.unknown().optional(),
});
export type FieldConflict = Readonly<z.infer<typeof conflictSchema>>;

const updateNotes = notes({
  /** What is known since of the values that its author saw. */
  base: note(z.record(z.string(), z.unknown())),
  conflicts: note(z.array(conflictSchema)),
  etag: note(z.string().nullable()),
  /** The idempotency key, where the entry's own was refused. */
  key: note(z.string()),
  recycled: note(z.boolean()),
});
export type UpdateNotes = z.infer<typeof updateNotes>;

/** What an update's author saw in the fields it changes, as far as it is known. */
export const seenBase = (
  { base }: Pick<NearMissToChange, 'base'>,
  { base: later }: Pick<UpdateNotes, 'base'>,
): Readonly<Record<string, unknown>> | null => (later === undefined ? base : { ...base, ...later });

const common = {
  ...ofRecord,
  ...noBytes,
  record: 'near_miss',
  many: false,
} as const;

const nothingChanged = { before: {}, after: {}, edit: false };

export const nearMissCreateKind: Answers<NearMissToMake, CreateNotes> = {
  ...common,
  ...noNotes,
  does: 'makes',
  blocks: true,
  asks: null,
  order: 'record',
  taken_back: 'as_draft',
  payload: { 1: createSchema, 2: openedSchema },
  checkpoint: createNotes,
  // Another laptop looks before it sends, whenever this one sent and whatever its user said: this one may have sent since.
  carries: {
    server_id: true,
    candidates: true,
    not_it: true,
    sent_from: false,
    sent_to: false,
    as_new: false,
  },
  // The first Spotters know none whose incident has no number of the server yet.
  version: ({ body }) => (body.incident_id < 0 ? 2 : 1),
  needs_from: 2,
  needs: ({ body: { incident_id }, project_id }) =>
    incident_id < 0 ? { incident_id, project_id } : null,
  over: ({ body }) => ({ puts: 'fields', wire: body, bin: null }),
  told: ({ body }) => ({ before: {}, after: body, edit: false }),
};

export const nearMissUpdateKind: Answers<NearMissToChange, UpdateNotes> = {
  ...common,
  does: 'changes',
  blocks: false,
  asks: null,
  order: 'record',
  disputed: true,
  taken_back: 'alone',
  payload: { 1: updateSchema },
  checkpoint: updateNotes,
  carries: { base: true, conflicts: true, etag: true, key: true, recycled: true },
  again: (payload, checkpoint) => ({ ...payload, base: seenBase(payload, checkpoint) }),
  resumed: () => null,
  recycled: ({ recycled }) => recycled === true,
  over: ({ changes }) => ({ puts: 'fields', wire: changes, bin: null }),
  told: ({ changes, base }) => ({ before: base ?? {}, after: changes, edit: true }),
};

const recycling = {
  ...common,
  ...noNotes,
  blocks: false,
  taken_back: 'alone',
  payload: { 1: recyclingSchema },
  told: () => nothingChanged,
} as const;

export const nearMissDeleteKind: Answers<Recycling, Marks> = {
  ...recycling,
  does: 'removes',
  asks: 'deletes',
  // A record in the bin takes no photos.
  order: 'last',
  over: () => ({ puts: 'fields', wire: {}, bin: 'in' }),
};

export const nearMissRestoreKind: Answers<Recycling, Marks> = {
  ...recycling,
  does: 'restores',
  asks: null,
  order: 'record',
  over: () => ({ puts: 'fields', wire: {}, bin: 'out' }),
};
