/**
 * Pure: a photo as it is carried (in its queued entry, the journal, an export) and as the database's row. One schema (entries/carried-photo.ts), one way
 * out and one way back, so that no fact is lost on any of them: intake, rebuild, import and the journal of drafts make rows here.
 */
import type { CarriedPhoto } from '../entries/carried-photo.ts';
import type { PhotoRow } from './db.ts';

type Named = Pick<PhotoRow, 'photo_id' | 'original'>;

/** The same for a photo whatever is made of it: what is drawn on it, or its size, gives it another `photo_id`. */
export const rootOf = ({ photo_id, original }: Named): string => original?.photo_id ?? photo_id;

/** A rendition that became a JPEG says so in its name; this is the original's. */
export const plainName = (filename: string): string =>
  filename.replace(/(\.(?:png|webp|heic|heif))\.jpg$/i, '$1');

/** In the order they were added. */
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

/** A photo's row: of a record that waits, or of a draft. The small picture is made anew when it is wanted. */
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
