/** A stored file on a record (reference: Time and material entry attachment), and our additions to it (decisions §3.7). */
import { z } from 'zod';
import { id } from './endpoint.ts';

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

/** [ours] a near miss's photo: what lets the app prove that every byte arrived. */
export const nearMissAttachment = attachment.extend({
  sha256: z.string().nullish(),
  size: z.number().int().nullish(),
  upload_uuid: z.string().nullish(),
});
export type NearMissAttachment = z.infer<typeof nearMissAttachment>;
