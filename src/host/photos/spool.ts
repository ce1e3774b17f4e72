/**
 * Originals, byte for byte, until the server was seen to hold them. A photo's bytes go to `incoming/` (spool-arrivals.ts), are
 * hashed on the way, and become `originals/<sha256>` by fsync and rename; `meta/<photo id>.json` says which photo has which
 * bytes. Two photos with the same bytes share one file.
 */
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { photoFacts, type PhotoFacts } from '../../contract/host.ts';
import { fail, ok, type Result } from '../../contract/problem.ts';
import { sha256Hex } from '../../contract/rest/uploads.ts';
import {
  dropUnfinished,
  ensureFolder,
  failFile,
  freeSpace,
  readIfThere,
  syncFolder,
  writeFileAtomic,
} from '../files.ts';
import { codeOf } from '../log.ts';
import { isHeld, move, removeFile, whenFree } from '../../disk/patient.ts';
import { readSpans } from '../../disk/read-spans.ts';
import { createHasher } from './hash.ts';
import { type Announced, knownId, notBegun, openArrivals } from './spool-arrivals.ts';
import { spooled, type SpooledPhoto } from './spooled.ts';
import { createSpoolIndex, type SpoolIndex, type SpoolUsage } from './spool-index.ts';

export interface Spool {
  begin(photo: Announced): Promise<Result<null>>;
  write(photoId: string, offset: number, bytes: Uint8Array): Promise<Result<{ received: number }>>;
  finish(photoId: string): Promise<Result<PhotoFacts>>;
  read(
    photoId: string,
    offset: number,
    length: number,
  ): Promise<Result<{ facts: SpooledPhoto; bytes: Uint8Array<ArrayBuffer> }>>;
  discard(photoId: string): Promise<Result<null>>;
  /** The photo's facts, after its file was seen to be there with its size; `photo_damaged` else. */
  find(photoId: string): Promise<Result<SpooledPhoto>>;
  /** Streams part of the original; a chunk is its reader's until it asks for the next one. */
  stream(photo: SpooledPhoto, offset: number, length: number): AsyncIterable<Uint8Array>;
  /** Hashes the original again: is it still what was captured? */
  check(photo: SpooledPhoto): Promise<Result<null>>;
  /** The hashes of segments of another size, where the original is still what was captured. */
  hash(photo: SpooledPhoto, segmentSize: number): Promise<Result<SpooledPhoto['segments']>>;
  /** The server's copy was read back and is equal: the photo may go from here once it was kept long enough. */
  delivered(photoId: string, at: number, original?: string): Promise<void>;
  /** The photo is to be sent again: it stays. */
  undelivered(photoId: string): Promise<void>;
  /** Drops what was delivered at `before` or earlier with what it was made from, but not what `needed` still names. */
  sweep(before: number, needed: (photoId: string) => boolean): Promise<Swept>;
  /** Photos that are not delivered and whose facts were last written before `at`, milliseconds since the epoch. */
  olderThan(at: number): Promise<readonly string[]>;
  /** Hashes of originals that no photo names, last written before `at`; none where a photo's facts cannot be read. */
  strays(at: number): Promise<readonly string[]>;
  /** Drops such an original, if still no photo names it. Answers its bytes. */
  dropStray(sha256: string): Promise<number>;
  usage(): Promise<SpoolUsage>;
  close(): Promise<void>;
}

export interface Swept {
  readonly photo_ids: readonly string[];
  readonly bytes: number;
}

const damaged = (photo_id: string, reason: 'missing' | 'changed' | 'unreadable'): Result<never> =>
  fail({ kind: 'photo_damaged', photo_id, reason });

