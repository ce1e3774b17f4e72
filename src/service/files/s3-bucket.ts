/** The bucket as both halves of the S3 store see it: the client, the keys, and listing page by page. */
import type { Readable } from 'node:stream';
import { ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { FilesUnavailable } from './file-store.ts';

export interface Bucket {
  readonly client: S3Client;
  readonly name: string;
  readonly region: string;
  /** Below it live this service's objects and nobody else's. Ends with a slash. */
  readonly base: string;
  /** Where clients write. */
  incoming(upload: string, name: string): string;
  /** Where only the service writes, and everything is read from. */
  kept(upload: string, name: string): string;
}

/** Is this the bucket's way to say that there is no such object? */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && ['NoSuchKey', 'NotFound'].includes(error.name);

export interface Stored {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** Without quotes. */
  readonly etag: string;
  /** Milliseconds since the epoch. A bucket that does not tell: never old. */
  readonly changed_at: number;
}

/** What is read of an object. @throws {FilesUnavailable} where the connection ends in the middle */
export async function* bytesOf(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    throw new FilesUnavailable('the bucket broke off', { cause: error });
  }
}

/** Every object below a prefix. */
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

/** The names of the folders right below a prefix, after this one, in order. */
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
      // "0" is the character after "/": past everything inside that folder.
      ...(after === '' ? {} : { StartAfter: `${prefix}${after}0` }),
    }),
  );
  return (page.CommonPrefixes ?? []).flatMap(({ Prefix }) =>
    Prefix === undefined ? [] : [Prefix.slice(prefix.length, -1)],
  );
};
