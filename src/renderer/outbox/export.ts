/**
 * Everything that waits as one zip: a JSON file and the photos' original bytes, so that nothing is ever stuck in a
 * laptop. Photos stream from the spool; none is whole in memory.
 */
import { downloadZip } from 'client-zip';
import type { Deps, PhotoRow } from '../data/db.ts';
import { originalChunks } from '../data/photos.ts';

export interface Export {
  readonly filename: string;
  /** Its body is the zip: `await response.blob()` for a link to save. */
  readonly response: Response;
}

const safe = (filename: string): string => filename.replace(/[^\p{L}\p{N}._ -]/gu, '_').slice(-100);

async function* bytesOf(deps: Deps, photo: Pick<PhotoRow, 'photo_id' | 'size'>) {
  for await (const part of originalChunks(deps, photo)) {
    // What can be read is exported; the JSON says which photos were damaged.
    if (!part.ok) return;
    yield part.value;
  }
}

/** The items of an account, or only the named records. Quarantined entries are always in it. */
export const exportItems = async (
  deps: Deps,
  account: string,
  keys?: readonly string[],
): Promise<Export> => {
  const { db, clock } = deps;
  const wanted = (lane: string): boolean => keys === undefined || keys.includes(lane);
  const all = await db.entries
    .where('[account+seq]')
    .between([account, -Infinity], [account, Infinity])
    .toArray();
  const entries = all.filter((entry) => wanted(entry.lane));
  const lanes = [...new Set(entries.map((entry) => entry.lane))];
  const rows = (await db.near_misses.bulkGet(lanes)).filter((row) => row !== undefined);
  const photos = await db.photos.where('near_miss_key').anyOf(lanes).toArray();
  const quarantine = await db.quarantine.where('account').equals(account).toArray();
  const pathOf = (photo: Pick<PhotoRow, 'photo_id' | 'filename'>): string =>
    `photos/${photo.photo_id}-${safe(photo.filename)}`;
  const manifest = {
    exported_at: new Date(clock.now()).toISOString(),
    account,
    near_misses: rows.map(({ search: _search, ...row }) => row),
    entries,
    photos: photos.map(({ thumbnail: _thumbnail, ...photo }) => ({
      ...photo,
      path: pathOf(photo),
    })),
    quarantine,
  };
  const files = (async function* () {
    yield { name: 'spotter.json', input: JSON.stringify(manifest, null, 2) };
    for (const photo of photos) yield { name: pathOf(photo), input: bytesOf(deps, photo) };
  })();
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  return { filename: `spotter-waiting-${day}.zip`, response: downloadZip(files) };
};
