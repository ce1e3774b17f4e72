/**
 * Assembles uploads for index.ts: the file store, the signing secret, thumbnails, the sweeper, and the functions for
 * records. The secret is stored in the database, so that URLs and forms survive a restart.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { recordPorts, UUIDS_MAX } from '../domain/uploads/upload-association.ts';
import type { UploadPorts } from '../domain/uploads/upload-ports.ts';
import { OptionError, type Options } from '../options.ts';
import type { Store } from '../store/engine/db.ts';
import { findState, keepState, sumStored } from '../store/uploads.ts';
import { within } from '../store/engine/with-timeout.ts';
import { settle } from './incoming-uploads.ts';
import { openDiskStore } from './disk/disk-store.ts';
import type { FileStore } from './file-store.ts';
import { parseS3Address } from './s3/s3-address.ts';
import { createProver } from './proof.ts';
import { createSigner } from './signing.ts';
import { LATEST_MOMENT, removeOrphans, startSweeper, sweep, sweepOrphans } from './sweeper.ts';
import type { UploadParts } from './upload-parts.ts';
import { createThumbnailer } from './thumbnails/thumbnails.ts';

export interface Uploads extends UploadPorts, UploadParts {
  /** Bytes stored for a company; the value may be some minutes old. */
  storedBytes(company_id: number): Promise<number>;
  /** Deletes expired uploads now. Returns their number. */
  sweep(): Promise<number>;
  /** Deletes bytes without a row now. Returns the number of uploads. */
  sweepOrphans(): Promise<number>;
}

const secretOf = (store: Store): Promise<Buffer> =>
  store.write(async (tx) => {
    await keepState(tx, 'upload_secret', randomBytes(32).toString('hex'));
    const secret = await findState(tx, 'upload_secret');
    return Buffer.from(secret ?? '', 'hex');
  });

/**
 * A monotonic clock: after the system clock went back it stands still until that catches up, across restarts too
 * (failures S25).
 */
const neverBefore = (clock: () => number, moment: number): (() => number) => {
  let last = moment;
  return () => (last = Math.max(last, clock()));
};

/** This database's id in a shared file store. */
const storeIdOf = (store: Store): Promise<string> =>
  store.write(async (tx) => {
    await keepState(tx, 'file_store_id', randomUUID());
    return (await findState(tx, 'file_store_id')) ?? '';
  });

/** @throws {OptionError} if the file store cannot be used */
const openFileStore = async (options: Options, store: Store): Promise<FileStore> => {
  const place = options['file-store'];
  if (place === '') return openDiskStore(join(options['data-dir'], 'files'));
  const address = parseS3Address(place);
  const { openS3Store } = await import('./s3/s3.ts'); // the SDK is large, so load it only when needed
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

/** Milliseconds: a hanging bucket or network folder must not block `/healthz`. */
const PING_TIMEOUT = 3000;

/** Milliseconds to cache the sum over all files of a company, which every upload requests. */
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
  /** No other process uses this data folder. */
  readonly alone: boolean;
}): Promise<Uploads> => {
  const { options, store, log } = input;
  const files = await openFileStore(options, store);
  const signer = createSigner(await secretOf(store));
  const now = neverBefore(input.steady, Number((await findState(store.read, LATEST_MOMENT)) ?? 0));
  const parts = { store, files, log, now, wall: input.now };
  await removeOrphans(parts, input.alone);
  const id = await storeIdOf(store);
  // Uses the current clock: an earlier clock that ran ahead must not make everything look old.
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
    prover: createProver(store.read, files, !options.plain),
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
