/**
 * Puts the parts of uploads together for index.ts: the store for bytes, the signing secret (kept in the database, so that
 * addresses and forms survive a restart), thumbnails, the sweeper, and what records may ask.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { recordPorts } from '../domain/upload-association.ts';
import type { UploadPorts } from '../domain/upload-ports.ts';
import type { Options } from '../options.ts';
import type { Store } from '../store/db.ts';
import { findState, putState } from '../store/uploads.ts';
import { openDiskStore } from './disk.ts';
import type { FileStore } from './file-store.ts';
import { createSigner, type Signer } from './signing.ts';
import { LATEST_MOMENT, removeOrphans, startSweeper, sweep } from './sweeper.ts';
import { createThumbnailer, type Thumbnailer } from './thumbnails.ts';

/** What the code that receives and serves bytes works with. */
export interface UploadParts {
  readonly options: Options;
  readonly store: Store;
  readonly files: FileStore;
  readonly signer: Signer;
  /** Milliseconds since the epoch; never earlier than any moment this data folder has seen. */
  readonly now: () => number;
  readonly thumbnails: Thumbnailer;
}

export interface Uploads extends UploadPorts, UploadParts {
  /** Deletes what is over, now. Answers how many uploads. */
  sweep(): Promise<number>;
}

const secretOf = (store: Store): Promise<Buffer> =>
  store.write(async (tx) => {
    const kept = await findState(tx, 'upload_secret');
    const secret = kept ?? randomBytes(32).toString('hex');
    if (kept === undefined) await putState(tx, 'upload_secret', secret);
    return Buffer.from(secret, 'hex');
  });

/** A clock that went back stands still until it has caught up, across restarts too (failures S25). */
const neverBefore = (clock: () => number, moment: number): (() => number) => {
  let last = moment;
  return () => (last = Math.max(last, clock()));
};

export const createUploads = async (input: {
  readonly options: Options;
  readonly store: Store;
  readonly now: () => number;
  readonly log: Logger;
}): Promise<Uploads> => {
  const { options, store, log } = input;
  const files = await openDiskStore(join(options['data-dir'], 'files'));
  const signer = createSigner(await secretOf(store));
  const now = neverBefore(input.now, Number((await findState(store.read, LATEST_MOMENT)) ?? 0));
  const parts = { store, files, log, now };
  await removeOrphans(parts);
  const sweeper = startSweeper(parts, options['upload-sweep-interval']);
  return {
    ...recordPorts(signer, options['file-url-window'], now),
    options,
    store,
    files,
    signer,
    now,
    thumbnails: createThumbnailer(files, {
      side: options['thumbnail-side'],
      max_pixels: options['thumbnail-max-pixels'],
      max_size: options['thumbnail-max-size'],
    }),
    ping: () => files.check().then(() => true),
    sweep: () => sweep(parts),
    stop: () => sweeper.stop(),
  };
};
