/** A stored file on a record (reference: Time and material entry attachment), and our additions to it (decisions §3.7). */
import { z } from 'zod';
import { id, ours } from './endpoint.ts';

export const attachment = z.object({
  id,
  attachment_id: id.nullish(),
  content_type: z.string().nullish(),
  presentation_url: z.string().nullish(),
  url: z.string().nullish(),
  thumbnail_url: z.string().nullish(),
  filename: z.string().nullish(),
});
export type Attachment = z.infer<typeof attachment>;

/** A file of a time-and-material entry. [ours] it tells which entry's, so that the files of one entry can be listed. */
export const entryAttachment = attachment.extend({
  time_and_material_entry_id: id.nullish().meta(ours),
});
export type EntryAttachment = z.infer<typeof entryAttachment>;

/** [ours] a near miss's photo: what lets the app prove that every byte arrived. */
export const nearMissAttachment = attachment.extend({
  sha256: z.string().nullish(),
  size: z.number().int().nullish(),
  upload_uuid: z.string().nullish(),
});
export type NearMissAttachment = z.infer<typeof nearMissAttachment>;
