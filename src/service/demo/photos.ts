/**
 * Stores the demo's photos. They are files of the program (photos/, drawn by `npm run demo-photos`): one picture of
 * each scene and a closer one for records with a second photo.
 */
import { readFile } from 'node:fs/promises';
import { ownFolder } from '../../disk/own-program.ts';
import type { FileStore } from '../files/file-store.ts';
import { keepFile, type KeptFile } from './keep.ts';
import type { SceneName } from './scenes.ts';

const readAll = async (
  names: readonly SceneName[],
): Promise<ReadonlyMap<SceneName, readonly [whole: Buffer, closer: Buffer]>> => {
  const folder = ownFolder('photos', import.meta.url);
  const read = (name: SceneName, count: number) => readFile(`${folder}/${name}-${count}.jpg`);
  const pictures = names.map(
    async (name) => [name, [await read(name, 1), await read(name, 2)]] as const,
  );
  return new Map(await Promise.all(pictures));
};

/** Files stored concurrently; each batch is durable before the next starts. */
const AT_ONCE = 8;

/**
 * Stores the requested photos in order: the whole scene, plus a closer one if two are requested.
 * @param wanted by record: its scene and number of photos; null for none
 */
export const keepPhotos = async (
  files: FileStore,
  wanted: readonly ({ readonly scene: SceneName; readonly count: number } | null)[],
): Promise<readonly (readonly KeptFile[])[]> => {
  const pictures = await readAll([...new Set(wanted.flatMap((one) => one?.scene ?? []))]);
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
