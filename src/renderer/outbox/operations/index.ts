/** How each kind is sent: a kind without its operation does not compile. A new one is a file beside this and a line here. */
import type { EntryOf, Kind } from '../../entries/entry.ts';
import {
  companyRecordCreateOperation,
  companyRecordImportOperation,
  companyRecordUpdateOperation,
} from './company-record.ts';
import { incidentCreateOperation } from './incident-create.ts';
import { insuranceCreateOperation } from './insurance-create.ts';
import { insuranceDeleteOperation } from './insurance-delete.ts';
import { insuranceSyncOperation } from './insurance-sync.ts';
import { insuranceUpdateOperation } from './insurance-update.ts';
import { membershipBulkAddOperation } from './membership-bulk-add.ts';
import { membershipBulkRemoveOperation } from './membership-bulk-remove.ts';
import { membershipCreateOperation } from './membership-create.ts';
import { membershipDeleteOperation } from './membership-delete.ts';
import { nearMissCreateOperation } from './near-miss-create.ts';
import { nearMissDeleteOperation } from './near-miss-delete.ts';
import { nearMissRestoreOperation } from './near-miss-restore.ts';
import { nearMissUpdateOperation } from './near-miss-update.ts';
import { type Run, runnable } from './operation.ts';
import { photoRemoveOperation } from './photo-remove.ts';
import { photoSendOperation } from './photo-send.ts';
import { tmAttachmentBulkDeleteOperation } from './tm-attachment-bulk-delete.ts';
import { tmAttachmentCreateOperation } from './tm-attachment-create.ts';
import { tmAttachmentDeleteOperation } from './tm-attachment-delete.ts';
import { hookCreateOperation } from './webhook-create.ts';
import { hookDeleteOperation } from './webhook-delete.ts';
import { triggerCreateOperation } from './webhook-trigger-create.ts';
import { triggerDeleteOperation } from './webhook-trigger-delete.ts';
import { hookUpdateOperation } from './webhook-update.ts';

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
