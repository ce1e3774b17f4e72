/**
 * Registers how each kind is sent and which rows it creates. A kind without a handler does not compile.
 * To add a kind, define its operation in the record's file and add a line here.
 */
import { type OperationOf, operationOf, type Kind } from '../../operations/operation.ts';
import type { OutboxOperation } from '../../operations/stored.ts';
import type { OptimisticRow } from './optimistic-rows.ts';
import {
  companyRecordCreateOperation,
  companyRecordImportOperation,
  companyRecordUpdateOperation,
} from './company/company-record.ts';
import {
  tmAttachmentBulkDeleteOperation,
  tmAttachmentCreateOperation,
  tmAttachmentDeleteOperation,
} from './company/entry-file.ts';
import { nearMissCommentOperation } from './comment.ts';
import { incidentCreateOperation } from './incident.ts';
import {
  insuranceCreateOperation,
  insuranceDeleteOperation,
  insuranceSyncOperation,
  insuranceUpdateOperation,
} from './company/insurance.ts';
import {
  membershipBulkAddOperation,
  membershipBulkRemoveOperation,
  membershipCreateOperation,
  membershipDeleteOperation,
} from './company/membership.ts';
import {
  nearMissCreateOperation,
  nearMissDeleteOperation,
  nearMissRestoreOperation,
  nearMissUpdateOperation,
} from './near-miss.ts';
import { type RunnableHandler, runnable } from './handler.ts';
import { photoRemoveOperation, photoSendOperation } from './photo.ts';
import {
  hookCreateOperation,
  hookDeleteOperation,
  hookUpdateOperation,
  triggerCreateOperation,
  triggerDeleteOperation,
} from './company/webhook.ts';

const operations: { readonly [K in Kind]: RunnableHandler<K> } = {
  'incident.create': runnable(incidentCreateOperation),
  'near_miss.create': runnable(nearMissCreateOperation),
  'near_miss.update': runnable(nearMissUpdateOperation),
  'near_miss.delete': runnable(nearMissDeleteOperation),
  'near_miss.restore': runnable(nearMissRestoreOperation),
  'near_miss.comment': runnable(nearMissCommentOperation),
  'photo.send': runnable(photoSendOperation),
  'photo.remove': runnable(photoRemoveOperation),
  'tm_attachment.create': runnable(tmAttachmentCreateOperation),
  'tm_attachment.delete': runnable(tmAttachmentDeleteOperation),
  'tm_attachment.bulk_delete': runnable(tmAttachmentBulkDeleteOperation),
  'insurance.create': runnable(insuranceCreateOperation),
  'insurance.update': runnable(insuranceUpdateOperation),
  'insurance.delete': runnable(insuranceDeleteOperation),
  'insurance.sync': runnable(insuranceSyncOperation),
  'membership.create': runnable(membershipCreateOperation),
  'membership.delete': runnable(membershipDeleteOperation),
  'membership.bulk_add': runnable(membershipBulkAddOperation),
  'membership.bulk_remove': runnable(membershipBulkRemoveOperation),
  'company_record.create': runnable(companyRecordCreateOperation),
  'company_record.update': runnable(companyRecordUpdateOperation),
  'company_record.import': runnable(companyRecordImportOperation),
  'hook.create': runnable(hookCreateOperation),
  'hook.update': runnable(hookUpdateOperation),
  'hook.delete': runnable(hookDeleteOperation),
  'trigger.create': runnable(triggerCreateOperation),
  'trigger.delete': runnable(triggerDeleteOperation),
};

/** Makes one attempt at an operation and returns the write that settles it. */
export const runOf = <K extends Kind>(
  operation: OperationOf<K>,
  context: Parameters<RunnableHandler<K>['run']>[1],
): ReturnType<RunnableHandler<K>['run']> => operations[operation.kind].run(operation, context);

const rowsOfKind = <K extends Kind>(operation: OperationOf<K>): readonly OptimisticRow[] =>
  operations[operation.kind].rows(operation);

/**
 * The rows that exist locally because an operation is queued, for rebuild, import and cancel. An unreadable operation has none.
 */
export const rowsOf = (row: OutboxOperation): readonly OptimisticRow[] => {
  const operation = operationOf(row);
  return operation === null ? [] : rowsOfKind(operation);
};
