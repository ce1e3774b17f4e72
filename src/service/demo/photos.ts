/**
 * The demo's photos: one picture of each scene as a JPEG, and a closer one cut from it for records with a second photo. They are
 * drawn when an empty folder is seeded, which takes less than a second, so that the package carries no pictures.
 */
import { randomBytes } from 'node:crypto';
import type { FileStore } from '../files/file-store.ts';
import { keepFile, type KeptFile } from './keep.ts';
import { randomFrom } from './random.ts';
import { drawScene, type SceneName } from './scenes.ts';

const GRAIN = 256;
const QUALITY = 76;

/** SVG is drawn for the demo alone: what a client sent is never read as SVG (files/thumbnails.ts), before or after. */
const SVG = { operation: ['VipsForeignLoadSvg'] };

const drawAll = async (
  names: readonly SceneName[],
): Promise<ReadonlyMap<SceneName, readonly [whole: Buffer, closer: Buffer]>> => {
  if (names.length === 0) return new Map();
  const { default: sharp } = await import('sharp');
  sharp.unblock(SVG);
  try {
    const noise = { raw: { width: GRAIN, height: GRAIN, channels: 1 } } as const;
    const grain = (
      await sharp(randomBytes(GRAIN * GRAIN), noise)
        .png()
        .toBuffer()
    ).toString('base64');
    const drawn = names.map(async (name, index) => {
      const svg = drawScene(name, randomFrom(77 + index), grain);
      const whole = await sharp(Buffer.from(svg)).jpeg({ quality: QUALITY }).toBuffer();
      const closer = await sharp(whole)
        .extract({ left: 250, top: 210, width: 520, height: 390 })
        .jpeg({ quality: QUALITY })
        .toBuffer();
      return [name, [whole, closer]] as const;
    });
    return new Map(await Promise.all(drawn));
  } finally {
    sharp.block(SVG);
  }
};

/** Files kept at a time: each is made durable before the next begins. */
const AT_ONCE = 8;

/**
 * Keeps the photos that records ask for, in that order: of each the whole scene and, where it asks for two, a closer one.
 * @param wanted by record: its scene and how many photos of it; null: none
 */
export const keepPhotos = async (
  files: FileStore,
  wanted: readonly ({ readonly scene: SceneName; readonly count: number } | null)[],
): Promise<readonly (readonly KeptFile[])[]> => {
  const pictures = await drawAll([...new Set(wanted.flatMap((one) => one?.scene ?? []))]);
  const orders = wanted.flatMap((one, record) =>
    one === null
      ? []
      : (pictures.get(one.scene) ?? [])
          .slice(0, one.count)
          .map((bytes, index) => ({ record, index, bytes })),
  );
  const kept: KeptFile[][] = wanted.map(() => []);
  for (let at = 0; at < orders.length; at += AT_ONCE)
    await Promise.all(
      orders.slice(at, at + AT_ONCE).map(async ({ record, index, bytes }, place) => {
        const name = `IMG_${2041 + at + place}.jpg`;
        const file = await keepFile(files, 'photo', { name, content_type: 'image/jpeg' }, bytes);
        (kept[record] ??= [])[index] = file;
      }),
    );
  return kept;
};
