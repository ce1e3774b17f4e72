/** Files on time-and-material entries (reference: Time and material entry attachments; decisions §6). */
import { z } from 'zod';
import { entryAttachment } from './attachments.ts';
import { firstAndCreated } from './created-attachments.ts';
import { endpoint, id, pathId } from './protocol/endpoint.ts';
import { idArray } from './protocol/id-list.ts';
import { followQuery, rowsOrDeleted } from './protocol/following.ts';
import { pagingQuery } from './protocol/paging.ts';

/** `documents` and `folders` are ids from the catalog. */
const timeAndMaterialEntryAttachmentCreate = z.object({
  documents: z.array(id).max(1000).nullish(),
  folders: z.array(id).max(1000).nullish(),
  upload_uuids: z.array(z.string()).max(1000).nullish(),
});
export type TimeAndMaterialEntryAttachmentCreate = z.infer<
  typeof timeAndMaterialEntryAttachmentCreate
>;

const tag = 'Time and material entry attachments';
const base = '/rest/v1.0/projects/{project_id}/time_and_material_entry_attachments';
const one = { project_id: pathId, id: pathId };

export const timeAndMaterialEntryAttachmentEndpoints = {
  'time_and_material_entry_attachments.list': endpoint({
    method: 'GET',
    path: base,
    params: { project_id: pathId },
    query: followQuery({}),
    referenceQuery: z.object(pagingQuery),
    reply: rowsOrDeleted(entryAttachment),
    paging: 'link',
    tag,
    summary: 'List the attachments of a project',
  }),
  'time_and_material_entry_attachments.create': endpoint({
    method: 'POST',
    path: base,
    params: { project_id: pathId },
    body: z.object({
      time_and_material_entry_id: id,
      time_and_material_entry_attachment: timeAndMaterialEntryAttachmentCreate,
    }),
    reply: firstAndCreated,
    status: 201,
    tag,
    summary: 'Attach documents, folders of documents and uploads to an entry',
  }),
  'time_and_material_entry_attachments.bulk_destroy': endpoint({
    method: 'DELETE',
    path: `${base}/bulk_destroy`,
    params: { project_id: pathId },
    body: z.object({
      time_and_material_entry_attachment: z.object({
        time_and_material_entry_attachment_ids: idArray,
      }),
    }),
    reply: z.array(entryAttachment),
    tag,
    summary: 'Delete many attachments, or none if one of them is unknown',
  }),
  'time_and_material_entry_attachments.show': endpoint({
    method: 'GET',
    path: `${base}/{id}`,
    params: one,
    reply: entryAttachment,
    tag,
    summary: 'Show an attachment',
  }),
  'time_and_material_entry_attachments.delete': endpoint({
    method: 'DELETE',
    path: `${base}/{id}`,
    params: one,
    reply: entryAttachment,
    tag,
    summary: 'Delete an attachment',
  }),
};
