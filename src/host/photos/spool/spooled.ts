/** The metadata of a spooled photo, as stored in its `meta/` file. */
import { z } from 'zod';
import { photoFacts } from '../../../contract/host.ts';
import { md5Hex, sha256Hex } from '../../../contract/rest/uploads.ts';

export const spooled = photoFacts.extend({
  /** When its delivery was verified, in milliseconds since the epoch by this laptop's clock. */
  delivered_at: z.number().optional(),
  /** The original that it was edited from; both are deleted together. */
  original: photoFacts.shape.photo_id.optional(),
  /** MD5 of the whole file; not computed for large files. */
  md5: md5Hex.optional(),
  segment_size: z.number().int().positive(),
  segments: z.array(
    z.object({ size: z.number().int().positive(), sha256: sha256Hex, md5: md5Hex }),
  ),
});
/** A photo's metadata with the hashes of its segments, computed at capture. */
export type SpooledPhoto = z.infer<typeof spooled>;
