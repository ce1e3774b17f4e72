/**
 * A line that cuts every connection after a second and carries a limited number of bytes a second each way (0: unlimited): a
 * TCP relay on a free port to one port of this machine. Each input line is answered with the bytes sent towards that port, and
 * the cuts, since the last one.
 */
import { connect, createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { Transform } from 'node:stream';

const [port = '0', every = '1000', rate = '0'] = process.argv.slice(2);

/** Timers are a millisecond late, so shorter waits are accumulated instead. */
const SHORTEST_MS = 4;

/** One direction of the line, whose capacity all connections share. */
const createWay = () => {
  let freeAt = 0;
  return () =>
    new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        if (Number(rate) === 0) return done(null, chunk);
        const now = performance.now();
        freeAt = Math.max(now, freeAt) + (chunk.length / Number(rate)) * 1000;
        if (freeAt - now < SHORTEST_MS) return done(null, chunk);
        setTimeout(done, freeAt - now, null, chunk);
      },
    });
};
const [out, back] = [createWay(), createWay()];

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
  near.pipe(out()).pipe(far);
  far.pipe(back()).pipe(near);
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
