/** The format of an export, shared by writer and reader: its identifiers and file names. */
import type { PhotoRow } from '../../data/db/db.ts';

export const EXPORT_FORMAT = 'spotter-waiting';
/** The version of the format. A file of a higher version is refused. */
export const EXPORT_VERSION = 1;
export const MANIFEST_NAME = 'spotter.json';

export const DRAFTS_NAME = 'drafts.json';
export const SETTINGS_NAME = 'settings.json';

/** The end of a name. Removes half a surrogate pair at the start, which would become another name in the zip. */
const safeName = (filename: string): string =>
  filename
    .replace(/[^\p{L}\p{N}._ -]/gu, '_')
    .slice(-100)
    .replace(/^[\udc00-\udfff]/, '');
/**
 * Names that a user sees in an export, in the language of the window that wrote it. An import ignores them and follows
 * `path`.
 */
export interface ExportNames {
  readonly waiting: string;
  readonly everything: string;
  /** The file name of an export of the raw database. */
  readonly data: string;
  /** Folder names. */
  readonly photos: string;
  readonly drafts: string;
}
export const pathOf = (folder: string, photo: Pick<PhotoRow, 'photo_id' | 'filename'>): string =>
  `${folder}/${photo.photo_id}-${safeName(photo.filename)}`;
/** The path of a photo's original, beside the photo. An unreadable original is truncated; its size shows it. */
export const originalPath = (photo_path: string, original: { readonly photo_id: string }): string =>
  `${photo_path.slice(0, photo_path.lastIndexOf('/') + 1)}${original.photo_id}-original`;
