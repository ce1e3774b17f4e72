/**
 * Creates or restricts a data folder so that only its owner may use it: mode 0700 on Linux and macOS, a separate access list on
 * Windows, where modes mean nothing.
 * An existing folder that is open to others is restricted if it is ours or empty. If it holds other people's files and they may
 * write in it, it is refused, because they could replace our files. If they may only read, it stays open at this and later
 * starts, and the files we create in it are private.
 */
import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The message is shown to the person who chose the folder. */
export class UnusableFolder extends Error {}

const run = promisify(execFile);

const GROUP_AND_OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
/** Well-known SIDs of the system and the administrators. Their names are translated on localised systems. */
const SYSTEM = '*S-1-5-18';
const ADMINISTRATORS = '*S-1-5-32-544';

/** Arguments for `icacls`: no inheritance; full access for the user, the system and administrators. */
export const accessList = (folder: string, sid: string): string[] => [
  folder,
  '/inheritance:r',
  '/grant:r',
  ...[`*${sid}`, SYSTEM, ADMINISTRATORS].map((who) => `${who}:(OI)(CI)F`),
];

/**
 * Reads the user's SID from `whoami /user /fo csv /nh`: `"host\
 * ame","S-1-5-21-…"`.
 */
export const sidIn = (text: string): string | null => /"(S-1-[0-9-]+)"\s*$/.exec(text)?.[1] ?? null;

const closeOnWindows = async (folder: string): Promise<void> => {
  const { stdout } = await run('whoami', ['/user', '/fo', 'csv', '/nh'], { windowsHide: true });
  const sid = sidIn(stdout);
  if (sid === null) throw new Error('whoami does not tell the SID of this user');
  await run('icacls', accessList(folder, sid), { windowsHide: true });
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Creates the folder if it is missing. @returns true if it was created */
const make = async (folder: string): Promise<boolean> => {
  try {
    return (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined;
  } catch (error) {
    if (['EEXIST', 'ENOTDIR'].includes(codeOf(error)))
      throw new UnusableFolder(`The data folder ${folder} is a file, or lies below one.`);
    throw error;
  }
};

/** File names that identify a program's data folder. */
export interface FolderNames {
  /** A folder with one of these belongs to the program. */
  readonly ours: readonly string[];
  /** Files that may exist before the program's first start. */
  readonly before: readonly string[];
}

/**
 * Marks a folder that was open to others before we used it, so that later starts leave it open although it now holds our files.
 */
const LEFT_OPEN = '.left-open';

const closeByMode = async (folder: string, { ours, before }: FolderNames): Promise<void> => {
  const { mode } = await stat(folder);
  if ((mode & GROUP_AND_OTHERS) === 0) return;
  const names = await readdir(folder);
  const left = names.includes(LEFT_OPEN);
  const isOurs = !left && names.some((name) => ours.includes(name));
  if (isOurs || names.every((name) => before.includes(name))) {
    try {
      return await chmod(folder, 0o700);
    } catch (error) {
      if (codeOf(error) !== 'EPERM') throw error;
    }
  }
  if ((mode & OTHERS_WRITE) !== 0)
    throw new UnusableFolder(
      `Other users of this computer may write in the data folder ${folder}. Choose a folder of your own, or take their right away.`,
    );
  if (!left) await writeFile(join(folder, LEFT_OPEN), '', { mode: 0o600 });
};

/**
 * Creates the data folder, or restricts an existing one. Returns a warning if Windows could not restrict it.
 * @throws {UnusableFolder}
 */
export const openPrivateFolder = async (
  folder: string,
  names: FolderNames,
  platform: NodeJS.Platform = process.platform,
  close: (folder: string) => Promise<void> = closeOnWindows,
): Promise<string | null> => {
  const made = await make(folder);
  if (platform !== 'win32') {
    await closeByMode(folder, names);
    return null;
  }
  const inside = made ? [] : await readdir(folder);
  if (!inside.every((name) => names.before.includes(name))) return null;
  try {
    await close(folder);
    return null;
  } catch {
    return 'Windows did not take an access list for the data folder: who may read it is what its parent folder says.';
  }
};

const CLOUDS = /^(onedrive|dropbox|google drive|googledrive|icloud ?drive|mobile documents)\b/i;

/**
 * Warns about a bad folder for a database; null if there is no known objection. Sync programs hold and replace files at any
 * moment, and locks do not work over a network.
 */
export const placeWarning = (
  folder: string,
  environment: Readonly<Record<string, string | undefined>> = {},
): string | null => {
  const parts = folder.split(/[\\/]/);
  const below = (path: string): string =>
    `${path
      .split(/[\\/]/)
      .filter((part) => part !== '')
      .join('/')}/`.toLowerCase();
  const isBelow = (root: string | undefined): boolean =>
    root !== undefined && root !== '' && below(folder).startsWith(below(root));
  const roots = ['OneDrive', 'OneDriveConsumer', 'OneDriveCommercial'];
  if (roots.some((name) => isBelow(environment[name])) || parts.some((part) => CLOUDS.test(part)))
    return 'The data folder is carried to the cloud by another program, which can damage it. Choose a folder that stays on this computer.';
  // `\\?\C:\…` and `\\.\…` are other spellings of places on this computer.
  if (/^[\\/]{2}[^\\/?.]/.test(folder) || /^[\\/]{2}\?[\\/]UNC[\\/]/i.test(folder))
    return 'The data folder is on a network drive, where it can be damaged. Choose a folder on this computer.';
  return null;
};
