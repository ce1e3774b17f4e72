/** Client, keys and paged listing of the bucket, shared by both halves of the S3 store. */
import type { Readable } from 'node:stream';
import { ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { FilesUnavailable } from '../file-store.ts';

export interface Bucket {
  readonly client: S3Client;
  readonly name: string;
  readonly region: string;
  /** Prefix of this service's objects; no other service uses it. Ends with a slash. */
  readonly base: string;
  /** Key that clients write to. */
  incoming(upload: string, name: string): string;
  /** Key that only the service writes to; all reads use it. */
  kept(upload: string, name: string): string;
}

/** True if the error means that the object does not exist. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && ['NoSuchKey', 'NotFound'].includes(error.name);

export interface Stored {
  readonly key: string;
  readonly size: number;
  /** Without quotes. */
  readonly etag: string;
  /** Milliseconds since the epoch. Infinity if the bucket does not report it, so that the object never counts as old. */
  readonly changed_at: number;
}

/** Yields the bytes of an object. @throws {FilesUnavailable} if the connection ends in the middle */
export async function* bytesOf(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    throw new FilesUnavailable('the bucket broke off', { cause: error });
  }
}

export const listAll = async (bucket: Bucket, prefix: string): Promise<readonly Stored[]> => {
  const found: Stored[] = [];
  let token: string | undefined;
  do {
    const page = await bucket.client.send(
      new ListObjectsV2Command({
        Bucket: bucket.name,
        Prefix: prefix,
        ...(token === undefined ? {} : { ContinuationToken: token }),
      }),
    );
    for (const { Key = '', Size = 0, ETag = '', LastModified } of page.Contents ?? [])
      found.push({
        key: Key,
        size: Size,
        etag: ETag.replaceAll('"', ''),
        changed_at: LastModified?.getTime() ?? Infinity,
      });
    token = page.NextContinuationToken;
  } while (token !== undefined);
  return found;
};

/** Names of the folders directly below a prefix, after this one, in order. */
export const listFolders = async (
  bucket: Bucket,
  prefix: string,
  after: string,
  limit: number,
): Promise<readonly string[]> => {
  const page = await bucket.client.send(
    new ListObjectsV2Command({
      Bucket: bucket.name,
      Prefix: prefix,
      Delimiter: '/',
      MaxKeys: Math.min(limit, 1000),
      // "0" follows "/" in ASCII, so this skips everything inside that folder.
      ...(after === '' ? {} : { StartAfter: `${prefix}${after}0` }),
    }),
  );
  return (page.CommonPrefixes ?? []).flatMap(({ Prefix }) =>
    Prefix === undefined ? [] : [Prefix.slice(prefix.length, -1)],
  );
};
