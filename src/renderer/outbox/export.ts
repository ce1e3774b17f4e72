/**
 * Everything that waits as one zip: the photos' original bytes and a JSON file, so that nothing is ever stuck in a
 * laptop; `import.ts` takes it in on another. Photos stream from the spool; none is whole in memory. What is exported is
 * marked: from then on the other laptop may send it, under the same keys.
 */
import { downloadZip } from 'client-zip';
import type { Deps, OutboxEntry, PhotoRow, SpotterDb } from '../data/db.ts';
import { incidentNeeded } from '../data/incident-ids.ts';
import { originalChunks } from '../data/photos.ts';
import { companyLaneOf } from '../data/lanes.ts';
import { tmEntryOf } from '../data/company/tm-rows.ts';
import { bytesOf as sentBy } from '../entries/entry.ts';
import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  type ExportNames,
  MANIFEST_NAME,
  originalPath,
  pathOf,
} from './export-form.ts';

export interface Export {
  readonly filename: string;
  /** Its body is the zip: `await response.blob()` for a link to save. */
  readonly response: Response;
}

/** What can be read is exported; `unread` learns which photos were not read whole. */
async function* bytesOf(
  deps: Deps,
  photo: Pick<PhotoRow, 'photo_id' | 'size'>,
  unread: Set<string>,
) {
  for await (const part of originalChunks(deps, photo)) {
    if (!part.ok) {
      unread.add(photo.photo_id);
      return;
    }
    yield part.value;
  }
}

/** What waits to be sent and is no row among the photos, as a file for a time-and-material entry is; `near_miss_key` is its lane. */
const sentBeside = (entries: readonly OutboxEntry[], photos: readonly PhotoRow[]) => {
  const shown = new Set(photos.map(({ photo_id }) => photo_id));
  return entries.flatMap((entry) => {
    const photo = sentBy(entry)?.photo;
    if (photo === undefined || shown.has(photo.photo_id)) return [];
    const { lane, created_at } = entry;
    return { ...photo, near_miss_key: lane, state: 'waiting' as const, created_at };
  });
};

/** With the incidents opened here that the named records need. */
const withIncidents = (
  entries: readonly OutboxEntry[],
  keys: readonly string[],
): ReadonlySet<string> => {
  const own = entries.filter((entry) => keys.includes(entry.lane));
  return new Set([...keys, ...own.flatMap((entry) => incidentNeeded(entry)?.lane ?? [])]);
};

/** Marks the entries before they leave, in one transaction with reading them. */
const markedEntries = (db: SpotterDb, account: string, keys: readonly string[] | undefined) =>
  db.transaction('rw', db.entries, async () => {
    const all = await db.entries
      .where('[account+seq]')
      .between([account, -Infinity], [account, Infinity])
      .toArray();
    const lanes = keys === undefined ? undefined : withIncidents(all, keys);
    const entries = all
      .filter((entry) => lanes?.has(entry.lane) ?? true)
      .map((entry) => ({ ...entry, checkpoint: { ...entry.checkpoint, exported: true } }));
    await db.entries.bulkUpdate(
      entries.map(({ id, checkpoint }) => ({ key: id, changes: { checkpoint } })),
    );
    return entries;
  });

const versionOf = (lanes: readonly string[]): number => {
  if (lanes.some((lane) => companyLaneOf(lane) !== null)) return EXPORT_VERSION;
  return lanes.some((lane) => tmEntryOf(lane) !== null) ? 2 : 1;
};

/** One file of the zip. */
export interface ExportPart {
  readonly name: string;
  readonly input: string | AsyncIterable<Uint8Array<ArrayBuffer>>;
}

/** A photo and what it was made from. */
export function* partsOf(
  deps: Deps,
  folder: string,
  photo: Pick<PhotoRow, 'photo_id' | 'filename' | 'size' | 'original'>,
  unread: Set<string>,
): Generator<ExportPart> {
  const name = pathOf(folder, photo);
  yield { name, input: bytesOf(deps, photo, unread) };
  const { original } = photo;
  if (original !== undefined)
    yield { name: originalPath(name, original), input: bytesOf(deps, original, unread) };
}

/**
 * The items of an account, or only the named records. Quarantined entries are always in it. `more`: files beside them, which
 * the import of what waits passes over.
 */
export const exportItems = async (
  deps: Deps,
  account: string,
  names: ExportNames,
  keys?: readonly string[],
  more?: AsyncIterable<ExportPart>,
): Promise<Export> => {
  const { db, clock } = deps;
  const entries = await markedEntries(db, account, keys);
  const lanes = [...new Set(entries.map((entry) => entry.lane))];
  const rows = (await db.near_misses.bulkGet(lanes)).filter((row) => row !== undefined);
  const shown = await db.photos.where('near_miss_key').anyOf(lanes).toArray();
  const photos = [...shown, ...sentBeside(entries, shown)];
  const quarantine = await db.quarantine.where('account').equals(account).toArray();
  const unread = new Set<string>();
  const manifest = () => ({
    format: EXPORT_FORMAT,
    version: versionOf(lanes),
    exported_at: new Date(clock.now()).toISOString(),
    account,
    near_misses: rows.map(({ search: _search, ...row }) => row),
    entries,
    photos: photos.map((photo) => ({
      ...photo,
      thumbnail: undefined,
      path: pathOf(names.photos, photo),
      /** False: it could not be read whole; its entry in the zip is what was left of it. */
      whole: !unread.has(photo.photo_id),
    })),
    quarantine,
  });
  const parts = (async function* () {
    if (more !== undefined) yield* more;
    for (const photo of photos) yield* partsOf(deps, names.photos, photo, unread);
    // Last, because only now it is known which photos could be read.
    yield { name: MANIFEST_NAME, input: JSON.stringify(manifest()) };
  })();
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  return { filename: `${names.waiting}-${day}.zip`, response: downloadZip(parts) };
};
