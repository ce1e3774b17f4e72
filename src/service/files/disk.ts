/**
 * The file store in a folder. `write tmp -> fsync -> rename -> fsync dir`: a part has its name only when all of it is on
 * the disk, so a crash at any moment leaves either the whole part or a temporary file, and the temporary folder is
 * emptied at the next start. Names are made of the upload's uuid and the part's name, both ours: no name that a client
 * sent ever becomes a path (failures S12).
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  mkdir,
  open,
  readdir,
  readFile,
  stat,
  unlink,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { pipeline } from 'node:stream/promises';
import { move, removeFile, removeFolder } from '../../disk/patient.ts';
import { readSpans } from '../../disk/read-spans.ts';
import { giveBack } from '../../disk/spent.ts';
import { FileGone, NoRoom, type FileStore, type IncomingPart } from './file-store.ts';
import { piecesOf } from './pieces.ts';

/** Bytes collected before one write: fewer, larger writes are what makes a stream to disk fast. */
const BATCH = 512 * 1024;
const READ_CHUNK = 256 * 1024;
const DIGEST_CHUNK = 1024 * 1024;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Null for what is not there: another process may have been first. */
const orGone = async <T>(work: Promise<T>): Promise<T | null> => {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
};

/** ENOSPC and its cousins become `NoRoom`, everything else stays what it is. */
const withRoom = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(error)))
      throw new NoRoom('the disk of the file store is full', { cause: error });
    throw error;
  }
};

