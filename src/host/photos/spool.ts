/**
 * Originals, byte for byte, until the server was seen to hold them. A photo's bytes go to `incoming/`, are hashed on the
 * way, and become `originals/<sha256>` by fsync and rename; `meta/<photo id>.json` says which photo has which bytes.
 * Two photos with the same bytes share one file. New photos are refused before the disk is full, so that a
 * record's text still fits (failures A16).
 */
import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { photoFacts, type PhotoFacts } from '../../contract/host.ts';
import { fail, type InputFault, ok, type Problem, type Result } from '../../contract/problem.ts';
import { md5Hex, sha256Hex } from '../../contract/rest/uploads.ts';
import {
  FILE_MODE,
  ensureFolder,
  failFile,
  freeSpace,
  readIfThere,
  syncFolder,
  writeFileAtomic,
} from '../files.ts';
import { codeOf } from '../log.ts';
import { HEAD_BYTES, fileType, notAPhoto } from '../../contract/file-type.ts';
import { createHasher } from './hash.ts';
import { createSpoolIndex, type SpoolIndex, type SpoolUsage } from './spool-index.ts';

/** Segments as hashed and sent: small enough that a cut costs little, 10,000 of them make 9.7 GiB. */
export const SEGMENT_SIZE = 1024 * 1024;
export const PHOTO_MAX_BYTES = 10_000 * SEGMENT_SIZE;
/** What a file is that is no photo or video: its name says it to people, nothing here goes by it. */
export const OF_ANY_KIND = 'application/octet-stream';
/** Left free for records: no photo is taken that would leave less. */
export const KEEP_FREE_BYTES = 64 * 1024 * 1024;

const spooled = photoFacts.extend({
  /** When its delivery was proven, milliseconds since the epoch by this laptop's clock. */
  delivered_at: z.number().optional(),
  /** What it was made from: goes with it. */
  original: photoFacts.shape.photo_id.optional(),
  segment_size: z.number().int().positive(),
  segments: z.array(
    z.object({ size: z.number().int().positive(), sha256: sha256Hex, md5: md5Hex }),
  ),
});
/** A photo's facts and the hashes of its segments, as computed at capture. */
export type SpooledPhoto = z.infer<typeof spooled>;

export interface Spool {
  /** `attachment`: of any kind; else what is no photo or video is refused. */
  begin(photo: {
    photo_id: string;
    filename: string;
    size: number | null;
    purpose?: 'photo' | 'attachment' | undefined;
  }): Promise<Result<null>>;
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
  /** Streams part of the original. */
  stream(photo: SpooledPhoto, offset: number, length: number): AsyncIterable<Uint8Array>;
  /** Hashes the original again: is it still what was captured? */
  check(photo: SpooledPhoto): Promise<Result<null>>;
  /** The hashes of segments of another size, where the original is still what was captured. */
  hash(photo: SpooledPhoto, segmentSize: number): Promise<Result<SpooledPhoto['segments']>>;
  /** The server's copy was read back and is equal: the photo may go from here once it was kept long enough. */
  delivered(photoId: string, at: number, original?: string): Promise<void>;
  /** It is to be sent again: it stays. */
  undelivered(photoId: string): Promise<void>;
  /** Drops what was delivered at `before` or earlier with what it was made from, but not what `needed` still names. */
  sweep(before: number, needed: (photoId: string) => boolean): Promise<Swept>;
  /** Photos that are not delivered and whose facts were last written before `at`, milliseconds since the epoch. */
  olderThan(at: number): Promise<readonly string[]>;
  usage(): Promise<SpoolUsage>;
  close(): Promise<void>;
}

export interface Swept {
  readonly photo_ids: readonly string[];
  readonly bytes: number;
}

interface Incoming {
  readonly filename: string;
  readonly size: number | null;
  /** May it be of any kind? */
  readonly any: boolean;
  readonly handle: FileHandle;
  readonly hasher: ReturnType<typeof createHasher>;
  head: Buffer;
  received: number;
}

