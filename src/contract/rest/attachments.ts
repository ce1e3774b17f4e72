/** A stored file on a record (reference: Time and material entry attachment), and our additions to it (decisions §3.7). */
import { z } from 'zod';
import { answered, answeredAs } from './protocol/answered.ts';
import { id, ours } from './protocol/endpoint.ts';
import { followedAt } from './protocol/following.ts';

export const attachment = z.object({
  id,
  /** Null for a document without a file, which has no addresses either. */
  attachment_id: answered(id.nullable()),
  content_type: answered(z.string()),
  presentation_url: answered(z.string().nullable()),
  url: answered(z.string().nullable()),
  thumbnail_url: answered(z.string().nullable()),
  filename: answered(z.string()),
});
export type Attachment = z.infer<typeof attachment>;

/** A file of a time-and-material entry. [ours] names its entry, so that one entry's files can be listed. */
export const entryAttachment = attachment.extend({
  time_and_material_entry_id: answeredAs(id, id.nullish().meta(ours)),
  updated_at: followedAt,
});
export type EntryAttachment = z.infer<typeof entryAttachment>;

/** [ours] A near miss's photo, with the fields that let the app prove that every byte arrived. */
export const nearMissAttachment = attachment.extend({
  attachment_id: answered(id),
  presentation_url: answered(z.string()),
  url: answered(z.string()),
  sha256: answered(z.string()),
  size: answered(z.number().int()),
  upload_uuid: answered(z.string()),
});
export type NearMissAttachment = z.infer<typeof nearMissAttachment>;
