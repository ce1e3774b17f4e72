/** The list of handlers. An endpoint of the contract without one does not compile. */
import { catalogHandlers } from './catalog.ts';
import { companyHandlers } from './companies.ts';
import { companyRecordHandlers } from './company-records.ts';
import type { Handlers } from './handler.ts';
import { incidentHandlers } from './incidents.ts';
import { insuranceHandlers } from './insurances.ts';
import { meHandlers } from './me.ts';
import { nearMissAttachmentHandlers } from './near-miss-attachments.ts';
import { nearMissHandlers } from './near-misses.ts';
import { projectMembershipHandlers } from './project-memberships.ts';
import { projectUploadHandlers } from './project-uploads.ts';
import { timeAndMaterialEntryAttachmentHandlers } from './time-and-material-entry-attachments.ts';
import { uploadHandlers } from './uploads.ts';
import { webhookSigningSecretHandlers } from './webhook-signing-secrets.ts';
import { webhookHandlers } from './webhooks.ts';

export const handlers: Handlers = {
  ...nearMissHandlers,
  ...nearMissAttachmentHandlers,
  ...incidentHandlers,
  ...catalogHandlers,
  ...companyHandlers,
  ...companyRecordHandlers,
  ...insuranceHandlers,
  ...timeAndMaterialEntryAttachmentHandlers,
  ...projectMembershipHandlers,
  ...meHandlers,
  ...uploadHandlers,
  ...projectUploadHandlers,
  ...webhookHandlers,
  ...webhookSigningSecretHandlers,
};
