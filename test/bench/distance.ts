/**
 * Imitates a distant database: a TCP relay on a free port to a Unix socket that delays every byte towards the database. A
 * separate process, so that a busy client does not delay it further.
 */
import { createServer, connect, type AddressInfo } from 'node:net';

const [socket = '', delay = '0'] = process.argv.slice(2);

const server = createServer({ noDelay: true }, (near) => {
  const far = connect(socket);
  near.on('data', (chunk) => setTimeout(() => far.write(chunk), Number(delay)));
  near.on('end', () => setTimeout(() => far.end(), Number(delay)));
  far.pipe(near);
  near.on('error', () => far.destroy());
  far.on('error', () => near.destroy());
});
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
});
