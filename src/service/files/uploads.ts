/**
 * Puts the parts of uploads together for index.ts: the store for bytes, the signing secret (kept in the database, so that
 * addresses and forms survive a restart), thumbnails, the sweeper, and what records may ask.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { recordPorts, UUIDS_MAX } from '../domain/upload-association.ts';
import type { UploadPorts } from '../domain/upload-ports.ts';
import { OptionError, type Options } from '../options.ts';
import type { Store } from '../store/db.ts';
import { findState, keepState, sumStored } from '../store/uploads.ts';
import { within } from '../store/within.ts';
import { settle } from './arrivals.ts';
import { openDiskStore } from './disk.ts';
import type { FileStore } from './file-store.ts';
import { parseS3Address } from './s3-address.ts';
import { createSigner } from './signing.ts';
import { LATEST_MOMENT, removeOrphans, startSweeper, sweep, sweepOrphans } from './sweeper.ts';
import type { UploadParts } from './upload-parts.ts';
import { createThumbnailer } from './thumbnails.ts';

export interface Uploads extends UploadPorts, UploadParts {
  /** Bytes of files that a company keeps, as of some minutes ago at most. */
  storedBytes(company_id: number): Promise<number>;
  /** Deletes what is over, now. Answers how many uploads. */
  sweep(): Promise<number>;
  /** Deletes bytes without a row, now. Answers of how many uploads. */
  sweepOrphans(): Promise<number>;
}

const secretOf = (store: Store): Promise<Buffer> =>
  store.write(async (tx) => {
    await keepState(tx, 'upload_secret', randomBytes(32).toString('hex'));
    const secret = await findState(tx, 'upload_secret');
    return Buffer.from(secret ?? '', 'hex');
  });

/** A clock that went back stands still until it has caught up, across restarts too (failures S25). */
const neverBefore = (clock: () => number, moment: number): (() => number) => {
  let last = moment;
  return () => (last = Math.max(last, clock()));
};

/** This database's own name where it shares a place with others. */
const storeIdOf = (store: Store): Promise<string> =>
  store.write(async (tx) => {
    await keepState(tx, 'file_store_id', randomUUID());
    return (await findState(tx, 'file_store_id')) ?? '';
  });

/** @throws {OptionError} when the file store cannot be used */
const openFileStore = async (options: Options, store: Store): Promise<FileStore> => {
  const place = options['file-store'];
  if (place === '') return openDiskStore(join(options['data-dir'], 'files'));
  const address = parseS3Address(place);
  const { openS3Store } = await import('./s3.ts'); // the SDK is large: only loaded where it is used
  const temporary = join(options['data-dir'], 'files-tmp');
  try {
    const files = await openS3Store(address, await storeIdOf(store), temporary);
    await files.check();
    return files;
  } catch (error) {
    const { name, message } = error as Error;
    throw new OptionError(
      `The file store s3://${address.bucket} cannot be used: ${name}: ${message}. Check its address, the bucket and the credentials (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY).`,
    );
  }
};

/** A bucket, or a folder of another machine, that hangs must not hold `/healthz`. */
const PING_TIMEOUT = 3000;

/** Milliseconds: a sum over all files of a company, asked for with every upload, need not be of this moment. */
const SUMMED_FOR = 600_000;

const storedBytes = (store: Store, now: () => number) => {
  const sums = new Map<number, { readonly bytes: Promise<number>; readonly at: number }>();
  return (company_id: number): Promise<number> => {
    const known = sums.get(company_id);
    if (known && now() - known.at < SUMMED_FOR) return known.bytes;
    const bytes = sumStored(store.read, company_id);
    sums.set(company_id, { bytes, at: now() });
    bytes.catch(() => sums.delete(company_id));
    return bytes;
  };
};

export const createUploads = async (input: {
  readonly options: Options;
  readonly store: Store;
  readonly now: () => number;
  readonly steady: () => number;
  readonly log: Logger;
  /** No other process works on this data folder. */
  readonly alone: boolean;
}): Promise<Uploads> => {
  const { options, store, log } = input;
  const files = await openFileStore(options, store);
  const signer = createSigner(await secretOf(store));
  const now = neverBefore(input.steady, Number((await findState(store.read, LATEST_MOMENT)) ?? 0));
  const parts = { store, files, log, now, wall: input.now };
  await removeOrphans(parts, input.alone);
  const id = await storeIdOf(store);
  // By the clock as it is now: one that once stood in the future must not make everything old.
  const orphans = (isStopped?: () => boolean) =>
    sweepOrphans({ ...parts, now: input.now }, id, isStopped);
  const thumbnails = createThumbnailer(files, {
    side: options['thumbnail-side'],
    max_pixels: options['thumbnail-max-pixels'],
    max_size: options['thumbnail-max-size'],
    memory: options['thumbnail-memory'],
    timeout: options['thumbnail-timeout'],
  });
  const sweeper = startSweeper(parts, options['upload-sweep-interval'], orphans);
  return {
    settle: async (owner, uuids) => {
      for (const uuid of files.direct ? new Set(uuids.slice(0, UUIDS_MAX)) : [])
        await settle({ store, files, now }, owner, uuid);
    },
    ...recordPorts(signer, options['file-url-window'], now),
    options,
    store,
    files,
    signer,
    now,
    thumbnails,
    storedBytes: storedBytes(store, now),
    ping: () => within(PING_TIMEOUT, files.check(), 'the file store').then(() => true),
    sweep: () => sweep(parts),
    sweepOrphans: () => orphans(),
    stop: async () => {
      thumbnails.stop();
      await sweeper.stop();
    },
  };
};
