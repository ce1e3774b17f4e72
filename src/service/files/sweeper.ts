/**
 * Deletes what is over (decisions §5.6): first the row says so, in one transaction, then the bytes go, then the row says that
 * too. A crash at any moment leaves a row from which the next run goes on. Because the row keeps saying it, a clock that
 * goes back revives nothing (failures S25); the latest moment seen is kept too, for what had expired while nobody asked.
 */
import type { Logger } from 'pino';
import type { Store } from '../store/db.ts';
import {
  findState,
  listDeleting,
  listExpired,
  listKnown,
  listOpen,
  markDeleted,
  markExpired,
  putLatest,
  type UploadRow,
} from '../store/uploads.ts';
import type { FileStore } from './file-store.ts';

export interface SweepParts {
  readonly store: Store;
  readonly files: FileStore;
  readonly log: Logger;
  /** By which things end. */
  readonly now: () => number;
  /** By which people are told. */
  readonly wall: () => number;
}

const BATCH = 200;
export const LATEST_MOMENT = 'latest_moment';

type IsStopped = () => boolean;
const never: IsStopped = () => false;

/** What the store did not let go in one run: the others do not wait for it, and the next run tries it again. */
const refusals = (log: Logger) => {
  let count = 0;
  let first: unknown;
  return {
    /** Null where the store refused. */
    remove: async (files: FileStore, uuid: string): Promise<boolean | null> => {
      try {
        return await files.remove(uuid);
      } catch (error) {
        if (count === 0) first = error;
        count += 1;
        return null;
      }
    },
    tell: (): void => {
      if (count > 0) log.error({ err: first, uploads: count }, 'bytes could not be deleted');
    },
  };
};

const removeDoomed = async (
  { store, files, log, wall }: SweepParts,
  isStopped: IsStopped,
): Promise<number> => {
  const refused = refusals(log);
  let deleted = 0;
  let after = '';
  while (!isStopped()) {
    const doomed = await listDeleting(store.read, after, BATCH);
    const last = doomed.at(-1);
    if (!last) break;
    after = last.uuid;
    for (const key of doomed) {
      if (isStopped() || (await refused.remove(files, key.uuid)) === null) continue;
      if (await store.write((tx) => markDeleted(tx, key, wall()), key.company_id)) deleted += 1;
    }
  }
  refused.tell();
  return deleted;
};

/**
 * One run. Answers how many uploads' bytes were deleted. Several processes may run it at once: each upload is counted by
 * one of them.
 */
export const sweep = async (
  { store, files, log, now, wall }: SweepParts,
  isStopped: IsStopped = never,
): Promise<number> => {
  const moment = now();
  await store.write((tx) => putLatest(tx, LATEST_MOMENT, moment));
  for (;;) {
    const expired = await listExpired(store.read, moment, BATCH);
    if (expired.length === 0) break;
    for (const key of expired)
      await store.write((tx) => markExpired(tx, key, moment), key.company_id);
  }
  return removeDoomed({ store, files, log, now, wall }, isStopped);
};

/**
 * At start: bytes of form posts that died between the file and its row. Only uploads that belong to nothing yet can have
 * them, a week's worth at most; an upload's own segments are kept, whatever became of the request that sent them.
 */
export const removeOrphans = async (
  { store, files }: SweepParts,
  alone: boolean,
): Promise<void> => {
  // Another process that shares the folder may be receiving into it at this moment.
  if (!alone) return;
  await files.clean();
  // Bytes that came past the service are written down by arrivals.ts; another process may be at it right now.
  if (files.direct) return;
  let after = '';
  for (;;) {
    const uploads = await listOpen(store.read, after, BATCH);
    const last = uploads.at(-1);
    if (!last) return;
    for (const upload of uploads) await removeLostForms(store, files, upload);
    after = last.uuid;
  }
};

const removeLostForms = async (
  store: Store,
  files: FileStore,
  upload: UploadRow,
): Promise<void> => {
  if (upload.status === 'complete') return;
  for (const name of await files.list(upload.uuid))
    if (name.startsWith('form-')) await files.removePart(upload.uuid, name);
};

const DAY = 86_400_000;

/**
 * Bytes that no row speaks of: what a crash left between a seed's files and its rows, or a database set back. A row is there
 * before the bytes of its upload, and seconds after the bytes of a demo's document; so what is a day old and has none
 * is nobody's. Rows are looked for after the bytes were seen, and only where the files are this database's own: a folder that
 * came with another database keeps everything. Answers how many uploads' bytes were deleted.
 */
export const sweepOrphans = async (
  { store, files, log, now }: SweepParts,
  id: string,
  isStopped: IsStopped = never,
): Promise<number> => {
  // After a copy of the database was restored the files may belong to what it replaced.
  if (now() < Number((await findState(store.read, 'orphans_kept_until')) ?? 0)) return 0;
  if (!(await ownFiles({ store, files }, id))) {
    log.warn('the files belong to another database: orphans are not looked for');
    return 0;
  }
  const refused = refusals(log);
  let deleted = 0;
  let after = '';
  while (!isStopped()) {
    const uuids = await files.walk(after, BATCH);
    const last = uuids.at(-1);
    if (last === undefined) break;
    after = last;
    const known = await listKnown(store.read, uuids);
    for (const uuid of uuids.filter((one) => UUID.test(one) && !known.has(one))) {
      const changed_at = await files.changedAt(uuid);
      if (changed_at === null || changed_at > now() - DAY) continue;
      if ((await listKnown(store.read, [uuid])).size > 0) continue;
      if (!(await refused.remove(files, uuid))) continue; // refused, or another process was first
      deleted += 1;
      log.info({ upload: uuid, changed_at }, 'orphan files deleted');
    }
  }
  refused.tell();
  return deleted;
};

/** What is not named like one of ours is not ours to delete. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Files that nobody has claimed are this database's when it knows one of the first of them, or there are none. */
const ownFiles = async (
  { store, files }: Pick<SweepParts, 'store' | 'files'>,
  id: string,
): Promise<boolean> => {
  const owner = await files.owner();
  if (owner !== null) return owner === id;
  const first = await files.walk('', BATCH);
  if (first.length > 0 && (await listKnown(store.read, first)).size === 0) return false;
  await files.claim(id);
  return true;
};

export interface Sweeper {
  stop(): Promise<void>;
}

/**
 * Runs at once, then every `interval` ms; `orphans` too, but once a day. A failed run is logged and tried again with the next.
 */
export const startSweeper = (
  parts: SweepParts,
  interval: number,
  orphans: (isStopped: IsStopped) => Promise<number>,
): Sweeper => {
  let stopped = false;
  let looked_at = -Infinity;
  const daily = async (): Promise<void> => {
    const moment = parts.now();
    if (moment - looked_at < DAY) return;
    await orphans(() => stopped);
    looked_at = moment;
  };
  let running: Promise<void> | null = null;
  const run = (): void => {
    running ??= sweep(parts, () => stopped)
      .then((deleted) => {
        if (deleted > 0) parts.log.info({ deleted }, 'uploads swept');
      })
      .then(daily)
      .catch((error: unknown) => parts.log.error({ err: error }, 'sweep failed'))
      .finally(() => {
        running = null;
      });
  };
  const timer = setInterval(run, Math.max(interval, 10)).unref();
  run();
  return {
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
};
