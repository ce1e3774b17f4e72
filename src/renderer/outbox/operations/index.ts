/**
 * How each kind is sent, and which rows it brings: a kind without its operation does not compile. One file a record; a new kind is an
 * operation there and a line here.
 */
import { type EntryOf, entryOf, type Kind } from '../../entries/entry.ts';
import type { OutboxEntry } from '../../entries/stored.ts';
import type { WaitingRow } from '../waiting-rows.ts';
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
import { type Runnable, runnable } from './operation.ts';
import { photoRemoveOperation, photoSendOperation } from './photo.ts';
import {
  hookCreateOperation,
  hookDeleteOperation,
  hookUpdateOperation,
  triggerCreateOperation,
  triggerDeleteOperation,
} from './company/webhook.ts';

const operations: { readonly [K in Kind]: Runnable<K> } = {
  'incident.create': runnable(incidentCreateOperation),
  'near_miss.create': runnable(nearMissCreateOperation),
  'near_miss.update': runnable(nearMissUpdateOperation),
  'near_miss.delete': runnable(nearMissDeleteOperation),
  'near_miss.restore': runnable(nearMissRestoreOperation),
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

/** One try of an entry: sends it, and answers how its outcome is written. */
export const runOf = <K extends Kind>(
  entry: EntryOf<K>,
  context: Parameters<Runnable<K>['run']>[1],
): ReturnType<Runnable<K>['run']> => operations[entry.kind].run(entry, context);

const rowsOfKind = <K extends Kind>(entry: EntryOf<K>): readonly WaitingRow[] =>
  operations[entry.kind].rows(entry);

/** The rows that are here because an entry waits: rebuild, import and take-back ask. One that cannot be read brings none. */
export const rowsOf = (row: OutboxEntry): readonly WaitingRow[] => {
  const entry = entryOf(row);
  return entry === null ? [] : rowsOfKind(entry);
};
