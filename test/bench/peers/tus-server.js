/** The peer of `uploads`, on the service's core: @tus/server on a folder, which checks no bytes. */
import { Server } from '@tus/server';
import { FileStore } from '@tus/file-store';

const [directory] = process.argv.slice(2);
const tus = new Server({ path: '/files', datastore: new FileStore({ directory }) });
const server = tus.listen({ host: '127.0.0.1', port: 0 }, () =>
  console.log(JSON.stringify({ port: server.address().port })),
);