const syncFolder = async (path: string): Promise<void> => {
  if (process.platform === 'win32') return; // a folder cannot be opened there; NTFS journals the rename
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** `writev` may write less than it was given (always so just before a disk is full): go on with the rest. */
const writeAll = async (handle: FileHandle, batch: readonly Uint8Array[]): Promise<void> => {
  let rest = [...batch];
  while (rest.length > 0) {
    let { bytesWritten } = await handle.writev(rest);
    if (bytesWritten === 0) throw new NoRoom('the disk of the file store takes no more bytes');
    while (rest[0] && bytesWritten >= rest[0].byteLength) {
      bytesWritten -= rest[0].byteLength;
      rest = rest.slice(1);
    }
    if (rest[0] && bytesWritten > 0) rest = [rest[0].subarray(bytesWritten), ...rest.slice(1)];
  }
};

const incomingPart = (
  handle: FileHandle,
  temporary: string,
  place: (temporary: string) => Promise<void>,
): IncomingPart => {
  let batch: Uint8Array[] = [];
  let spentOnes: Uint8Array[] = [];
  let batched = 0;
  let writing: Promise<void> = Promise.resolve();
  let open = true;

  const flush = async (): Promise<void> => {
    await writing; // one write under way, one batch filling: that is all the memory a request takes
    const [full, done] = [batch, spentOnes];
    [batch, spentOnes] = [[], []];
    batched = 0;
    writing = withRoom(() => writeAll(handle, full)).then(() => done.forEach(giveBack));
    writing.catch(() => undefined); // seen by the next await
  };
  const close = async (): Promise<void> => {
    if (!open) return;
    open = false;
    await handle.close();
  };

  return {
    write: async (chunk, spent = false) => {
      batch.push(chunk);
      if (spent) spentOnes.push(chunk);
      batched += chunk.byteLength;
      if (batched >= BATCH) await flush();
    },
    commit: async () => {
      await flush();
      await writing;
      await withRoom(() => handle.datasync());
      await close();
      await withRoom(() => place(temporary));
    },
    abandon: async () => {
      await writing.catch(() => undefined);
      await close();
      await removeFile(temporary);
    },
  };
};

/**
 * Opens (and creates) the store in `folder`. Layout: `parts/<2 hex>/<uuid>.<name>` and `tmp/`.
 * The folder belongs to one process at a time; the service's lock on its data directory sees to that.
 */
export const openDiskStore = async (folder: string): Promise<FileStore> => {
  const temporaryFolder = join(folder, 'tmp');
  const partsFolder = join(folder, 'parts');
  await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });
  await mkdir(partsFolder, { recursive: true, mode: 0o700 });
  const shards = new Set<string>(await readdir(partsFolder));

  const shardOf = (upload: string): string => {
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(upload))
      throw new Error('not an upload of ours');
    return upload.slice(0, 2);
  };
  const pathOf = (upload: string, name: string): string => {
    if (!/^[a-z0-9-]{1,60}$/.test(name)) throw new Error('not a part of ours');
    return join(partsFolder, shardOf(upload), `${upload}.${name}`);
  };
  const place = async (upload: string, name: string, temporary: string): Promise<void> => {
    const shard = shardOf(upload);
    const shardFolder = join(partsFolder, shard);
    if (!shards.has(shard)) {
      await mkdir(shardFolder, { recursive: true, mode: 0o700 });
      await syncFolder(partsFolder);
      shards.add(shard);
    }
    await move(temporary, pathOf(upload, name));
    await syncFolder(shardFolder);
  };

  const namesOf = async (upload: string): Promise<readonly string[]> => {
    const entries = (await orGone(readdir(join(partsFolder, shardOf(upload))))) ?? [];
    return entries
      .filter((entry) => entry.startsWith(`${upload}.`))
      .map((entry) => entry.slice(upload.length + 1));
  };

  const openPiece = async (upload: string, name: string): Promise<FileHandle> => {
    try {
      return await open(pathOf(upload, name), 'r');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') throw new FileGone(`part ${name} of ${upload} is missing`);
      throw error;
    }
  };

  const read: FileStore['read'] = async (upload, parts, range) => {
    const pieces = piecesOf(parts, range);
    const [first, ...others] = pieces;
    if (!first) return Readable.from([]);
    const handle = await openPiece(upload, first.name); // so that a missing file is an answer, not a broken one
    const span = (piece: { start: number; end: number }) => ({
      start: piece.start,
      end: piece.end,
      highWaterMark: READ_CHUNK,
    });
    const head = createReadStream('', { fd: handle, ...span(first) });
    if (others.length === 0) return head;
    const joined = Readable.from(
      (async function* () {
        yield* head;
        for (const piece of others)
          yield* createReadStream(pathOf(upload, piece.name), span(piece));
      })(),
      { objectMode: false, highWaterMark: READ_CHUNK },
    );
    return joined.once('close', () => head.destroy()); // also when nobody ever read from it
  };

  const send: FileStore['send'] = async (upload, parts, range) => {
    const pieces = piecesOf(parts, range);
    const first = pieces[0] ? await openPiece(upload, pieces[0].name) : null; // a missing file is an answer
    const chunks = readSpans(
      pieces.map(({ name, start, end }, at) => ({
        open: () => (at === 0 && first ? Promise.resolve(first) : openPiece(upload, name)),
        start,
        length: end - start + 1,
      })),
    );
    const source = {
      pull: async (controller: ReadableStreamDefaultController<Uint8Array>) => {
        const next = await chunks.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: async () => {
        await chunks.return(undefined);
        await first?.close(); // also when nobody ever read from it
      },
    };
    return new ReadableStream(source, { highWaterMark: 0 });
  };

  /** Shards and the names in them are in the order of the uploads' uuids. */
  const walk: FileStore['walk'] = async (after, limit) => {
    const found = new Set<string>();
    for (const shard of (await readdir(partsFolder)).sort()) {
      if (shard < after.slice(0, 2)) continue;
      for (const entry of (await readdir(join(partsFolder, shard))).sort()) {
        const upload = entry.split('.', 1)[0] ?? '';
        if (upload <= after || found.has(upload)) continue;
        if (found.size === limit) return [...found];
        found.add(upload);
      }
    }
    return [...found];
  };

  /** Beside the folder, so that inside it is nothing but bytes of uploads. */
  const ownerFile = `${folder}.owner`;

  return {
    direct: null,
    walk,
    changedAt: async (upload) => {
      let newest: number | null = null;
      for (const name of await namesOf(upload)) {
        const found = await orGone(stat(pathOf(upload, name)));
        if (found) newest = Math.max(newest ?? 0, found.mtimeMs);
      }
      return newest;
    },
    owner: () => orGone(readFile(ownerFile, 'utf8')),
    // Whole or not at all: another process that finds half a name would think the files are somebody else's.
    claim: async (id) => {
      const fresh = `${ownerFile}.${randomUUID()}`;
      await writeFile(fresh, id, { mode: 0o600 });
      await move(fresh, ownerFile);
    },
    begin: async (upload, name) => {
      pathOf(upload, name);
      const temporary = join(temporaryFolder, randomUUID());
      const handle = await withRoom(() => open(temporary, 'wx', 0o600));
      return incomingPart(handle, temporary, (from) => place(upload, name, from));
    },
    digest: async (upload, parts) => {
      const hash = createHash('sha256');
      const buffer = Buffer.allocUnsafe(DIGEST_CHUNK); // one for all of it: a stream would make garbage of every chunk
      for (const part of parts) {
        const handle = await openPiece(upload, part.name);
        try {
          for (let left = part.size; left > 0;) {
            const { bytesRead } = await handle.read(buffer, 0, Math.min(left, DIGEST_CHUNK), null);
            if (bytesRead === 0) throw new FileGone(`part ${part.name} of ${upload} is cut off`);
            hash.update(buffer.subarray(0, bytesRead));
            left -= bytesRead;
          }
        } finally {
          await handle.close();
        }
      }
      return hash.digest('hex');
    },
    read,
    send,
    local: async (upload, parts) => {
      const only = parts[0];
      if (only && parts.length === 1) {
        await (await openPiece(upload, only.name)).close();
        return { path: pathOf(upload, only.name), release: () => Promise.resolve() };
      }
      const path = join(temporaryFolder, randomUUID());
      const release = () => removeFile(path);
      try {
        const source = await read(upload, parts, null);
        const handle = await withRoom(() => open(path, 'wx', 0o600));
        await withRoom(() => pipeline(source, handle.createWriteStream()));
      } catch (error) {
        await release();
        throw error;
      }
      return { path, release };
    },
    sizeOf: async (upload, name) => (await orGone(stat(pathOf(upload, name))))?.size ?? null,
    list: namesOf,
    removePart: (upload, name) => removeFile(pathOf(upload, name)),
    remove: async (upload) => {
      let last = false;
      for (const name of await namesOf(upload))
        last = (await orGone(unlink(pathOf(upload, name)).then(() => true))) ?? false;
      return last;
    },
    clean: async () => {
      for (const name of await readdir(temporaryFolder))
        await removeFolder(join(temporaryFolder, name));
    },
    check: async () => {
      await stat(partsFolder);
      const probe = join(temporaryFolder, `probe-${randomUUID()}`);
      await (await open(probe, 'wx', 0o600)).close();
      await removeFile(probe);
    },
  };
};
