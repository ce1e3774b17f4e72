/** How each kind is sent: a kind without its operation does not compile. One file a record; a new kind is an operation there and a line here. */
import type { EntryOf, Kind } from '../../entries/entry.ts';
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
import { type Run, runnable } from './operation.ts';
import { photoRemoveOperation, photoSendOperation } from './photo.ts';
import {
  hookCreateOperation,
  hookDeleteOperation,
  hookUpdateOperation,
  triggerCreateOperation,
  triggerDeleteOperation,
} from './company/webhook.ts';

const operations: { readonly [K in Kind]: Run<K> } = {
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
  context: Parameters<Run<K>>[1],
): ReturnType<Run<K>> => operations[entry.kind](entry, context);
