/**
 * Finds pictures and videos in a folder that a person opened for Spotter, such as a camera's card or a phone's sync
 * folder. The folder is only read; nothing is moved, renamed or deleted.
 */

export interface FolderPicture {
  /** Identifies an unchanged file by its path, size and time. */
  readonly key: string;
  readonly file: File;
}

/** By name only; the intake determines the real type. */
const MEDIA = /\.(?:jpe?g|png|webp|hei[cf]|avif|tiff?|bmp|gif|mp4|mov)$/i;
/** Cards have DCIM/100CANON, phones a folder per month. */
const DEPTH = 4;
/** The most names examined; a larger folder is an archive. */
const LOOKED_AT = 5_000;
/** The most pictures offered: as many as a person reviews. */
const OFFERED = 200;

type Entry = readonly [string, FileSystemDirectoryHandle | FileSystemFileHandle];

const walk = async function* (
  folder: FileSystemDirectoryHandle,
  path: string,
  depth: number,
): AsyncGenerator<readonly [string, FileSystemFileHandle]> {
  const folders: Entry[] = [];
  for await (const [name, handle] of folder.entries()) {
    // Skips other programs' thumbnails and trash.
    if (name.startsWith('.')) continue;
    if (handle.kind === 'directory') folders.push([`${path}${name}/`, handle]);
    else if (MEDIA.test(name)) yield [`${path}${name}`, handle];
  }
  if (depth >= DEPTH) return;
  for (const [inner, handle] of folders)
    if (handle.kind === 'directory') yield* walk(handle, inner, depth + 1);
};

/**
 * Pictures, newest first. Rejects if the folder cannot be read (the card was removed); a file that vanished meanwhile
 * is skipped.
 * @param since milliseconds; older files are ignored
 */
export const picturesIn = async (
  folder: FileSystemDirectoryHandle,
  since: number,
  seen: ReadonlySet<string>,
): Promise<readonly FolderPicture[]> => {
  const found: FolderPicture[] = [];
  let names = 0;
  for await (const [path, handle] of walk(folder, '', 1)) {
    names += 1;
    if (names > LOOKED_AT) break;
    const file = await handle.getFile().catch(() => null);
    if (file === null || file.size === 0 || file.lastModified < since) continue;
    const key = `${path}|${file.size}|${file.lastModified}`;
    if (!seen.has(key)) found.push({ key, file });
  }
  return found
    .sort((a, b) => b.file.lastModified - a.file.lastModified || a.key.localeCompare(b.key))
    .slice(0, OFFERED);
};

export interface PictureGroup {
  /** Times of the first and the last picture, in milliseconds. */
  readonly from: number;
  readonly to: number;
  /** In the order in which they were taken. */
  readonly pictures: readonly FolderPicture[];
}

/** A longer pause starts a new group. */
const REST = 15 * 60_000;

/** Groups pictures taken together, newest group first. @param pictures newest first */
export const groupsByTime = (pictures: readonly FolderPicture[]): readonly PictureGroup[] => {
  const groups: FolderPicture[][] = [];
  for (const picture of pictures) {
    const group = groups.at(-1);
    const next = group?.at(-1);
    if (group && next && next.file.lastModified - picture.file.lastModified <= REST)
      group.push(picture);
    else groups.push([picture]);
  }
  return groups.map((group) => {
    const pictures_in_order = group.toReversed();
    return {
      from: pictures_in_order[0]?.file.lastModified ?? 0,
      to: pictures_in_order.at(-1)?.file.lastModified ?? 0,
      pictures: pictures_in_order,
    };
  });
};
