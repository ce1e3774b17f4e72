/**
 * A line that cuts every connection a second after it was made: a TCP door on a free port before one port of this machine. Each line of its input is answered with the bytes
 * that went towards that port, and the cuts, since the last.
 */
import { connect, createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

const [port = '0', every = '1000'] = process.argv.slice(2);
let [bytes, cuts] = [0, 0];

const server = createServer({ noDelay: true }, (near) => {
  const far = connect({ port: Number(port), host: '127.0.0.1', noDelay: true });
  const cut = setTimeout(() => {
    cuts += 1;
    near.resetAndDestroy();
    far.resetAndDestroy();
  }, Number(every));
  near.on('data', (chunk) => {
    bytes += chunk.length;
  });
  near.pipe(far);
  far.pipe(near);
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    one.on('error', () => other.destroy());
    one.on('close', () => {
      clearTimeout(cut);
      other.destroy();
    });
  }
});
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
});
createInterface({ input: process.stdin })
  .on('line', () => {
    console.log(JSON.stringify({ bytes, cuts }));
    [bytes, cuts] = [0, 0];
  })
  .on('close', () => process.exit(0));
