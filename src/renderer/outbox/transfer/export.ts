/**
 * Exports the queue as one zip with the photos' original bytes and a JSON file, so that nothing is ever stuck in a
 * laptop; `import.ts` reads it on another. Photos stream from the spool and are never whole in memory. Exported operations
 * are marked, because the other laptop may send them under the same keys.
 */
import { downloadZip } from 'client-zip';
import type { Deps, OutboxOperation, PhotoRow, SpotterDb } from '../../data/db/db.ts';
import { incidentNeeded } from '../../data/model/incident-ids.ts';
import { originalChunks } from '../../data/photos/photos.ts';
import { bytesOf as sentBy } from '../../operations/operation.ts';
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

/** Exports what can be read; photos that were not read whole are added to `unread`. */
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

/**
 * Queued bytes without a row among the photos, such as files of time-and-material entries; `near_miss_key` is their
 * lane.
 */
const sentBeside = (operations: readonly OutboxOperation[], photos: readonly PhotoRow[]) => {
  const shown = new Set(photos.map(({ photo_id }) => photo_id));
  return operations.flatMap((operation) => {
    const photo = sentBy(operation)?.photo;
    if (photo === undefined || shown.has(photo.photo_id)) return [];
    const { lane, created_at } = operation;
    return { ...photo, near_miss_key: lane, state: 'waiting' as const, created_at };
  });
};

/** Adds the locally opened incidents that the named records need. */
const withIncidents = (
  operations: readonly OutboxOperation[],
  keys: readonly string[],
): ReadonlySet<string> => {
  const own = operations.filter((operation) => keys.includes(operation.lane));
  return new Set([...keys, ...own.flatMap((operation) => incidentNeeded(operation)?.lane ?? [])]);
};

/** Reads the operations and marks them as exported in the same transaction, before they leave. */
const markedOperations = (db: SpotterDb, account: string, keys: readonly string[] | undefined) =>
  db.transaction('rw', db.operations, async () => {
    const all = await db.operations
      .where('[account+seq]')
      .between([account, -Infinity], [account, Infinity])
      .toArray();
    const lanes = keys === undefined ? undefined : withIncidents(all, keys);
    const operations = all
      .filter((operation) => lanes?.has(operation.lane) ?? true)
      .map((operation) => ({
        ...operation,
        checkpoint: { ...operation.checkpoint, exported: true },
      }));
    await db.operations.bulkUpdate(
      operations.map(({ id, checkpoint }) => ({ key: id, changes: { checkpoint } })),
    );
    return operations;
  });

/** One file of the zip. */
export interface ExportPart {
  readonly name: string;
  readonly input: string | AsyncIterable<Uint8Array<ArrayBuffer>>;
}

/** A photo and its original, if it was edited. */
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
 * Exports the operations of an account, or only the named records, and always the quarantined ones. `more`: additional
 * files, which the import of the queue ignores.
 */
export const exportItems = async (
  deps: Deps,
  account: string,
  names: ExportNames,
  keys?: readonly string[],
  more?: AsyncIterable<ExportPart>,
): Promise<Export> => {
  const { db, clock } = deps;
  const operations = await markedOperations(db, account, keys);
  const lanes = [...new Set(operations.map((operation) => operation.lane))];
  const rows = (await db.near_misses.bulkGet(lanes)).filter((row) => row !== undefined);
  const shown = await db.photos.where('near_miss_key').anyOf(lanes).toArray();
  const photos = [...shown, ...sentBeside(operations, shown)];
  const quarantine = await db.quarantine.where('account').equals(account).toArray();
  const unread = new Set<string>();
  const manifest = () => ({
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    exported_at: new Date(clock.now()).toISOString(),
    account,
    near_misses: rows.map(({ search: _search, ...row }) => row),
    operations,
    photos: photos.map((photo) => ({
      ...photo,
      thumbnail: undefined,
      path: pathOf(names.photos, photo),
      /** False: it could not be read whole, and its file in the zip is truncated. */
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
