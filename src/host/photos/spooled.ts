/** What the spool knows of a photo, as its `meta/` file keeps it. */
import { z } from 'zod';
import { photoFacts } from '../../contract/host.ts';
import { md5Hex, sha256Hex } from '../../contract/rest/uploads.ts';

export const spooled = photoFacts.extend({
  /** When its delivery was proven, milliseconds since the epoch by this laptop's clock. */
  delivered_at: z.number().optional(),
  /** What it was made from: goes with it. */
  original: photoFacts.shape.photo_id.optional(),
  /** Of the whole; of large files, and of photos that an older version took in, it is not known. */
  md5: md5Hex.optional(),
  segment_size: z.number().int().positive(),
  segments: z.array(
    z.object({ size: z.number().int().positive(), sha256: sha256Hex, md5: md5Hex }),
  ),
});
/** A photo's facts and the hashes of its segments, as computed at capture. */
export type SpooledPhoto = z.infer<typeof spooled>;
