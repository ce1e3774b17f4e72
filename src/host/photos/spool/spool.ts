/**
 * Keeps originals, byte for byte, until the server provably has them. Bytes arrive in `incoming/` (incoming-files.ts),
 * are hashed meanwhile, and become `originals/<sha256>` by fsync and rename. `meta/<photo id>.json` maps a photo to its
 * bytes. Photos with equal bytes share one file.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { photoFacts, type PhotoFacts } from '../../../contract/host.ts';
import { ok, type Result } from '../../../contract/problem.ts';
import { isHeld, move, removeFile } from '../../../disk/retry-busy-file.ts';
import {
  dropUnfinished,
  ensureFolder,
  failFile,
  freeSpace,
  syncFolder,
  writeFileAtomic,
} from '../../lib/files.ts';
import { createTurns } from '../../lib/turns.ts';
import {
  type Announced,
  type Arrivals,
  knownId,
  notBegun,
  openArrivals,
} from './incoming-files.ts';
import { createContents } from './contents.ts';
import { createOriginals, type Originals } from './originals.ts';
import type { Spool } from './spool-types.ts';
import type { SpooledPhoto } from './spooled.ts';

/** Serializes calls by photo. */
const createPhotoTurns = () => {
  const turns = new Map<string, Promise<unknown>>();
  return <T>(photoId: string, run: () => Promise<Result<T>>): Promise<Result<T>> => {
    const result = (turns.get(photoId) ?? Promise.resolve()).then(run).catch(failFile);
    turns.set(photoId, result);
    void result.finally(() => turns.get(photoId) === result && turns.delete(photoId));
    return result;
  };
};

/** Takes new photos: announced, received, checked, then moved to their place under their hash. */
const createIntake = (
  arrivals: Arrivals,
  { originals, metaPath, originalPath, facts, find }: Originals,
  alone: ReturnType<typeof createTurns>,
  put: (photo: SpooledPhoto) => Promise<void>,
  needed: (photoId: string) => boolean,
) => {
  /** True if an id may take bytes of this size and hash (null: not known yet). False if it names other bytes. */
  const mayTake = async (
    photoId: string,
    size: number | null,
    sha256: string | null,
  ): Promise<boolean> => {
    const there = await facts(photoId);
    if (there === null) return !needed(photoId);
    return (size ?? there.size) === there.size && (sha256 ?? there.sha256) === there.sha256;
  };

  const begin = async (photo: Announced): Promise<Result<null>> =>
    (await mayTake(photo.photo_id, photo.size, null)) ? arrivals.begin(photo) : knownId();

  /**
   * Moves received bytes to their place. Replaces an original with the same bytes, which repairs a damaged one. If
   * another program keeps one of the files locked, an existing original with the right size stays.
   */
  const place = async (path: string, photo: PhotoFacts): Promise<void> => {
    try {
      await move(path, originalPath(photo));
    } catch (error) {
      const there = await stat(originalPath(photo)).catch(() => null);
      if (!isHeld(error) || there?.size !== photo.size) throw error;
      await removeFile(path).catch(() => undefined);
    }
  };

  const keep = async (photoId: string, type: string): Promise<Result<PhotoFacts>> => {
    const { path, filename, segment_size, hashes } = await arrivals.seal(photoId);
    if (!(await mayTake(photoId, hashes.size, hashes.sha256))) {
      await arrivals.drop(photoId);
      return knownId();
    }
    const fresh: PhotoFacts = {
      photo_id: photoId,
      filename,
      content_type: type,
      size: hashes.size,
      sha256: hashes.sha256,
    };
    await place(path, fresh);
    await syncFolder(originals);
    const there = await facts(photoId);
    if (there !== null) {
      arrivals.moved(photoId);
      return ok(photoFacts.parse(there));
    }
    const whole: SpooledPhoto = {
      ...fresh,
      ...(hashes.md5 === undefined ? {} : { md5: hashes.md5 }),
      segment_size,
      segments: [...hashes.segments],
    };
    await writeFileAtomic(metaPath(photoId), JSON.stringify(whole));
    await put(whole);
    arrivals.moved(photoId);
    return ok(fresh);
  };

  const finish = async (photoId: string): Promise<Result<PhotoFacts>> => {
    const type = arrivals.judge(photoId);
    if (type === null) {
      // A repeated call, because the first answer was lost, gets the same answer.
      const done = await find(photoId);
      return done.ok ? ok(photoFacts.parse(done.value)) : notBegun();
    }
    if (!type.ok) {
      await arrivals.drop(photoId);
      return type;
    }
    try {
      return await alone(() => keep(photoId, type.value));
    } catch (error) {
      // A file locked by another program becomes free again: keep the bytes for another `finish`.
      if (!isHeld(error)) await arrivals.drop(photoId);
      return failFile(error);
    }
  };

  return { begin, finish };
};

export const openSpool = async (
  folder: string,
  free: (folder: string) => Promise<number> = freeSpace,
  /**
   * True if a queued operation or a draft needs this photo. Its id then accepts no new bytes, even if its metadata was
   * lost.
   */
  needed: (photoId: string) => boolean = () => false,
  /** True if a queued operation or a draft contains this text, such as the hash of a photo's bytes. */
  mentioned: (sha256: string) => boolean = () => true,
): Promise<Spool> => {
  const files = createOriginals(folder);
  for (const path of [folder, files.originals, files.meta]) await ensureFolder(path);
  for (const path of [folder, files.meta]) await dropUnfinished(path);
  const arrivals = await openArrivals(folder, join(folder, 'incoming'), free);
  const inTurn = createPhotoTurns();
  // A shared file must not be dropped while another photo is being named.
  const alone = createTurns();
  const contents = createContents(files, alone, mentioned);
  const { begin, finish } = createIntake(arrivals, files, alone, contents.put, needed);
  const { read, find, stream, check, hash } = files;
  const { index, forget, sweep, olderThan, strays, dropStray } = contents;

  const discard = async (photoId: string): Promise<Result<null>> => {
    await arrivals.drop(photoId);
    await forget(photoId);
    return ok(null);
  };

  const change = (photoId: string, to: (photo: SpooledPhoto) => SpooledPhoto): Promise<void> =>
    alone(async () => {
      const photo = await files.facts(photoId);
      if (!photo) return;
      const whole = to(photo);
      await writeFileAtomic(files.metaPath(photoId), JSON.stringify(whole));
      await contents.put(whole);
    });

  return {
    begin: (photo) => inTurn(photo.photo_id, () => begin(photo)),
    write: (photoId, offset, bytes) =>
      inTurn(photoId, () => arrivals.write(photoId, offset, bytes)),
    finish: (photoId) => inTurn(photoId, () => finish(photoId)),
    discard: (photoId) => inTurn(photoId, () => alone(() => discard(photoId))),
    read,
    find,
    stream,
    check,
    hash,
    delivered: (photoId, at, original) =>
      change(photoId, (photo) => ({ ...photo, delivered_at: at, original })),
    undelivered: (photoId) =>
      change(photoId, ({ delivered_at: _at, original: _original, ...photo }) => photo),
    sweep,
    olderThan,
    strays,
    dropStray: (sha256) => alone(() => dropStray(sha256)),
    usage: async () => (await index()).usage(),
    close: () => arrivals.close(),
  };
};
