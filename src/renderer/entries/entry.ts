/**
 * The closed list of kinds, and an entry as the union of them. `entryOf` is the door: what the store, the journal or a file
 * holds is parsed there, once, and nothing behind it is cast. What no schema knows stays as it is stored, and answers nothing
 * (failures A20, A28): the queue sets it aside when its turn comes.
 */
import type { Answers, Bytes, Facts, Marks, Over, Sends, Told } from './answers.ts';
import { marksSchema } from './answers.ts';
import {
  companyRecordCreateKind,
  companyRecordImportKind,
  companyRecordUpdateKind,
} from './company/company-record.ts';
import {
  tmAttachmentBulkDeleteKind,
  tmAttachmentCreateKind,
  tmAttachmentDeleteKind,
} from './company/entry-file.ts';
import { incidentCreateKind } from './incident.ts';
import {
  insuranceCreateKind,
  insuranceDeleteKind,
  insuranceSyncKind,
  insuranceUpdateKind,
} from './company/insurance.ts';
import {
  membershipBulkAddKind,
  membershipBulkRemoveKind,
  membershipCreateKind,
  membershipDeleteKind,
} from './company/membership.ts';
import {
  nearMissCreateKind,
  nearMissDeleteKind,
  nearMissRestoreKind,
  nearMissUpdateKind,
} from './near-miss.ts';
import { photoRemoveKind, photoSendKind } from './photo.ts';
import type { Envelope, OutboxEntry } from './stored.ts';
import {
  hookCreateKind,
  hookDeleteKind,
  hookUpdateKind,
  triggerCreateKind,
  triggerDeleteKind,
} from './company/webhook.ts';

/** A kind or version is never changed or taken away: a laptop may come back after a year with a full queue. */
const list = {
  'incident.create': incidentCreateKind,
  'near_miss.create': nearMissCreateKind,
  'near_miss.update': nearMissUpdateKind,
  'near_miss.delete': nearMissDeleteKind,
  'near_miss.restore': nearMissRestoreKind,
  'photo.send': photoSendKind,
  'photo.remove': photoRemoveKind,
  'tm_attachment.create': tmAttachmentCreateKind,
  'tm_attachment.delete': tmAttachmentDeleteKind,
  'tm_attachment.bulk_delete': tmAttachmentBulkDeleteKind,
  'insurance.create': insuranceCreateKind,
  'insurance.update': insuranceUpdateKind,
  'insurance.delete': insuranceDeleteKind,
  'insurance.sync': insuranceSyncKind,
  'membership.create': membershipCreateKind,
  'membership.delete': membershipDeleteKind,
  'membership.bulk_add': membershipBulkAddKind,
  'membership.bulk_remove': membershipBulkRemoveKind,
  'company_record.create': companyRecordCreateKind,
  'company_record.update': companyRecordUpdateKind,
  'company_record.import': companyRecordImportKind,
  'hook.create': hookCreateKind,
  'hook.update': hookUpdateKind,
  'hook.delete': hookDeleteKind,
  'trigger.create': triggerCreateKind,
  'trigger.delete': triggerDeleteKind,
};
export type Kind = keyof typeof list;

/** What an entry of a kind holds. */
export type Payloads = {
  readonly [K in Kind]: (typeof list)[K] extends Answers<infer P, infer _C> ? P : never;
};
/** What the tries of an entry of a kind have noted. */
export type Checkpoints = {
  readonly [K in Kind]: (typeof list)[K] extends Answers<infer _P, infer C> ? C : never;
};

const kinds: { readonly [K in Kind]: Answers<Payloads[K], Checkpoints[K]> } = list;

export const allKinds = Object.keys(list) as readonly Kind[];

/** Every content that this Spotter reads. */
export const knownVersions = allKinds.flatMap((kind) =>
  Object.keys(kinds[kind].payload).map((version) => ({ kind, version: Number(version) })),
);

/** An entry of a kind; without one, of any: told apart by `kind`. */
export type EntryOf<K extends Kind = Kind> = {
  readonly [N in K]: Envelope & {
    readonly kind: N;
    readonly payload: Payloads[N];
    readonly checkpoint: Checkpoints[N];
  };
}[K];
export type Entry = EntryOf;

/** What is put on the queue. */
export type NewEntry<K extends Kind = Kind> = {
  readonly [N in K]: {
    readonly kind: N;
    readonly version: number;
    readonly lane: string;
    readonly payload: Payloads[N];
    /** Only where the id was made before: it is the idempotency key. */
    readonly id?: string;
  };
}[K];

type Content = Pick<OutboxEntry, 'kind' | 'version' | 'lane' | 'payload'>;

const isKind = (kind: string): kind is Kind => Object.hasOwn(kinds, kind);

/** What is known of a kind by its name alone; null for a kind of another Spotter. */
export const factsOf = (kind: string): Facts | null => (isKind(kind) ? kinds[kind] : null);

/** Is there a schema for it? Else another Spotter wrote it. */
export const isKnown = ({ kind, version }: Pick<Content, 'kind' | 'version'>): boolean =>
  isKind(kind) && kinds[kind].payload[version] !== undefined;

/** What it holds; null where that is not the payload of its kind and version, or belongs to another lane. */
const parsed = <K extends Kind>(
  kind: K,
  { version, payload, lane }: Content,
): Payloads[K] | null => {
  const answers = kinds[kind];
  const given = answers.payload[version]?.safeParse(payload);
  return given?.success === true && answers.lane(given.data) === lane ? given.data : null;
};

/** Content from a file, as it may be put on the queue: as it was written there. Null where it cannot be read. */
export const newEntryOf = (given: Content & { readonly id?: string }): NewEntry | null => {
  const { kind } = given;
  if (!isKind(kind) || parsed(kind, given) === null) return null;
  // Kind and payload were parsed together: the compiler does not see through the list of all.
  return given as NewEntry;
};

