/** A photo as it is carried: in its queued entry, in the journal, in an export. One schema for all, so that no fact is lost. */
import { z } from 'zod';
import { photoFacts } from '../../contract/host.ts';
import type { Edits } from '../photos/markup/model.ts';

export const carriedPhoto = photoFacts.extend({
  taken_at: z
    .object({ local: z.string(), offset: z.string().nullable(), at: z.number().nullable() })
    .nullable(),
  gps: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
  orientation: z.number().int().nullable(),
  direction: z.number().nullable().optional(),
  cleaned: z.boolean().optional(),
  /** What it was made from: named here, so that the journal keeps it in the spool as long as this waits. */
  original: photoFacts.pick({ photo_id: true, size: true, sha256: true }).optional(),
  /** What was drawn on it, as the row has it: lost with the database, a second markup would begin without the blur. */
  edits: z.custom<Edits>((value) => typeof value === 'object' && value !== null).optional(),
});
export type CarriedPhoto = z.infer<typeof carriedPhoto>;
