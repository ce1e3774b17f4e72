/** The browser side of photo-files.ts: files made, tagged and read in Node, as File objects. */
import { commands } from 'vitest/browser';
import type { Picture } from './photo-files.ts';

interface PhotoCommands {
  readonly photoMake: (wanted: Picture) => Promise<string>;
  readonly photoFixture: (name: string) => Promise<string>;
  readonly photoTag: (
    base64: string,
    extension: string,
    kind: 'picture' | 'video',
  ) => Promise<string>;
  readonly photoTags: (
    base64: string,
    extension: string,
  ) => Promise<Readonly<Record<string, unknown>>>;
  readonly photoJudge: () => Promise<boolean>;
}
const node = commands as unknown as PhotoCommands;

const fileOf = (base64: string, name: string): File =>
  new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name);

const base64Of = async (file: Blob): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
};

const endings = {
  jpeg: 'jpg',
  png: 'png',
  webp: 'webp',
  avif: 'avif',
  tiff: 'tif',
  gif: 'gif',
} as const;

export const make = async (wanted: Picture): Promise<File> =>
  fileOf(await node.photoMake(wanted), `made.${endings[wanted.format]}`);

export const fromFixture = async (name: string): Promise<File> =>
  fileOf(await node.photoFixture(name), name);

const endingOf = (file: File): string => file.name.split('.').pop() ?? '';

/** Chooses files in the form's picker, as the system's dialog would. */
export const choosePhotos = (files: readonly File[]): void => {
  const chosen = new DataTransfer();
  for (const file of files) chosen.items.add(file);
  const picker = document.querySelector<HTMLInputElement>('section.photos input[type=file]');
  if (picker === null) throw new Error('no picker');
  picker.files = chosen.files;
  picker.dispatchEvent(new Event('change', { bubbles: true }));
};

/** The file with all personal tags that exiftool can write. */
export const withPersonalTags = async (file: File): Promise<File> =>
  fileOf(
    await node.photoTag(
      await base64Of(file),
      endingOf(file),
      /mp4|mov/.test(file.name) ? 'video' : 'picture',
    ),
    file.name,
  );

/** All tags that exiftool reads, keyed `Group:Tag`. */
export const tagsOf = async (
  file: Blob,
  extension: string,
): Promise<Readonly<Record<string, unknown>>> => node.photoTags(await base64Of(file), extension);

/** Whether exiftool is installed. `npm test` installs it where it may. */
export const exiftoolIsHere = await node.photoJudge();
if (!exiftoolIsHere)
  console.warn(
    'exiftool is not on this machine: its tests are skipped. sudo apt-get install libimage-exiftool-perl',
  );
