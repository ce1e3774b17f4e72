/**
 * A peer of `uploads` in a separate process: lib-storage of the AWS SDK with its defaults, parts of 8 MiB, no verification.
 * Each input line is `{url, paths, at_once}`, answered with the milliseconds until the last file was accepted.
 */
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { answerJobs } from './jobs.js';

const PART = 8 * 1024 * 1024;

/** The credentials built into s3rver. */
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

let client;
await answerJobs(async (endpoint, path) => {
  client ??= new S3Client({ endpoint, credentials, region: 'eu-west-1', forcePathStyle: true });
  const params = { Bucket: 'photos', Key: basename(path), Body: createReadStream(path) };
  await new Upload({ client, params, partSize: PART }).done();
});