const read = new WeakMap<object, Entry | null>();

/** An entry of the store as what it is; null where this Spotter cannot read it. A row is parsed once. */
export const entryOf = (row: OutboxEntry): Entry | null => {
  const known = read.get(row);
  if (known !== undefined) return known;
  const { kind } = row;
  const payload = isKind(kind) ? parsed(kind, row) : null;
  let entry: Entry | null = null;
  if (isKind(kind) && payload !== null) {
    const checkpoint = kinds[kind].checkpoint.parse(row.checkpoint ?? {});
    entry = { ...row, payload, checkpoint } as Entry;
  }
  read.set(row, entry);
  return entry;
};

/** What any checkpoint may say, of whatever kind. */
export const marksOf = ({ checkpoint }: Pick<OutboxEntry, 'checkpoint'>): Marks =>
  marksSchema.parse(checkpoint);

/** Is it the entry that makes the near miss its lane is named after? */
export const makesNearMiss = ({ kind }: Pick<OutboxEntry, 'kind'>): boolean => {
  const facts = factsOf(kind);
  return facts?.record === 'near_miss' && facts.does === 'makes';
};

export const makesIncident = ({ kind }: Pick<OutboxEntry, 'kind'>): boolean => {
  const facts = factsOf(kind);
  return facts?.record === 'incident' && facts.does === 'makes';
};

export const takesPhotoOff = ({ kind }: Pick<OutboxEntry, 'kind'>): boolean => {
  const facts = factsOf(kind);
  return facts?.record === 'photo' && facts.does === 'removes';
};

/** Does it send the bytes of a photo or file? */
export const sendsBytes = ({ kind }: Pick<OutboxEntry, 'kind'>): boolean =>
  factsOf(kind)?.sends_bytes ?? false;

const ask =
  <T>(answer: <K extends Kind>(entry: EntryOf<K>) => T) =>
  (row: OutboxEntry): T | null => {
    const entry = entryOf(row);
    return entry === null ? null : answer(entry);
  };

/** What it lays over the rows. */
export const overOf = ask(<K extends Kind>(entry: EntryOf<K>): Over | null =>
  kinds[entry.kind].over(entry.payload),
);

const photoSent = ask(<K extends Kind>(entry: EntryOf<K>): Bytes | null =>
  kinds[entry.kind].bytes(entry.payload, entry.checkpoint),
);

/** The photo or file whose bytes it sends. What sends none is not parsed for it: ten thousand entries are asked this. */
export const bytesOf = (row: OutboxEntry): Bytes | null =>
  sendsBytes(row) ? photoSent(row) : null;

const incidentOf = ask(<K extends Kind>(entry: EntryOf<K>) =>
  kinds[entry.kind].needs(entry.payload),
);

/** The incident opened here that has to be there first. What needs none by its version is not parsed for it. */
export const incidentNeededBy = (row: OutboxEntry) => {
  const from = factsOf(row.kind)?.needs_from ?? Infinity;
  return row.version >= from ? incidentOf(row) : null;
};

/** What the history of its near miss tells of it. */
export const toldOf = ask(<K extends Kind>(entry: EntryOf<K>): Told | null =>
  kinds[entry.kind].told(entry.payload),
);

/** What a company's own record is called. */
export const nameOf = ask(<K extends Kind>(entry: EntryOf<K>): string =>
  kinds[entry.kind].about(entry.payload),
);

/** Its record turned out to be in the recycle bin. */
export const foundRecycled = ask(<K extends Kind>(entry: EntryOf<K>): boolean =>
  kinds[entry.kind].recycled(entry.checkpoint),
);

/** The record it changes or makes, where it names one: all that waits for it can be told by that. */
export const recordKeyOf = (row: OutboxEntry): string | null => {
  const payload: { readonly key: string; readonly record_key?: string } | undefined =
    entryOf(row)?.payload;
  return payload?.record_key ?? null;
};

/** An entry taken back, and what makes no sense without it. */
export const takenBackWith = (
  entry: OutboxEntry,
  lane: readonly OutboxEntry[],
): readonly OutboxEntry[] => {
  const taken_back = factsOf(entry.kind)?.taken_back;
  if (taken_back === 'as_draft') return lane;
  const key = recordKeyOf(entry);
  if (taken_back !== 'with_record' || key === null) return [entry];
  return lane.filter((one) => recordKeyOf(one) === key);
};

/** An entry with this content, in its own lane. */
export const newEntry = <K extends Kind>(kind: K, payload: Payloads[K]): NewEntry<K> => {
  const answers = kinds[kind];
  const made = { kind, version: answers.version(payload), lane: answers.lane(payload), payload };
  // Of one kind alone: the compiler does not see through the list of all.
  return made as NewEntry<K>;
};

/** The same once more, as a new entry in its place or behind it. */
export const againOf = <K extends Kind>(
  entry: EntryOf<K>,
  sends: Sends = 'as_it_was',
): NewEntry<K> =>
  newEntry<K>(entry.kind, kinds[entry.kind].again(entry.payload, entry.checkpoint, sends));

/** The notes under which a refused entry is sent again as it is; null: a new entry takes its place. */
export const resumedNotes = ask(<K extends Kind>(entry: EntryOf<K>) =>
  kinds[entry.kind].resumed(entry.payload, entry.checkpoint),
);

/** The same with another photo in the place of the one it sends. */
export const withPhoto = <K extends Kind>(entry: EntryOf<K>, photo: Bytes['photo']) =>
  newEntry<K>(entry.kind, kinds[entry.kind].carrying(entry.payload, photo));
