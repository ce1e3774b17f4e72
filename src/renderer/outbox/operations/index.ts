/** The closed list of operations. A new one is a file beside this and a line here. */
import { hookCreateOperation } from './webhook-create.ts';
import { hookDeleteOperation } from './webhook-delete.ts';
import { hookUpdateOperation } from './webhook-update.ts';
import { incidentCreateOperation } from './incident-create.ts';
import { insuranceCreateOperation } from './insurance-create.ts';
import { insuranceDeleteOperation } from './insurance-delete.ts';
import { insuranceSyncOperation } from './insurance-sync.ts';
import { insuranceUpdateOperation } from './insurance-update.ts';
import { membershipBulkAddOperation } from './membership-bulk-add.ts';
import { membershipBulkRemoveOperation } from './membership-bulk-remove.ts';
import { membershipCreateOperation } from './membership-create.ts';
import { membershipDeleteOperation } from './membership-delete.ts';
import { nearMissCreateOpenedOperation, nearMissCreateOperation } from './near-miss-create.ts';
import { nearMissDeleteOperation } from './near-miss-delete.ts';
import { nearMissRestoreOperation } from './near-miss-restore.ts';
import { nearMissUpdateOperation } from './near-miss-update.ts';
import { runnable, type RunnableOperation } from './operation.ts';
import { photoRemoveOperation } from './photo-remove.ts';
import { photoSendOperation } from './photo-send.ts';
import { tmAttachmentBulkDeleteOperation } from './tm-attachment-bulk-delete.ts';
import { tmAttachmentCreateOperation } from './tm-attachment-create.ts';
import { tmAttachmentDeleteOperation } from './tm-attachment-delete.ts';
import { triggerCreateOperation } from './webhook-trigger-create.ts';
import { triggerDeleteOperation } from './webhook-trigger-delete.ts';

export const operations: readonly RunnableOperation[] = [
  runnable(incidentCreateOperation),
  runnable(nearMissCreateOperation),
  runnable(nearMissCreateOpenedOperation),
  runnable(nearMissUpdateOperation),
  runnable(nearMissDeleteOperation),
  runnable(nearMissRestoreOperation),
  runnable(photoSendOperation),
  runnable(photoRemoveOperation),
  runnable(tmAttachmentCreateOperation),
  runnable(tmAttachmentDeleteOperation),
  runnable(tmAttachmentBulkDeleteOperation),
  runnable(insuranceCreateOperation),
  runnable(insuranceUpdateOperation),
  runnable(insuranceDeleteOperation),
  runnable(insuranceSyncOperation),
  runnable(membershipCreateOperation),
  runnable(membershipDeleteOperation),
  runnable(membershipBulkAddOperation),
  runnable(membershipBulkRemoveOperation),
  runnable(hookCreateOperation),
  runnable(hookUpdateOperation),
  runnable(hookDeleteOperation),
  runnable(triggerCreateOperation),
  runnable(triggerDeleteOperation),
];

/** Does a parked entry of this kind hold its lane? What is unknown is quarantined, so it holds nothing. */
export const blocks = (kind: string): boolean =>
  operations.some((operation) => operation.kind === kind && operation.blocks);

/** The operation for an entry, null for a kind or version of another Spotter. */
export const operationOf = (entry: { readonly kind: string; readonly version: number }) =>
  operations.find(({ kind, version }) => kind === entry.kind && version === entry.version) ?? null;