export const openSpool = async (
  folder: string,
  free: (folder: string) => Promise<number> = freeSpace,
  /** Is the photo of this id waited for? Then its id takes no bytes anew, even where its facts were lost. */
  needed: (photoId: string) => boolean = () => false,
  /** Does a queued entry or a draft hold this text, as the hash of a photo's bytes? */
  mentioned: (sha256: string) => boolean = () => true,
): Promise<Spool> => {
  const originals = join(folder, 'originals');
  const meta = join(folder, 'meta');
  for (const path of [folder, originals, meta]) await ensureFolder(path);
  for (const path of [folder, meta]) await dropUnfinished(path);
  const arrivals = await openArrivals(folder, join(folder, 'incoming'), free);

  const turns = new Map<string, Promise<unknown>>();
  const metaPath = (photoId: string) => join(meta, `${photoId}.json`);
  const originalPath = (photo: { sha256: string }) => join(originals, photo.sha256);

  /** Calls for one photo run one after the other. */
  const inTurn = <T>(photoId: string, run: () => Promise<Result<T>>): Promise<Result<T>> => {
    const result = (turns.get(photoId) ?? Promise.resolve()).then(run).catch(failFile);
    turns.set(photoId, result);
    void result.finally(() => turns.get(photoId) === result && turns.delete(photoId));
    return result;
  };

  let lastAlone: Promise<unknown> = Promise.resolve();
  /** Naming and dropping originals, one at a time: a file shared by two photos is not dropped while one is named. */
  const alone = <T>(run: () => Promise<T>): Promise<T> => {
    const result = lastAlone.then(run);
    lastAlone = result.catch(() => undefined);
    return result;
  };

  /** Bytes of this hash (null: not known yet) and size under an id: taken, unless it stands for others already. */
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
   * Gives arrived bytes their place. Of the same bytes the newer are taken: an original that rotted is whole again. Where another
   * program holds one of the two files for longer than we wait, the original that is there with their size stays.
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
    (await indexed)?.put(whole);
    arrivals.moved(photoId);
    return ok(fresh);
  };

  const finish = async (photoId: string): Promise<Result<PhotoFacts>> => {
    const type = arrivals.judge(photoId);
    if (type === null) {
      // Asked twice (the first answer was lost): the same answer.
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
      // A file that another program holds goes free again: the bytes stay, and may be finished once more.
      if (!isHeld(error)) await arrivals.drop(photoId);
      return failFile(error);
    }
  };

  const facts = async (photoId: string): Promise<SpooledPhoto | null> => {
    try {
      const text = await readIfThere(metaPath(photoId));
      return text === null ? null : (spooled.safeParse(JSON.parse(text)).data ?? null);
    } catch {
      return null;
    }
  };

  const find = async (photoId: string): Promise<Result<SpooledPhoto>> => {
    const photo = await facts(photoId);
    if (!photo) return damaged(photoId, 'missing');
    try {
      const { size } = await whenFree(() => stat(originalPath(photo)));
      return size === photo.size ? ok(photo) : damaged(photoId, 'changed');
    } catch (error) {
      return damaged(photoId, codeOf(error) === 'ENOENT' ? 'missing' : 'unreadable');
    }
  };

  const openOriginal = (photo: SpooledPhoto) => whenFree(() => open(originalPath(photo), 'r'));

  const stream: Spool['stream'] = (photo, start, length) =>
    readSpans([{ open: () => openOriginal(photo), start, length }]);

  const read: Spool['read'] = async (photoId, offset, length) => {
    const photo = await find(photoId);
    if (!photo.ok) return photo;
    const wanted = Math.max(0, Math.min(length, photo.value.size - offset));
    const bytes = new Uint8Array(wanted);
    try {
      const handle = await openOriginal(photo.value);
      try {
        const got = await handle.read(bytes, 0, wanted, offset);
        if (got.bytesRead !== wanted) return damaged(photoId, 'changed');
      } finally {
        await handle.close();
      }
    } catch {
      return damaged(photoId, 'unreadable');
    }
    return ok({ facts: photo.value, bytes });
  };

  const hash: Spool['hash'] = async (photo, segmentSize) => {
    const there = await find(photo.photo_id);
    if (!there.ok) return there;
    const hasher = createHasher(segmentSize);
    try {
      for await (const chunk of stream(photo, 0, photo.size)) hasher.update(chunk);
    } catch {
      return damaged(photo.photo_id, 'unreadable');
    }
    const { sha256, segments } = hasher.finish();
    return sha256 === photo.sha256 ? ok([...segments]) : damaged(photo.photo_id, 'changed');
  };

  const check: Spool['check'] = async (photo) => {
    const hashed = await hash(photo, photo.segment_size);
    return hashed.ok ? ok(null) : hashed;
  };

  let indexed: Promise<SpoolIndex> | null = null;
  /** Read from the disk once, when it is first needed; kept up from then on. */
  const index = (): Promise<SpoolIndex> => {
    indexed ??= (async () => {
      const all = createSpoolIndex();
      for (const name of await readdir(meta)) {
        const photo = await facts(name.replace(/\.json$/, ''));
        if (photo) all.put(photo);
        else all.miss();
      }
      return all;
    })().catch((error: unknown) => {
      indexed = null;
      throw error;
    });
    return indexed;
  };

  /** To be run `alone`. The file goes with the last photo that has its bytes. */
  const forget = async (photoId: string): Promise<number> => {
    const all = await index();
    const photo = await facts(photoId);
    await removeFile(metaPath(photoId));
    const last = all.drop(photoId);
    if (!photo || !last) return 0;
    // Facts that could not be read may name these bytes too. What nobody waits for goes later, as a stray.
    if (all.missed() && mentioned(photo.sha256)) return 0;
    await removeFile(originalPath(photo));
    return photo.size;
  };

  const discard = async (photoId: string): Promise<Result<null>> => {
    await arrivals.drop(photoId);
    await forget(photoId);
    return ok(null);
  };

  const change = (photoId: string, to: (photo: SpooledPhoto) => SpooledPhoto): Promise<void> =>
    alone(async () => {
      const photo = await facts(photoId);
      if (!photo) return;
      const whole = to(photo);
      await writeFileAtomic(metaPath(photoId), JSON.stringify(whole));
      (await indexed)?.put(whole);
    });

  const sweep: Spool['sweep'] = async (before, needed) => {
    const photo_ids: string[] = [];
    let bytes = 0;
    for (const photoId of (await index()).deliveredBefore(before)) {
      if (needed(photoId)) continue;
      const original = (await facts(photoId))?.original;
      // The original first: as long as the photo is there it says that it was delivered.
      const gone = original === undefined || needed(original) ? [photoId] : [original, photoId];
      for (const one of gone) bytes += await alone(() => forget(one));
      photo_ids.push(...gone);
    }
    return { photo_ids, bytes };
  };

  const olderThan: Spool['olderThan'] = async (at) => {
    const old: string[] = [];
    for (const photoId of (await index()).undelivered())
      try {
        if ((await stat(metaPath(photoId))).mtimeMs < at) old.push(photoId);
      } catch {
        // The file went meanwhile.
      }
    return old;
  };

  const strays: Spool['strays'] = async (at) => {
    const named = new Set<string>();
    for (const name of await readdir(meta)) {
      const photo = await facts(name.replace(/\.json$/, ''));
      // Facts that cannot be read may name any original.
      if (photo === null) return [];
      named.add(photo.sha256);
    }
    const found: string[] = [];
    for (const name of await readdir(originals)) {
      if (named.has(name) || !sha256Hex.safeParse(name).success) continue;
      const { mtimeMs } = await stat(join(originals, name)).catch(() => ({ mtimeMs: Infinity }));
      if (mtimeMs < at) found.push(name);
    }
    return found;
  };

  const dropStray = async (sha256: string): Promise<number> => {
    if ((await index()).has(sha256)) return 0;
    const { size } = await stat(originalPath({ sha256 })).catch(() => ({ size: 0 }));
    await removeFile(originalPath({ sha256 }));
    return size;
  };

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
