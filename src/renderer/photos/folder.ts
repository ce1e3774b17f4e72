/**
 * Pictures and videos in a folder that a person lets Spotter look into: a camera's card, what a phone syncs. It is only ever read; nothing
 * is moved, renamed or deleted.
 */

export interface FolderPicture {
  /** The same file as before, unchanged: its path, size and time. */
  readonly key: string;
  readonly file: File;
}

/** By their names alone: what a file really is tells the intake. */
const MEDIA = /\.(?:jpe?g|png|webp|hei[cf]|mp4|mov)$/i;
/** Cards have DCIM/100CANON, phones a folder for each month. */
const DEPTH = 4;
/** Names looked at; a folder with more is an archive. */
const LOOKED_AT = 5_000;
/** As many as a person goes through. */
const OFFERED = 200;

type Entry = readonly [string, FileSystemDirectoryHandle | FileSystemFileHandle];

const walk = async function* (
  folder: FileSystemDirectoryHandle,
  path: string,
  depth: number,
): AsyncGenerator<readonly [string, FileSystemFileHandle]> {
  const folders: Entry[] = [];
  for await (const [name, handle] of folder.entries()) {
    // Thumbnails of other programs, and what they threw away.
    if (name.startsWith('.')) continue;
    if (handle.kind === 'directory') folders.push([`${path}${name}/`, handle]);
    else if (MEDIA.test(name)) yield [`${path}${name}`, handle];
  }
  if (depth >= DEPTH) return;
  for (const [inner, handle] of folders)
    if (handle.kind === 'directory') yield* walk(handle, inner, depth + 1);
};

/**
 * The newest first. Rejects where the folder itself cannot be read (the card is out); a file that is gone meanwhile is left out.
 * @param since milliseconds: older files are not new
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
  /** Of the first and the last, milliseconds. */
  readonly from: number;
  readonly to: number;
  /** In the order in which they were taken. */
  readonly pictures: readonly FolderPicture[];
}

/** Nobody photographs one thing with a rest as long as this. */
const REST = 15 * 60_000;

/** What was taken together, the newest group first. @param pictures the newest first */
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
