/** A peer of `uploads`, on the service's core: s3rver, a test server of the S3 API, on a folder. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import S3rver from 's3rver';

const [directory = ''] = process.argv.slice(2);
mkdirSync(join(directory, 'photos'), { recursive: true });
const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory });
const { port } = await server.run();
console.log(JSON.stringify({ port }));
