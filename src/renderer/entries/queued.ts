/**
 * The kinds by record, for the one file of data/ whose record it is: that file makes entries of them, and finds those that it may
 * put right. In the queue two files answer a question that only one kind asks. Everybody else asks an entry (entry.ts) and knows
 * no kind (test/setup/kinds.test.ts).
 */
import {
  type EntryOf,
  entryOf,
  type Kind,
  newEntry,
  type NewEntry,
  type Payloads,
} from './entry.ts';
import type { OutboxEntry } from './stored.ts';

/** Makes an entry of a kind, and reads one. */
export interface Queued<K extends Kind> {
  (payload: Payloads[K]): NewEntry<K>;
  /** The entry, where it is of this kind and can be read. */
  read(row: OutboxEntry | undefined): EntryOf<K> | null;
  /** Those of a lane, in its order. */
  in(lane: readonly OutboxEntry[]): readonly EntryOf<K>[];
}

const queued = <K extends Kind>(kind: K): Queued<K> => {
  // What the kind is was just compared: the compiler follows no comparison with a kind that it does not know.
  const read = (row: OutboxEntry | undefined): EntryOf<K> | null =>
    row?.kind === kind ? (entryOf(row) as EntryOf<K> | null) : null;
  return Object.assign((payload: Payloads[K]) => newEntry(kind, payload), {
    read,
    in: (lane: readonly OutboxEntry[]) => lane.flatMap((row) => read(row) ?? []),
  });
};

export const nearMiss = {
  create: queued('near_miss.create'),
  update: queued('near_miss.update'),
  delete: queued('near_miss.delete'),
  restore: queued('near_miss.restore'),
};

export const photo = { send: queued('photo.send'), remove: queued('photo.remove') };

export const entryFile = {
  create: queued('tm_attachment.create'),
  delete: queued('tm_attachment.delete'),
  bulkDelete: queued('tm_attachment.bulk_delete'),
};

export const incident = { create: queued('incident.create') };

export const insurance = {
  create: queued('insurance.create'),
  update: queued('insurance.update'),
  delete: queued('insurance.delete'),
  sync: queued('insurance.sync'),
};

export const membership = {
  create: queued('membership.create'),
  delete: queued('membership.delete'),
  bulkAdd: queued('membership.bulk_add'),
  bulkRemove: queued('membership.bulk_remove'),
};

export const companyRecord = {
  create: queued('company_record.create'),
  update: queued('company_record.update'),
  import: queued('company_record.import'),
};

export const webhook = {
  create: queued('hook.create'),
  update: queued('hook.update'),
  delete: queued('hook.delete'),
};

export const trigger = { create: queued('trigger.create'), delete: queued('trigger.delete') };
