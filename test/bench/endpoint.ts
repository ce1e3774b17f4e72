/**
 * A healthy webhook endpoint in a separate process: answers 200 to everything. Each input line is a number n; it is answered
 * once n requests have come since the last line.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

let [came, first, wanted] = [0, 0, Infinity];

const tell = (): void => {
  if (came < wanted) return;
  console.log(JSON.stringify({ ms: performance.now() - first, came }));
  [came, wanted] = [0, Infinity];
};

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    if (came === 0) first = performance.now();
    came += 1;
    response.end();
    tell();
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}/hook` }));
});
createInterface({ input: process.stdin })
  .on('line', (line) => {
    wanted = Number(line);
    tell();
  })
  .on('close', () => process.exit(0));
