/**
 * Deletes what is over (decisions §5.6): first the row says so, in one transaction, then the bytes go, then the row says that
 * too. A crash at any moment leaves a row from which the next run goes on. Because the row keeps saying it, a clock that
 * goes back revives nothing (failures S25); the latest moment seen is kept too, for what had expired while nobody asked.
 */
import type { Logger } from 'pino';
import type { Store } from '../store/db.ts';
import {
  listDeleting,
  listExpired,
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
  readonly now: () => number;
}

const BATCH = 200;
export const LATEST_MOMENT = 'latest_moment';

/**
 * One run. Answers how many uploads' bytes were deleted. Several processes may run it at once: each upload is counted by
 * one of them.
 */
export const sweep = async ({ store, files, now }: SweepParts): Promise<number> => {
  const moment = now();
  await store.write((tx) => putLatest(tx, LATEST_MOMENT, moment));
  for (;;) {
    const expired = await listExpired(store.read, moment, BATCH);
    if (expired.length === 0) break;
    for (const key of expired)
      await store.write((tx) => markExpired(tx, key, moment), key.company_id);
  }
  let deleted = 0;
  for (;;) {
    const doomed = await listDeleting(store.read, BATCH);
    if (doomed.length === 0) return deleted;
    for (const key of doomed) {
      await files.remove(key.uuid);
      if (await store.write((tx) => markDeleted(tx, key), key.company_id)) deleted += 1;
    }
  }
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

export interface Sweeper {
  stop(): Promise<void>;
}

/** Runs at once, then every `interval` ms. A failed run is logged and tried again with the next. */
export const startSweeper = (parts: SweepParts, interval: number): Sweeper => {
  let running: Promise<void> | null = null;
  const run = (): void => {
    running ??= sweep(parts)
      .then(
        (deleted) => {
          if (deleted > 0) parts.log.info({ deleted }, 'uploads swept');
        },
        (error: unknown) => parts.log.error({ err: error }, 'sweep failed'),
      )
      .finally(() => {
        running = null;
      });
  };
  const timer = setInterval(run, Math.max(interval, 10)).unref();
  run();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
};
