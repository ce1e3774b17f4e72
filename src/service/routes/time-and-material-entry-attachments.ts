/** Files on time-and-material entries (reference: Time and material entry attachments; decisions §6). */
import type { EndpointName } from '../../contract/rest/index.ts';
import * as rules from '../domain/time-and-material-entry-attachments.ts';
import type { Call, HandlersOf } from './handler.ts';
import { afterArrivals } from './uploads.ts';

type AttachmentEndpoint = Extract<EndpointName, `time_and_material_entry_attachments.${string}`>;

const contextOf = (call: Call<AttachmentEndpoint>): rules.Context => ({
  db: call.db,
  company_id: call.company_id,
  project_id: call.params.project_id,
  user_id: call.user.id,
  now: call.now,
  base_url: call.base_url,
  uploads: call.app.uploads,
});

export const timeAndMaterialEntryAttachmentHandlers: HandlersOf<AttachmentEndpoint> = {
  'time_and_material_entry_attachments.list': (call) =>
    rules.listAttachments(contextOf(call), call.query),
  'time_and_material_entry_attachments.create': afterArrivals(
    (call) => call.body.time_and_material_entry_attachment.upload_uuids,
    async (call) => ({
      data: await rules.createAttachments(
        contextOf(call),
        call.body.time_and_material_entry_id,
        call.body.time_and_material_entry_attachment,
      ),
    }),
  ),
  'time_and_material_entry_attachments.bulk_destroy': async (call) => ({
    data: await rules.deleteAttachments(
      contextOf(call),
      call.body.time_and_material_entry_attachment.time_and_material_entry_attachment_ids,
    ),
  }),
  'time_and_material_entry_attachments.show': (call) =>
    rules.showAttachment(contextOf(call), call.params.id),
  'time_and_material_entry_attachments.delete': async (call) => ({
    data: await rules.deleteAttachment(contextOf(call), call.params.id, call.if_match),
  }),
};
