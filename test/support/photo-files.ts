/**
 * Photos and videos as cameras write them, for tests in a browser. Node makes them with a real encoder (sharp) or reads
 * fixtures. exiftool tags and reads them: it shares no code with the app, so it is an independent oracle for what a file still
 * contains.
 */
import { execFile } from 'node:child_process';
import { Buffer } from 'node:buffer';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import type { BrowserCommand } from 'vitest/node';
import { tempDir } from './service.ts';

const run = promisify(execFile);

/** Personal data, in every place exiftool can write it to. */
export const personalTags: readonly string[] = [
  '-GPSLatitude=52.52',
  '-GPSLatitudeRef=N',
  '-GPSLongitude=13.405',
  '-GPSLongitudeRef=E',
  '-GPSImgDirection=123.5',
  '-GPSImgDirectionRef=T',
  '-EXIF:DateTimeOriginal=2026:03:04 05:06:07',
  '-EXIF:OffsetTimeOriginal=+02:00',
  '-EXIF:Make=Canon',
  '-EXIF:Model=EOS R5',
  '-EXIF:Orientation#=6',
  '-EXIF:ISO=200',
  '-EXIF:SerialNumber=SN-SECRET-1',
  '-EXIF:LensSerialNumber=SN-SECRET-2',
  '-EXIF:OwnerName=Owner Secret',
  '-EXIF:Artist=Artist Secret',
  '-EXIF:XPAuthor=XP Secret',
  '-EXIF:Copyright=Copyright Secret',
  '-EXIF:UserComment=Comment Secret',
  '-EXIF:ImageDescription=Description Secret',
  '-EXIF:HostComputer=Computer Secret',
  '-XMP-dc:Creator=Creator Secret',
  '-XMP-iptcExt:PersonInImage=Person Secret',
  '-XMP-photoshop:City=City Secret',
  '-XMP-aux:SerialNumber=SN-SECRET-3',
  '-IPTC:By-line=Byline Secret',
  '-IPTC:City=IptcCity Secret',
  '-Comment=Remark Secret',
];

/** The same for videos: Apple's keys, the older user data, XMP. */
export const personalVideoTags: readonly string[] = [
  '-Keys:GPSCoordinates=52.52, 13.405, 34',
  '-UserData:GPSCoordinates=52.52, 13.405, 34',
  '-Keys:CreationDate=2026:03:04 07:06:07+02:00',
  '-Keys:Author=Author Secret',
  '-ItemList:Artist=Artist Secret',
  '-ItemList:Comment=Comment Secret',
  '-UserData:Author=UserAuthor Secret',
  '-XMP-iptcExt:PersonInImage=Person Secret',
];

export const hasExiftool = async (): Promise<boolean> =>
  run('exiftool', ['-ver']).then(
    () => true,
    () => false,
  );

const withFile = async <T>(
  bytes: Uint8Array,
  extension: string,
  use: (path: string) => Promise<T>,
): Promise<T> => {
  const folder = tempDir('photo');
  try {
    const path = join(folder.path, `photo.${extension}`);
    await writeFile(path, bytes);
    return await use(path);
  } finally {
    folder.remove();
  }
};

export const tagged = (
  bytes: Uint8Array,
  extension: string,
  tags: readonly string[],
): Promise<Buffer> =>
  withFile(bytes, extension, async (path) => {
    await run('exiftool', ['-q', '-m', '-overwrite_original', ...tags, path]);
    return readFile(path);
  });

/** Everything exiftool finds, including samples and unknown tags: `-all -G1`, keyed `Group:Tag`. */
export const tagsOf = (
  bytes: Uint8Array,
  extension: string,
): Promise<Readonly<Record<string, unknown>>> =>
  withFile(bytes, extension, async (path) => {
    const args = ['-j', '-a', '-u', '-ee3', '-G1', '-n', '-all', path];
    const { stdout } = await run('exiftool', args, { maxBuffer: 64 * 1024 * 1024 });
    const [tags] = JSON.parse(stdout) as Record<string, unknown>[];
    return Object.fromEntries(
      Object.entries(tags ?? {}).filter(
        ([name]) => !/^(SourceFile|System:|ExifTool:Exif)/.test(name),
      ),
    );
  });

export interface Picture {
  readonly format: 'jpeg' | 'png' | 'webp' | 'avif' | 'tiff' | 'gif';
  readonly width: number;
  readonly height: number;
  /** Adds a colour profile (Display P3). */
  readonly profile?: boolean;
  readonly progressive?: boolean;
  /** For JPEG; 90 by default. */
  readonly quality?: number;
  /** Fills it with noise, so that the file is as large as a camera's. */
  readonly noise?: boolean;
}

/** A picture made by sharp, red above blue. */
export const picture = async (wanted: Picture): Promise<Buffer> => {
  const { format, width, height } = wanted;
  const channels = 3;
  const red = { create: { width, height, channels, background: '#e02020' } } as const;
  const half = Math.floor(height / 2);
  const blue = { create: { width, height: half, channels, background: '#2020e0' } } as const;
  const base = wanted.noise
    ? sharp({
        create: {
          width,
          height,
          channels,
          background: '#808080',
          noise: { type: 'gaussian', mean: 128, sigma: 40 },
        },
      })
    : sharp(red).composite([{ input: await sharp(blue).png().toBuffer(), gravity: 'south' }]);
  const coloured = wanted.profile ? base.withIccProfile('p3') : base;
  if (format === 'png') return coloured.png().toBuffer();
  if (format === 'webp') return coloured.webp().toBuffer();
  if (format === 'avif') return coloured.avif({ effort: 0 }).toBuffer();
  if (format === 'tiff') return coloured.tiff({ compression: 'lzw' }).toBuffer();
  if (format === 'gif') return coloured.gif().toBuffer();
  return coloured
    .jpeg({ quality: wanted.quality ?? 90, progressive: wanted.progressive ?? false })
    .toBuffer();
};

export const fixture = (name: string): Promise<Buffer> =>
  readFile(join(import.meta.dirname, '../fixtures', name));

/** Bytes cross as base64, because vitest's channel to the browser is JSON. */
const photoMake: BrowserCommand<[Picture]> = async (_context, wanted) =>
  (await picture(wanted)).toString('base64');
const photoFixture: BrowserCommand<[string]> = async (_context, name) =>
  (await fixture(name)).toString('base64');
const photoTag: BrowserCommand<[string, string, 'picture' | 'video']> = async (
  _context,
  base64,
  extension,
  kind,
) =>
  (
    await tagged(
      Buffer.from(base64, 'base64'),
      extension,
      kind === 'video' ? personalVideoTags : personalTags,
    )
  ).toString('base64');
const photoTags: BrowserCommand<[string, string]> = (_context, base64, extension) =>
  tagsOf(Buffer.from(base64, 'base64'), extension);
const photoJudge: BrowserCommand<[]> = () => hasExiftool();

export const photoCommands = { photoMake, photoFixture, photoTag, photoTags, photoJudge };
