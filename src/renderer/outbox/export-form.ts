/** The form of an export, for those who write one and those who read one: what it is called inside, and where its files are. */
import type { PhotoRow } from '../data/db.ts';

export const EXPORT_FORMAT = 'spotter-waiting';
/**
 * 2: with files of time-and-material entries. 3: with insurances, members and webhooks. Written as the lowest that holds what
 * is in it, for an older Spotter to read.
 */
export const EXPORT_VERSION = 3;
export const MANIFEST_NAME = 'spotter.json';

export const DRAFTS_NAME = 'drafts.json';
export const SETTINGS_NAME = 'settings.json';

/** The end of a name. Half of a letter that takes two code units would be another name in the zip. */
const safeName = (filename: string): string =>
  filename
    .replace(/[^\p{L}\p{N}._ -]/gu, '_')
    .slice(-100)
    .replace(/^[\udc00-\udfff]/, '');
/** What a user sees of an export, in the language of the window that made it. An import knows none of these names: it follows `path`. */
export interface ExportNames {
  readonly waiting: string;
  readonly everything: string;
  /** Of a database as it is. */
  readonly data: string;
  /** Folders. */
  readonly photos: string;
  readonly drafts: string;
}
export const pathOf = (folder: string, photo: Pick<PhotoRow, 'photo_id' | 'filename'>): string =>
  `${folder}/${photo.photo_id}-${safeName(photo.filename)}`;
/** What a photo was made from, beside the photo. Cut short where it could not be read whole: its size tells. */
export const originalPath = (photo_path: string, original: { readonly photo_id: string }): string =>
  `${photo_path.slice(0, photo_path.lastIndexOf('/') + 1)}${original.photo_id}-original`;
