/**
 * Converts a photo between its portable form (queue operation, journal, export) and its database row. Pure. One schema
 * (operations/carried-photo.ts) and one conversion each way prevent data loss: intake, rebuild, import and the journal
 * of drafts all create rows here.
 */
import type { CarriedPhoto } from '../../operations/carried-photo.ts';
import type { PhotoRow } from '../db/db.ts';

type Named = Pick<PhotoRow, 'photo_id' | 'original'>;

/** The stable id of a photo: drawing on it or resizing it changes its `photo_id`, but not this. */
export const rootOf = ({ photo_id, original }: Named): string => original?.photo_id ?? photo_id;

/** The original file name: a rendition converted to JPEG has `.jpg` appended. */
export const plainName = (filename: string): string =>
  filename.replace(/(\.(?:png|webp|heic|heif|avif|bmp))\.jpg$/i, '$1');

/** Sorts photos in the order of adding. */
export const asAdded = <T extends Named>(photos: readonly T[]): T[] =>
  photos.toSorted((a, b) => (rootOf(a) < rootOf(b) ? -1 : rootOf(a) > rootOf(b) ? 1 : 0));

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

/** The row of a pending photo or of a draft's photo. Its thumbnail is generated on demand. */
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
