/** The list of handlers. An endpoint of the contract without one does not compile. */
import { catalogHandlers } from './catalog.ts';
import type { Handlers } from './handler.ts';
import { incidentHandlers } from './incidents.ts';
import { meHandlers } from './me.ts';
import { nearMissAttachmentHandlers } from './near-miss-attachments.ts';
import { nearMissHandlers } from './near-misses.ts';
import { projectUploadHandlers } from './project-uploads.ts';
import { uploadHandlers } from './uploads.ts';

export const handlers: Handlers = {
  ...nearMissHandlers,
  ...nearMissAttachmentHandlers,
  ...incidentHandlers,
  ...catalogHandlers,
  ...meHandlers,
  ...uploadHandlers,
  ...projectUploadHandlers,
};
