/**
 * Starts a bucket to test against: s3rver, a server that speaks S3 and checks version 4 signatures. src/service/administration.md says
 * what it does not check. It cannot verify signed requests to the bucket itself (listing, HEAD), so its signature check is off
 * for those.
 */
import { createRequire } from 'node:module';
import { onTestFinished } from 'vitest';
import { tempDir } from './service.ts';

interface Context {
  path: string;
  app: object;
}
interface Server {
  middleware: ((context: Context, next: () => Promise<void>) => Promise<void>)[];
  run(): Promise<{ readonly port: number }>;
  close(): Promise<void>;
}
type ServerClass = new (options: Readonly<Record<string, unknown>>) => Server;

export interface TestBucket {
  readonly endpoint: string;
  /** Value for `--file-store`. */
  readonly address: string;
  /** Folder of its objects. */
  readonly folder: string;
}

/** Credentials that the server accepts. */
export const credentials = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };

/** Starts a bucket that ends with the test. */
export const startBucket = async (): Promise<TestBucket> => {
  const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as ServerClass;
  const dir = tempDir('s3');
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: dir.path,
    configureBuckets: [{ name: 'photos' }],
  });
  server.middleware.unshift(async (context, next) => {
    if (/^\/photos\/?$/.test(context.path))
      context.app = Object.create(context.app, {
        allowMismatchedSignatures: { value: true },
      }) as object;
    await next();
  });
  const { port } = await server.run();
  onTestFinished(async () => {
    await server.close();
    dir.remove();
  });
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    endpoint,
    address: `s3://photos/spotter?endpoint=${endpoint}&region=eu-central-1`,
    folder: dir.path,
  };
};
