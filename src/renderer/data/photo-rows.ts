/**
 * Pure: a photo as it is carried (in its queued entry, the journal, an export) and as the database's row. One schema, one way
 * out and one way back, so that no fact is lost on any of them: rebuild, import and export all go through here.
 */
import { z } from 'zod';
import { photoFacts } from '../../contract/host.ts';
import type { Edits } from '../photos/markup/model.ts';
import type { PhotoRow } from './db.ts';

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

export const carriedPhotoOf = (photo: PhotoRow): CarriedPhoto => ({
  photo_id: photo.photo_id,
  filename: photo.filename,
  size: photo.size,
  sha256: photo.sha256,
  content_type: photo.content_type,
  taken_at: photo.taken_at,
  gps: photo.gps,
  orientation: photo.orientation,
  ...(photo.direction === undefined ? {} : { direction: photo.direction }),
  ...(photo.cleaned === undefined ? {} : { cleaned: photo.cleaned }),
  ...(photo.original === undefined ? {} : { original: photo.original }),
  ...(photo.edits === undefined ? {} : { edits: photo.edits }),
});

/** Its row: of a record that waits, or of a draft. The small picture is made anew when it is wanted. */
export const photoRowOf = (
  photo: CarriedPhoto,
  owner: Pick<PhotoRow, 'account' | 'near_miss_key' | 'draft_id' | 'created_at'>,
): PhotoRow => ({
  ...photo,
  account: owner.account,
  near_miss_key: owner.near_miss_key,
  draft_id: owner.draft_id,
  thumbnail: null,
  state: owner.draft_id === null ? 'waiting' : 'draft',
  upload_uuid: null,
  attachment_id: null,
  receipt: null,
  problem: null,
  created_at: owner.created_at,
});
