/**
 * A database that is farther away: a TCP door on a free port that hands on to a Unix socket, every byte towards the database
 * some milliseconds late. A process of its own, so that a busy client does not make it later.
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
