/** All handlers. An endpoint of the contract without a handler does not compile. */
import { accessHandlers } from './access/access.ts';
import { catalogHandlers } from './catalog.ts';
import { companyHandlers } from './companies.ts';
import { companyRecordHandlers } from './company-records.ts';
import { evidenceHandlers } from './evidence/evidence.ts';
import type { Handlers } from './handler.ts';
import { incidentHandlers } from './incidents.ts';
import { insuranceHandlers } from './insurances.ts';
import { mailHandlers } from './mail.ts';
import { nearMissAttachmentHandlers } from './near-miss-attachments.ts';
import { nearMissHandlers } from './near-misses.ts';
import { signInHandlers } from './access/sign-in.ts';
import { serviceAccountHandlers } from './access/service-accounts.ts';
import { planHandlers } from './plans/plans.ts';
import { projectMembershipHandlers } from './project-memberships.ts';
import { projectUploadHandlers } from './project-uploads.ts';
import { erasureHandlers } from './retention/erasures.ts';
import { personCopyHandlers } from './retention/person-copies.ts';
import { retentionHandlers } from './retention/retention.ts';
import { timeAndMaterialEntryAttachmentHandlers } from './time-and-material-entry-attachments.ts';
import { uploadHandlers } from './uploads.ts';
import { webhookSigningSecretHandlers } from './webhook-signing-secrets.ts';
import { webhookHandlers } from './webhooks.ts';
import { workplaceHandlers } from './workplaces.ts';

export const handlers: Handlers = {
  ...nearMissHandlers,
  ...nearMissAttachmentHandlers,
  ...evidenceHandlers,
  ...retentionHandlers,
  ...erasureHandlers,
  ...personCopyHandlers,
  ...incidentHandlers,
  ...catalogHandlers,
  ...companyHandlers,
  ...companyRecordHandlers,
  ...insuranceHandlers,
  ...timeAndMaterialEntryAttachmentHandlers,
  ...projectMembershipHandlers,
  ...planHandlers,
  ...workplaceHandlers,
  ...accessHandlers,
  ...signInHandlers,
  ...serviceAccountHandlers,
  ...mailHandlers,
  ...uploadHandlers,
  ...projectUploadHandlers,
  ...webhookHandlers,
  ...webhookSigningSecretHandlers,
};
