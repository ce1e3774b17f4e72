/**
 * The closed list of kinds, and an operation as their union. `operationOf` validates a row of the store, the journal or a file
 * once, and no later code casts. A row that no schema knows stays as stored and answers nothing (failures A20, A28);
 * the queue quarantines it at its turn.
 */
import type {
  OperationSpec,
  Bytes,
  OperationTraits,
  CommonCheckpoint,
  OptimisticPatch,
  RequeueMode,
  RecordedChange,
} from './spec.ts';
import { commonCheckpointSchema } from './spec.ts';
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
import { nearMissCommentKind } from './comment.ts';
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
import type { Envelope, OutboxOperation } from './stored.ts';
import {
  hookCreateKind,
  hookDeleteKind,
  hookUpdateKind,
  triggerCreateKind,
  triggerDeleteKind,
} from './company/webhook.ts';

/** A released kind or version is never changed or removed: a laptop may return after a year with a full queue. */
const list = {
  'incident.create': incidentCreateKind,
  'near_miss.create': nearMissCreateKind,
  'near_miss.update': nearMissUpdateKind,
  'near_miss.delete': nearMissDeleteKind,
  'near_miss.restore': nearMissRestoreKind,
  'near_miss.comment': nearMissCommentKind,
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

export type Payloads = {
  readonly [K in Kind]: (typeof list)[K] extends OperationSpec<infer P, infer _C> ? P : never;
};
export type Checkpoints = {
  readonly [K in Kind]: (typeof list)[K] extends OperationSpec<infer _P, infer C> ? C : never;
};

const kinds: { readonly [K in Kind]: OperationSpec<Payloads[K], Checkpoints[K]> } = list;

export const allKinds = Object.keys(list) as readonly Kind[];

/** Every kind and version that this version of Spotter can read. */
export const knownVersions = allKinds.flatMap((kind) =>
  Object.keys(kinds[kind].payload).map((version) => ({ kind, version: Number(version) })),
);

/** An operation of the given kind, or of any kind, discriminated by `kind`. */
export type OperationOf<K extends Kind = Kind> = {
  readonly [N in K]: Envelope & {
    readonly kind: N;
    readonly payload: Payloads[N];
    readonly checkpoint: Checkpoints[N];
  };
}[K];
export type Operation = OperationOf;

export type NewOperation<K extends Kind = Kind> = {
  readonly [N in K]: {
    readonly kind: N;
    readonly version: number;
    readonly lane: string;
    readonly payload: Payloads[N];
    /** Only if the id, which is the idempotency key, exists already. */
    readonly id?: string;
  };
}[K];

type Content = Pick<OutboxOperation, 'kind' | 'version' | 'lane' | 'payload'>;

const isKind = (kind: string): kind is Kind => Object.hasOwn(kinds, kind);

/** The traits of a kind by its name; null if only another version of Spotter knows the kind. */
export const traitsOf = (kind: string): OperationTraits | null =>
  isKind(kind) ? kinds[kind] : null;

/** False if another version of Spotter wrote it in a form that this one does not know. */
export const isKnown = ({ kind, version }: Pick<Content, 'kind' | 'version'>): boolean =>
  isKind(kind) && kinds[kind].payload[version] !== undefined;

/** The validated payload; null if it does not match its kind and version, or belongs to another lane. */
const parsed = <K extends Kind>(
  kind: K,
  { version, payload, lane }: Content,
): Payloads[K] | null => {
  const answers = kinds[kind];
  const given = answers.payload[version]?.safeParse(payload);
  return given?.success === true && answers.lane(given.data) === lane ? given.data : null;
};

/** Types an operation read from an export, so that it can be queued as it is. Null if this version cannot read it. */
export const newOperationOf = (given: Content & { readonly id?: string }): NewOperation | null => {
  const { kind } = given;
  if (!isKind(kind) || parsed(kind, given) === null) return null;
  // Kind and payload were validated together, which the compiler cannot infer from the union.
  return given as NewOperation;
};

const read = new WeakMap<object, Operation | null>();

/** The typed operation of a row; null if this version of Spotter cannot read it. Each row is parsed once. */
export const operationOf = (row: OutboxOperation): Operation | null => {
  const known = read.get(row);
  if (known !== undefined) return known;
  const { kind } = row;
  const payload = isKind(kind) ? parsed(kind, row) : null;
  let operation: Operation | null = null;
  if (isKind(kind) && payload !== null) {
    const checkpoint = kinds[kind].checkpoint.parse(row.checkpoint ?? {});
    operation = { ...row, payload, checkpoint } as Operation;
  }
  read.set(row, operation);
  return operation;
};

export const commonCheckpointOf = ({
  checkpoint,
}: Pick<OutboxOperation, 'checkpoint'>): CommonCheckpoint =>
  commonCheckpointSchema.parse(checkpoint);

/** True for the operation that creates the near miss of its lane. */
export const makesNearMiss = ({ kind }: Pick<OutboxOperation, 'kind'>): boolean => {
  const facts = traitsOf(kind);
  return facts?.record === 'near_miss' && facts.does === 'makes';
};

export const makesIncident = ({ kind }: Pick<OutboxOperation, 'kind'>): boolean => {
  const facts = traitsOf(kind);
  return facts?.record === 'incident' && facts.does === 'makes';
};

export const takesPhotoOff = ({ kind }: Pick<OutboxOperation, 'kind'>): boolean => {
  const facts = traitsOf(kind);
  return facts?.record === 'photo' && facts.does === 'removes';
};

/** True for a comment. It is no part of the report, so no form of the report corrects it. */
export const writesComment = ({ kind }: Pick<OutboxOperation, 'kind'>): boolean =>
  traitsOf(kind)?.record === 'comment';

export const sendsBytes = ({ kind }: Pick<OutboxOperation, 'kind'>): boolean =>
  traitsOf(kind)?.sends_bytes ?? false;

const ask =
  <T>(answer: <K extends Kind>(operation: OperationOf<K>) => T) =>
  (row: OutboxOperation): T | null => {
    const operation = operationOf(row);
    return operation === null ? null : answer(operation);
  };

/** The optimistic patch of an operation. */
export const optimisticPatchOf = ask(
  <K extends Kind>(operation: OperationOf<K>): OptimisticPatch | null =>
    kinds[operation.kind].optimisticPatch(operation.payload),
);

const photoSent = ask(<K extends Kind>(operation: OperationOf<K>): Bytes | null =>
  kinds[operation.kind].bytes(operation.payload, operation.checkpoint),
);

/** The photo or file that an operation sends. Other kinds are not parsed, because this runs for ten thousand operations. */
export const bytesOf = (row: OutboxOperation): Bytes | null =>
  sendsBytes(row) ? photoSent(row) : null;

const incidentOf = ask(<K extends Kind>(operation: OperationOf<K>) =>
  kinds[operation.kind].needs(operation.payload),
);

/** The locally opened incident that must be sent first. Kinds that need none are not parsed. */
export const incidentNeededBy = (row: OutboxOperation) =>
  traitsOf(row.kind)?.may_need_incident === true ? incidentOf(row) : null;

/** The operation's contribution to the history of its near miss. */
export const recordedChangeOf = ask(
  <K extends Kind>(operation: OperationOf<K>): RecordedChange | null =>
    kinds[operation.kind].recordedChange(operation.payload),
);

/** The display name of a company's own record. */
export const nameOf = ask(<K extends Kind>(operation: OperationOf<K>): string =>
  kinds[operation.kind].about(operation.payload),
);

/** True if its record was found in the recycle bin. */
export const foundRecycled = ask(<K extends Kind>(operation: OperationOf<K>): boolean =>
  kinds[operation.kind].recycled(operation.checkpoint),
);

/** The key of the record that it creates or changes, if it names one. Dependent operations share the key. */
export const recordKeyOf = (row: OutboxOperation): string | null => {
  const payload: { readonly key: string; readonly record_key?: string } | undefined =
    operationOf(row)?.payload;
  return payload?.record_key ?? null;
};

/** The cancelled operation and the operations that depend on it. */
export const cancelledWith = (
  operation: OutboxOperation,
  lane: readonly OutboxOperation[],
): readonly OutboxOperation[] => {
  const on_cancel = traitsOf(operation.kind)?.on_cancel;
  if (on_cancel === 'as_draft') return lane;
  const key = recordKeyOf(operation);
  if (on_cancel !== 'with_record' || key === null) return [operation];
  return lane.filter((one) => recordKeyOf(one) === key);
};

/** A new operation with this content, in its lane. */
export const newOperation = <K extends Kind>(kind: K, payload: Payloads[K]): NewOperation<K> => {
  const answers = kinds[kind];
  const made = { kind, version: answers.version(payload), lane: answers.lane(payload), payload };
  // One kind only, which the compiler cannot infer from the union.
  return made as NewOperation<K>;
};

/** The same content as a new operation, in its place or behind it. */
export const requeued = <K extends Kind>(
  operation: OperationOf<K>,
  sends: RequeueMode = 'as_it_was',
): NewOperation<K> =>
  newOperation<K>(
    operation.kind,
    kinds[operation.kind].requeue(operation.payload, operation.checkpoint, sends),
  );

/** The checkpoint with which a refused operation is sent again unchanged; null: a new operation replaces it. */
export const retryCheckpointOf = ask(<K extends Kind>(operation: OperationOf<K>) =>
  kinds[operation.kind].retryCheckpoint(operation.payload, operation.checkpoint),
);

export const withPhoto = <K extends Kind>(operation: OperationOf<K>, photo: Bytes['photo']) =>
  newOperation<K>(operation.kind, kinds[operation.kind].carrying(operation.payload, photo));
