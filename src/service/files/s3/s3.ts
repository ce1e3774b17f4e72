/**
 * File store in a bucket of S3 or a compatible server. Clients write objects `<prefix><store
 * id>/incoming/<upload>/<part>` (s3-direct.ts); the service writes `…/kept/<upload>/<part>`. The store id belongs to
 * one database, so two services can share a bucket without sweeping each other's files. A file stays a list of parts:
 * S3's multipart upload needs parts of 5 MiB, but the API allows segments of 256 KiB. All reads go through the
 * service with its signed URLs and headers, so that HTML is never served inline (decisions §5.8).
 */
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { removeFile, removeFolder } from '../../../disk/retry-busy-file.ts';
import { FileGone, type FileStore, type IncomingPart } from '../file-store.ts';
import { piecesOf, type Piece } from '../pieces.ts';
import type { S3Address } from './s3-address.ts';
import { bytesOf, isMissing, listAll, listFolders, type Bucket } from './s3-bucket.ts';
import { directUploads } from './s3-direct.ts';

/** The service writes only small parts (thumbnails) and buffers each in memory. */
const OWN_PART_MAX = 32 * 1024 * 1024;
const DELETE_BATCH = 1000;

const bucketAt = (address: S3Address, id: string): Bucket => {
  const base = `${address.prefix}${id}/`;
  return {
    client: new S3Client({
      region: address.region,
      forcePathStyle: address.path_style,
      ...(address.endpoint === undefined ? {} : { endpoint: address.endpoint }),
      // Some compatible servers lack the newer checksums; the service verifies sha256 anyway.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: 5000, socketTimeout: 60_000 },
    }),
    name: address.bucket,
    region: address.region,
    base,
    incoming: (upload, name) => `${base}incoming/${upload}/${name}`,
    kept: (upload, name) => `${base}kept/${upload}/${name}`,
  };
};

const incomingPart = (put: (bytes: Buffer) => Promise<void>): IncomingPart => {
  let chunks: Uint8Array[] = [];
  let size = 0;
  return {
    write: (chunk) => {
      size += chunk.byteLength;
      if (size > OWN_PART_MAX)
        return Promise.reject(new Error(`a part of the service's own above ${OWN_PART_MAX} bytes`));
      chunks.push(chunk);
      return Promise.resolve();
    },
    commit: () => put(Buffer.concat(chunks)),
    abandon: () => {
      chunks = [];
      return Promise.resolve();
    },
  };
};

const openPiece = async (bucket: Bucket, upload: string, piece: Piece): Promise<Readable> => {
  try {
    const { Body } = await bucket.client.send(
      new GetObjectCommand({
        Bucket: bucket.name,
        Key: bucket.kept(upload, piece.name),
        Range: `bytes=${piece.start}-${piece.end}`,
      }),
    );
    return Body as Readable;
  } catch (error) {
    if (isMissing(error)) throw new FileGone(`part ${piece.name} of ${upload} is missing`);
    throw error;
  }
};

const readParts =
  (bucket: Bucket): FileStore['read'] =>
  async (upload, parts, range) => {
    const [first, ...others] = piecesOf(parts, range);
    if (!first) return Readable.from([]);
    const head = await openPiece(bucket, upload, first); // a missing file becomes an error response
    if (others.length === 0) return head;
    const joined = Readable.from(
      (async function* () {
        yield* head;
        for (const piece of others) yield* await openPiece(bucket, upload, piece);
      })(),
      { objectMode: false },
    );
    return joined.once('close', () => head.destroy());
  };

/** Deletes everything below a prefix, a thousand objects per request. */
const removeAll = async (bucket: Bucket, prefix: string): Promise<boolean> => {
  const keys = (await listAll(bucket, prefix)).map(({ key }) => ({ Key: key }));
  for (let from = 0; from < keys.length; from += DELETE_BATCH) {
    const Objects = keys.slice(from, from + DELETE_BATCH);
    const answer = await bucket.client.send(
      new DeleteObjectsCommand({ Bucket: bucket.name, Delete: { Objects, Quiet: true } }),
    );
    const [failed] = answer.Errors ?? [];
    if (failed) throw new Error(`the bucket kept ${failed.Key ?? ''}: ${failed.Message ?? ''}`);
  }
  return keys.length > 0;
};

/** Opens the store. `id`: this database's prefix in the bucket. `temporary`: a folder that only this process uses. */
export const openS3Store = async (
  address: S3Address,
  id: string,
  temporary: string,
): Promise<FileStore> => {
  const bucket = bucketAt(address, id);
  const { client, name: Bucket } = bucket;
  const read = readParts(bucket);
  const kept = (upload: string, name: string) => ({ Bucket, Key: bucket.kept(upload, name) });
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  return {
    direct: await directUploads(bucket),
    walk: async (after, limit) => {
      const lists = await Promise.all(
        ['incoming/', 'kept/'].map((folder) =>
          listFolders(bucket, bucket.base + folder, after, limit),
        ),
      );
      return [...new Set(lists.flat())].sort().slice(0, limit);
    },
    changedAt: async (upload) => {
      const folders = [bucket.incoming(upload, ''), bucket.kept(upload, '')];
      const found = await Promise.all(folders.map((folder) => listAll(bucket, folder)));
      const times = found.flat().map(({ changed_at }) => changed_at);
      return times.length === 0 ? null : Math.max(...times);
    },
    // Keys contain the database's id, so objects below them belong to no other database.
    owner: () => Promise.resolve(id),
    claim: () => Promise.resolve(),
    begin: (upload, name) =>
      Promise.resolve(
        incomingPart(async (Body) => {
          await client.send(new PutObjectCommand({ ...kept(upload, name), Body }));
        }),
      ),
    digest: async (upload, parts, before) => {
      const hash = createHash('sha256');
      if (before) hash.update(before);
      for await (const chunk of bytesOf(await read(upload, parts, null))) hash.update(chunk);
      return hash.digest('hex');
    },
    read,
    send: read,
    local: async (upload, parts) => {
      const path = join(temporary, randomUUID());
      const release = () => removeFile(path);
      try {
        const to = createWriteStream(path, { flags: 'wx', mode: 0o600 });
        await pipeline(bytesOf(await read(upload, parts, null)), to);
      } catch (error) {
        await release();
        throw error;
      }
      return { path, release };
    },
    sizeOf: async (upload, name) => {
      try {
        return (await client.send(new HeadObjectCommand(kept(upload, name)))).ContentLength ?? 0;
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    list: async (upload) =>
      (await listAll(bucket, bucket.kept(upload, ''))).map(({ key }) =>
        key.slice(bucket.kept(upload, '').length),
      ),
    removePart: async (upload, name) => {
      await client.send(new DeleteObjectCommand(kept(upload, name)));
    },
    remove: async (upload) => {
      const arrived = await removeAll(bucket, bucket.incoming(upload, ''));
      return (await removeAll(bucket, bucket.kept(upload, ''))) || arrived;
    },
    clean: async () => {
      for (const name of await readdir(temporary)) await removeFolder(join(temporary, name));
    },
    check: async () => {
      await client.send(new HeadBucketCommand({ Bucket }));
    },
  };
};
