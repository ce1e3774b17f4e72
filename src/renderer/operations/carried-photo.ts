/**
 * The portable form of a photo, shared by queued operation, journal and export. One schema for all, so that no field is
 * lost.
 */
import { z } from 'zod';
import { photoFacts } from '../../contract/host.ts';
import type { Edits } from '../photos/markup/model.ts';

export const carriedPhoto = photoFacts.extend({
  taken_at: z
    .object({
      local: z.string(),
      offset: z.string().nullable(),
      at: z.number().nullable(),
      other_at: z.number().optional(),
    })
    .nullable(),
  gps: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
  orientation: z.number().int().nullable(),
  direction: z.number().nullable().optional(),
  cleaned: z.boolean().optional(),
  /**
   * The original of an edited photo. Named here so that the journal keeps it in the spool while this operation is queued.
   */
  original: photoFacts.pick({ photo_id: true, size: true, sha256: true }).optional(),
  /** The markup, as in the row. If it were lost with the database, a second markup would start without the blur. */
  edits: z.custom<Edits>((value) => typeof value === 'object' && value !== null).optional(),
});
export type CarriedPhoto = z.infer<typeof carriedPhoto>;
