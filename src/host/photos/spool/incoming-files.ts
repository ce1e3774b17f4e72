/**
 * Receives photos for the spool (spool.ts): bytes are appended to a file in `incoming/` and hashed as they arrive. A
 * file is refused as early as possible: not a photo by its first bytes, too large, or more than the disk takes. Photos
 * are refused before the disk is full, so that a record's text still fits (failures A16).
 */
import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { portableName } from '../../../contract/file-name.ts';
import { fileType, HEAD_BYTES, notAPhoto, OF_ANY_KIND } from '../../../contract/file-type.ts';
import { fail, type InputFault, ok, type Problem, type Result } from '../../../contract/problem.ts';
import { removeFile, removeFolder } from '../../../disk/retry-busy-file.ts';
import { ensureFolder, failFile, FILE_MODE } from '../../lib/files.ts';
import { capturedIn, createHasher, type PhotoHashes, SEGMENT_SIZE } from '../hash.ts';

const PHOTO_MAX_BYTES = 10_000 * SEGMENT_SIZE;
/** Bytes kept free for records; no photo may use them. */
export const KEEP_FREE_BYTES = 64 * 1024 * 1024;

export interface Announced {
  readonly photo_id: string;
  readonly filename: string;
  /** Bytes, if known. */
  readonly size: number | null;
  /** `attachment`: any file type; otherwise only photos and videos are accepted. */
  readonly purpose?: 'photo' | 'attachment' | undefined;
}

/** A photo that is completely on disk and hashed. */
interface Arrived {
  readonly path: string;
  readonly filename: string;
  readonly segment_size: number;
  readonly hashes: PhotoHashes;
}

export interface Arrivals {
  /** A second call with the same id starts over. */
  begin(photo: Announced): Promise<Result<null>>;
  write(photoId: string, offset: number, bytes: Uint8Array): Promise<Result<{ received: number }>>;
  /** The type of a complete photo, or why it is refused; null if it was not begun. */
  judge(photoId: string): Result<string> | null;
  /** Closes its file, fsynced; a repeated call returns the same. The photo stays known until `moved` or `drop`. */
  seal(photoId: string): Promise<Arrived>;
  /** The photo's file was moved elsewhere. */
  moved(photoId: string): void;
  /** Forgets the photo and deletes its bytes. */
  drop(photoId: string): Promise<void>;
  close(): Promise<void>;
}

interface Incoming {
  readonly filename: string;
  readonly size: number | null;
  /** True if any file type is accepted. */
  readonly any: boolean;
  readonly handle: FileHandle;
  readonly segment_size: number;
  readonly hasher: ReturnType<typeof createHasher>;
  head: Buffer;
  received: number;
  /** Set once its file is closed. */
  sealed?: Promise<PhotoHashes>;
}

const bad = (message: string, fault?: InputFault, field = 'photo'): Result<never> =>
  fail({ kind: 'bad_input', messages: [message], fields: { [field]: [message] }, fault });

const badKind = (head: Uint8Array): Result<never> =>
  bad('The file is no photo or video of a kind that is taken.', notAPhoto(head));

/** An id always names the same bytes, so a queued photo never becomes another picture. */
export const knownId = (): Result<never> =>
  bad('This id belongs to a photo with other bytes.', 'file_known', 'photo_id');

export const notBegun = (): Result<never> => bad('This photo was not begun.', 'file_begun_anew');

const noRoom = (detail: string): Problem => ({ kind: 'no_space', detail });

const NAME_MAX = 180;

/** A display name: the last path segment, portable between systems. Never used as a path here. */
export const tidyName = (given: string): string =>
  portableName(given.split(/[/\\]/).pop() ?? '', NAME_MAX) || 'photo';

/**
 * @param space the folder on the disk that must keep free space
 * @param free returns the free bytes of that disk
 */
export const openArrivals = async (
  space: string,
  folder: string,
  free: (folder: string) => Promise<number>,
): Promise<Arrivals> => {
  // An unfinished file was never acknowledged, so the window starts it again.
  await removeFolder(folder);
  await ensureFolder(folder);
  const incoming = new Map<string, Incoming>();
  const partPath = (photoId: string) => join(folder, photoId);

  const hasRoom = async (bytes: number): Promise<Result<null>> => {
    const left = (await free(space)) - bytes;
    return left >= KEEP_FREE_BYTES
      ? ok(null)
      : fail(noRoom('too little space is left on this laptop for another photo'));
  };

  const drop = async (photoId: string): Promise<void> => {
    const was = incoming.get(photoId);
    incoming.delete(photoId);
    await was?.handle.close().catch(() => undefined);
    await removeFile(partPath(photoId));
  };

  const begin: Arrivals['begin'] = async ({ photo_id, filename, size, purpose }) => {
    if ((size ?? 0) > PHOTO_MAX_BYTES)
      return bad(`A file may have at most ${PHOTO_MAX_BYTES} bytes.`, 'file_too_large');
    const room = await hasRoom(size ?? 0);
    if (!room.ok) return room;
    await drop(photo_id);
    const handle = await open(partPath(photo_id), 'w', FILE_MODE);
    const segment_size = capturedIn(size);
    incoming.set(photo_id, {
      filename: tidyName(filename),
      size,
      any: purpose === 'attachment',
      handle,
      segment_size,
      hasher: createHasher(segment_size),
      head: Buffer.alloc(0),
      received: 0,
    });
    return ok(null);
  };

  const write: Arrivals['write'] = async (photoId, offset, bytes) => {
    const photo = incoming.get(photoId);
    if (!photo) return notBegun();
    // Anything but a photo is refused by its first bytes, not after two gigabytes.
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

  const judge: Arrivals['judge'] = (photoId) => {
    const photo = incoming.get(photoId);
    if (!photo) return null;
    if (photo.received === 0) return bad('The file is empty.', 'file_empty');
    if (photo.size !== null && photo.size !== photo.received)
      return bad(`Only ${photo.received} of ${photo.size} bytes arrived.`, 'file_cut_short');
    const type = fileType(photo.head) ?? (photo.any ? OF_ANY_KIND : null);
    return type === null ? badKind(photo.head) : ok(type);
  };

  const seal: Arrivals['seal'] = async (photoId) => {
    const photo = incoming.get(photoId);
    if (!photo) throw new Error('a photo that was not begun is sealed');
    photo.sealed ??= (async () => {
      await photo.handle.sync();
      await photo.handle.close();
      return photo.hasher.finish();
    })();
    const hashes = await photo.sealed;
    const { filename, segment_size } = photo;
    return { path: partPath(photoId), filename, segment_size, hashes };
  };

  return {
    begin,
    write,
    judge,
    seal,
    moved: (photoId) => void incoming.delete(photoId),
    drop,
    close: async () => {
      await Promise.all([...incoming.keys()].map(drop));
    },
  };
};
