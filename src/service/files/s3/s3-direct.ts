/**
 * Presigns uploads from clients to the bucket (decisions §5.1, §5.2, §5.5). The AWS SDK makes the form and its
 * policy. Segments are signed with their headers (sha256, md5, length), so that S3 refuses any other bytes. Clients
 * write below `incoming/`, which is never served: a form stays valid for its hour and must not replace a photo that
 * was already checked. `keep` copies to `kept/`, where no client can write, and reads every byte, because other S3
 * servers verify less than Amazon's.
 */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { CopyObjectCommand, DeleteObjectCommand, GetObjectCommand } from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { SignatureV4 } from '@smithy/signature-v4';
import { type AnnouncedPart, type DirectUploads, FileGone, WrongBytes } from '../file-store.ts';
import { bytesOf, isMissing, listAll, type Bucket } from './s3-bucket.ts';

/** Concurrent requests to the bucket for one completion. */
const AT_ONCE = 8;
/** Maximum validity of a version 4 signature. */
const LONGEST_MS = 7 * 86_400_000;

const seconds = (ms: number): number => Math.max(1, Math.ceil(Math.min(ms, LONGEST_MS) / 1000));

const copyAll = async (
  bucket: Bucket,
  upload: string,
  parts: readonly AnnouncedPart[],
): Promise<void> => {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let part = parts[next++]; part; part = parts[next++]) {
      const source = `${bucket.name}/${bucket.incoming(upload, part.name)}`;
      try {
        await bucket.client.send(
          new CopyObjectCommand({
            Bucket: bucket.name,
            Key: bucket.kept(upload, part.name),
            CopySource: source.split('/').map(encodeURIComponent).join('/'),
          }),
        );
      } catch (error) {
        if (isMissing(error)) throw new FileGone(`part ${part.name} of ${upload} is missing`);
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, parts.length) }, worker));
};

/** Reads the kept parts in order and compares each with its announcement. */
const readAll = async (bucket: Bucket, upload: string, parts: readonly AnnouncedPart[]) => {
  const whole = { sha256: createHash('sha256'), md5: createHash('md5') };
  let size = 0;
  for (const [index, part] of parts.entries()) {
    const own = createHash('sha256');
    let length = 0;
    const Key = bucket.kept(upload, part.name);
    const { Body } = await bucket.client.send(new GetObjectCommand({ Bucket: bucket.name, Key }));
    for await (const chunk of bytesOf(Body as Readable)) {
      for (const hash of [own, whole.sha256, whole.md5]) hash.update(chunk);
      length += chunk.length;
    }
    const sha256 = own.digest('hex');
    if (length !== part.size)
      throw new WrongBytes(index, `has ${length} bytes in the store, announced were ${part.size}`);
    if (part.sha256 !== null && sha256 !== part.sha256)
      throw new WrongBytes(index, `has sha256 ${sha256} in the store`);
    size += length;
  }
  return { size, sha256: whole.sha256.digest('hex'), md5: whole.md5.digest('hex') };
};

/** The bucket's URL according to the SDK. */
const bucketUrl = async (bucket: Bucket): Promise<URL> =>
  new URL((await createPresignedPost(bucket.client, { Bucket: bucket.name, Key: 'x' })).url);

export const directUploads = async (bucket: Bucket): Promise<DirectUploads> => {
  const { client } = bucket;
  const at = await bucketUrl(bucket);
  const signer = new SignatureV4({
    service: 's3',
    region: bucket.region,
    credentials: client.config.credentials,
    sha256: client.config.sha256,
    uriEscapePath: false,
    applyChecksum: false,
  });
  return {
    form: (upload, { valid_ms, max_size, size }) =>
      createPresignedPost(client, {
        Bucket: bucket.name,
        Key: bucket.incoming(upload, 'form'),
        Conditions: [['content-length-range', size ?? 0, size ?? max_size]],
        Expires: seconds(valid_ms),
      }),
    segment: async (upload, name, segment, valid_ms) => {
      const headers = {
        'x-amz-content-sha256': segment.sha256,
        ...(segment.md5 === null
          ? {}
          : { 'content-md5': Buffer.from(segment.md5, 'hex').toString('base64') }),
        'content-length': String(segment.size),
      };
      const path = `${at.pathname.replace(/\/$/, '')}/${bucket.incoming(upload, name)}`;
      const signed = await signer.presign(
        {
          method: 'PUT',
          protocol: at.protocol,
          hostname: at.hostname,
          ...(at.port === '' ? {} : { port: Number(at.port) }),
          path,
          query: {},
          headers: { host: at.host, ...headers },
        },
        {
          expiresIn: seconds(valid_ms),
          unhoistableHeaders: new Set(['x-amz-content-sha256']),
        },
      );
      const query = new URLSearchParams(signed.query as Record<string, string>);
      return { url: `${at.origin}${path}?${query.toString()}`, headers };
    },
    arrived: async (upload) =>
      new Map(
        (await listAll(bucket, bucket.incoming(upload, ''))).map(({ key, size, etag }) => [
          key.slice(bucket.incoming(upload, '').length),
          { size, etag },
        ]),
      ),
    keep: async (upload, parts) => {
      await copyAll(bucket, upload, parts);
      return readAll(bucket, upload, parts);
    },
    discard: async (upload, name) => {
      for (const Key of [bucket.incoming(upload, name), bucket.kept(upload, name)])
        await client.send(new DeleteObjectCommand({ Bucket: bucket.name, Key }));
    },
  };
};
