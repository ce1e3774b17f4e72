/**
 * The kinds by record, for the one file of data/ that owns the record: it creates their operations and finds those it may
 * correct. In the queue, two files use it for questions that only one kind answers. All other code uses operation.ts and
 * knows no kind (test/setup/kinds.test.ts).
 */
import {
  type OperationOf,
  operationOf,
  type Kind,
  newOperation,
  type NewOperation,
  type Payloads,
} from './operation.ts';
import type { OutboxOperation } from './stored.ts';

/** Creates and reads operations of one kind. */
export interface Queued<K extends Kind> {
  (payload: Payloads[K]): NewOperation<K>;
  /** The operation, if it is of this kind and readable. */
  read(row: OutboxOperation | undefined): OperationOf<K> | null;
  /** The operations of this kind in a lane, in order. */
  in(lane: readonly OutboxOperation[]): readonly OperationOf<K>[];
}

const queued = <K extends Kind>(kind: K): Queued<K> => {
  // The comparison narrows the kind, which the compiler cannot infer for a generic.
  const read = (row: OutboxOperation | undefined): OperationOf<K> | null =>
    row?.kind === kind ? (operationOf(row) as OperationOf<K> | null) : null;
  return Object.assign((payload: Payloads[K]) => newOperation(kind, payload), {
    read,
    in: (lane: readonly OutboxOperation[]) => lane.flatMap((row) => read(row) ?? []),
  });
};

export const nearMiss = {
  create: queued('near_miss.create'),
  update: queued('near_miss.update'),
  delete: queued('near_miss.delete'),
  restore: queued('near_miss.restore'),
  comment: queued('near_miss.comment'),
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
