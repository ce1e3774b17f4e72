/**
 * Deletes expired uploads (decisions §5.6): marks the row in a transaction, deletes the bytes, then marks the row as
 * deleted. After a crash the next run continues from the row. The mark is durable, so a clock set back revives
 * nothing (failures S25). The latest observed moment is stored too, for uploads that expired unnoticed.
 */
import type { Logger } from 'pino';
import type { Store } from '../store/engine/db.ts';
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
  /** The steady clock, for expiry. */
  readonly now: () => number;
  /** The wall clock, for times shown to people. */
  readonly wall: () => number;
}

const BATCH = 200;
export const LATEST_MOMENT = 'latest_moment';

type IsStopped = () => boolean;
const never: IsStopped = () => false;

/**
 * Counts uploads that the store could not delete in this run. They do not block others, and the next run retries
 * them.
 */
const refusals = (log: Logger) => {
  let count = 0;
  let first: unknown;
  return {
    /** Null if the store failed. */
    remove: async (files: FileStore, uuid: string): Promise<boolean | null> => {
      try {
        return await files.remove(uuid);
      } catch (error) {
        if (count === 0) first = error;
        count += 1;
        return null;
      }
    },
    warn: (): void => {
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
  refused.warn();
  return deleted;
};

/**
 * Runs one sweep and returns the number of uploads with deleted bytes. Several processes may run it concurrently:
 * each upload is counted by one of them.
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
 * Deletes at startup the bytes of form posts that died between the file and its row. Only incomplete uploads can have
 * such bytes, at most a week's worth. An upload's own segments are kept.
 */
export const removeOrphans = async (
  { store, files }: SweepParts,
  alone: boolean,
): Promise<void> => {
  // Another process that shares the folder may be receiving into it right now.
  if (!alone) return;
  await files.clean();
  // incoming-uploads.ts records directly received bytes, perhaps in another process right now.
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
 * Deletes bytes without a row, left by a crash of a seed or by a database set back. A row exists before the bytes of
 * its upload, and within seconds of a demo document's bytes, so day-old bytes without a row are orphans. The row is
 * looked up again after the age check, and only if this database owns the files: a folder from another database is
 * left alone. Returns the number of uploads with deleted bytes.
 */
export const sweepOrphans = async (
  { store, files, log, now }: SweepParts,
  id: string,
  isStopped: IsStopped = never,
): Promise<number> => {
  // After a restore, the files may belong to the replaced database.
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
  refused.warn();
  return deleted;
};

/** A name that is not an upload's uuid was not written by this service, so it is never deleted. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * True if this database owns the files. Claims unclaimed files if it knows one of the first of them, or if there are
 * none.
 */
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

/** Runs now and every `interval` ms; `orphans` at most once a day. A failed run is logged, and the next run retries. */
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
