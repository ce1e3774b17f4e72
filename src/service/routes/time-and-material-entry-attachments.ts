/** Files on time-and-material entries (reference: Time and material entry attachments; decisions §6). */
import type { EndpointName } from '../../contract/rest/index.ts';
import * as rules from '../domain/time-and-material-entry-attachments.ts';
import { filesContext } from './context.ts';
import type { HandlersOf } from './handler.ts';
import { afterArrivals } from './uploads.ts';

type AttachmentEndpoint = Extract<EndpointName, `time_and_material_entry_attachments.${string}`>;

export const timeAndMaterialEntryAttachmentHandlers: HandlersOf<AttachmentEndpoint> = {
  'time_and_material_entry_attachments.list': (call) =>
    rules.listAttachments(filesContext(call), call.query),
  'time_and_material_entry_attachments.create': afterArrivals(
    (call) => call.body.time_and_material_entry_attachment.upload_uuids,
    async (call) => ({
      data: await rules.createAttachments(
        filesContext(call),
        call.body.time_and_material_entry_id,
        call.body.time_and_material_entry_attachment,
      ),
    }),
  ),
  'time_and_material_entry_attachments.bulk_destroy': async (call) => ({
    data: await rules.deleteAttachments(
      filesContext(call),
      call.body.time_and_material_entry_attachment.time_and_material_entry_attachment_ids,
    ),
  }),
  'time_and_material_entry_attachments.show': (call) =>
    rules.showAttachment(filesContext(call), call.params.id),
  'time_and_material_entry_attachments.delete': async (call) => ({
    data: await rules.deleteAttachment(filesContext(call), call.params.id, call.if_match),
  }),
};