const bad = (message: string, fault?: InputFault, field = 'photo'): Result<never> =>
  fail({ kind: 'bad_input', messages: [message], fields: { [field]: [message] }, fault });

const badKind = (head: Uint8Array): Result<never> =>
  bad('The file is no photo or video of a kind that is taken.', notAPhoto(head));

const damaged = (photo_id: string, reason: 'missing' | 'changed' | 'unreadable'): Result<never> =>
  fail({ kind: 'photo_damaged', photo_id, reason });

const noRoom = (detail: string): Problem => ({ kind: 'no_space', detail });

/** A name for people: the last part, without what no file name may hold. Never used as a path here. */
export const tidyName = (given: string): string => {
  const last = given.split(/[/\\]/).pop() ?? '';

  const clean = last.replace(/[\u0000-\u001f\u007f"<>|:*?\u202a-\u202e\u2066-\u2069]/g, '').trim();
  const dot = clean.lastIndexOf('.');
  const end = dot > 0 ? clean.slice(dot).slice(0, 12) : '';
  const start = (dot > 0 ? clean.slice(0, dot) : clean).slice(0, 180);
  return `${start}${end}`.toWellFormed() || 'photo';
};

export const openSpool = async (
  folder: string,
  free: (folder: string) => Promise<number> = freeSpace,
): Promise<Spool> => {
  const incomingFolder = join(folder, 'incoming');
  const originals = join(folder, 'originals');
  const meta = join(folder, 'meta');
  // What was not finished was never acknowledged: the window begins it again.
  await rm(incomingFolder, { recursive: true, force: true });
  for (const path of [folder, incomingFolder, originals, meta]) await ensureFolder(path);

  const incoming = new Map<string, Incoming>();
  const turns = new Map<string, Promise<unknown>>();
  const partPath = (photoId: string) => join(incomingFolder, photoId);
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

  const hasRoom = async (bytes: number): Promise<Result<null>> => {
    const left = (await free(folder)) - bytes;
    return left >= KEEP_FREE_BYTES
      ? ok(null)
      : fail(noRoom('too little space is left on this laptop for another photo'));
  };

  const drop = async (photoId: string): Promise<void> => {
    const was = incoming.get(photoId);
    incoming.delete(photoId);
    await was?.handle.close().catch(() => undefined);
    await rm(partPath(photoId), { force: true });
  };

  const begin: Spool['begin'] = async ({ photo_id, filename, size, purpose }) => {
    if ((size ?? 0) > PHOTO_MAX_BYTES)
      return bad(`A file may have at most ${PHOTO_MAX_BYTES} bytes.`, 'file_too_large');
    const room = await hasRoom(size ?? 0);
    if (!room.ok) return room;
    await drop(photo_id);
    const handle = await open(partPath(photo_id), 'w', FILE_MODE);
    incoming.set(photo_id, {
      filename: tidyName(filename),
      size,
      any: purpose === 'attachment',
      handle,
      hasher: createHasher(SEGMENT_SIZE),
      head: Buffer.alloc(0),
      received: 0,
    });
    return ok(null);
  };

  const write = async (photoId: string, offset: number, bytes: Uint8Array) => {
    const photo = incoming.get(photoId);
    if (!photo) return bad('This photo was not begun.', 'file_begun_anew');
    // What is no photo is refused by its first bytes, not after two gigabytes of it.
    if (!photo.any && offset === 0 && bytes.byteLength >= HEAD_BYTES && fileType(bytes) === null) {
      await drop(photoId);
      return badKind(bytes);
    }
    if (offset !== photo.received)
      return bad(`The next byte is ${photo.received}, not ${offset}.`, undefined, 'offset');
    const total = offset + bytes.byteLength;
    if (total > (photo.size ?? PHOTO_MAX_BYTES))
      return bad(
        `More bytes than the ${photo.size ?? PHOTO_MAX_BYTES} announced.`,
        'file_cut_short',
      );
    const room = await hasRoom(bytes.byteLength);
    if (!room.ok) {
      await drop(photoId);
      return room;
    }
    try {
      for (let at = 0; at < bytes.byteLength;) {
        const { bytesWritten } = await photo.handle.write(
          bytes,
          at,
          bytes.byteLength - at,
          offset + at,
        );
        at += bytesWritten;
      }
    } catch (error) {
      await drop(photoId);
      return failFile(error);
    }
    if (photo.head.length < HEAD_BYTES)
      photo.head = Buffer.concat([photo.head, bytes.subarray(0, HEAD_BYTES)]).subarray(
        0,
        HEAD_BYTES,
      );
    photo.hasher.update(bytes);
    photo.received = total;
    return ok({ received: total });
  };

  const judge = (photo: Incoming): Result<string> => {
    if (photo.received === 0) return bad('The file is empty.', 'file_empty');
    if (photo.size !== null && photo.size !== photo.received)
      return bad(`Only ${photo.received} of ${photo.size} bytes arrived.`, 'file_cut_short');
    const type = fileType(photo.head) ?? (photo.any ? OF_ANY_KIND : null);
    return type === null ? badKind(photo.head) : ok(type);
  };

  const keep = async (photoId: string, photo: Incoming, type: string): Promise<PhotoFacts> => {
    await photo.handle.sync();
    await photo.handle.close();
    const hashes = photo.hasher.finish();
    const facts: PhotoFacts = {
      photo_id: photoId,
      filename: photo.filename,
      content_type: type,
      size: hashes.size,
      sha256: hashes.sha256,
    };
    await rename(partPath(photoId), originalPath(facts));
    await syncFolder(originals);
    const whole: SpooledPhoto = {
      ...facts,
      segment_size: SEGMENT_SIZE,
      segments: [...hashes.segments],
    };
    await writeFileAtomic(metaPath(photoId), JSON.stringify(whole));
    (await indexed)?.put(whole);
    incoming.delete(photoId);
    return facts;
  };

  const finish = async (photoId: string): Promise<Result<PhotoFacts>> => {
    const photo = incoming.get(photoId);
    if (!photo) {
      // Asked twice (the first answer was lost): the same answer.
      const done = await find(photoId);
      return done.ok
        ? ok(photoFacts.parse(done.value))
        : bad('This photo was not begun.', 'file_begun_anew');
    }
    const type = judge(photo);
    if (!type.ok) {
      await drop(photoId);
      return type;
    }
    try {
      return ok(await alone(() => keep(photoId, photo, type.value)));
    } catch (error) {
      await drop(photoId);
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
      const { size } = await stat(originalPath(photo));
      return size === photo.size ? ok(photo) : damaged(photoId, 'changed');
    } catch (error) {
      return damaged(photoId, codeOf(error) === 'ENOENT' ? 'missing' : 'unreadable');
    }
  };

  const stream: Spool['stream'] = (photo, offset, length) =>
    createReadStream(originalPath(photo), {
      start: offset,
      end: offset + length - 1,
      highWaterMark: 64 * 1024,
    });

  const read: Spool['read'] = async (photoId, offset, length) => {
    const photo = await find(photoId);
    if (!photo.ok) return photo;
    const wanted = Math.max(0, Math.min(length, photo.value.size - offset));
    const bytes = new Uint8Array(wanted);
    try {
      const handle = await open(originalPath(photo.value), 'r');
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
    await rm(metaPath(photoId), { force: true });
    const last = all.drop(photoId);
    if (!photo || !last) return 0;
    await rm(originalPath(photo), { force: true });
    return photo.size;
  };

  const discard = async (photoId: string): Promise<Result<null>> => {
    await drop(photoId);
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
        // It went meanwhile.
      }
    return old;
  };

  return {
    begin: (photo) => inTurn(photo.photo_id, () => begin(photo)),
    write: (photoId, offset, bytes) => inTurn(photoId, () => write(photoId, offset, bytes)),
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
    usage: async () => (await index()).usage(),
    close: async () => {
      await Promise.all([...incoming.keys()].map(drop));
    },
  };
};
