/** Reading parts of files into a reused buffer, and releasing buffers: on real files and sockets. */
import { createHash, randomBytes } from 'node:crypto';
import { open, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readSpans } from '../../src/disk/read-spans.ts';
import { giveBack } from '../../src/disk/release-buffer.ts';
import { createTransport } from '../../src/host/http/http-client.ts';
import { ok } from '../../src/contract/problem.ts';
import { temporaryFolder } from './fixtures/folder.ts';

const KIB = 1024;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const aFile = async (size: number) => {
  const path = join(await temporaryFolder(), 'file');
  const bytes = randomBytes(size);
  await writeFile(path, bytes);
  const span = (start: number, length: number) => ({
    open: () => open(path, 'r'),
    start,
    length,
  });
  return { bytes, span };
};

it('spans of any size come one after the other, in full pieces but the last, each whole until the next is asked for', async () => {
  const { bytes, span } = await aFile(900 * KIB);
  const spans = [span(10, 3), span(0, 256 * KIB), span(5, 0), span(700, 300 * KIB), span(1, 1)];
  const pieces: Buffer[] = [];
  for await (const piece of readSpans(spans)) pieces.push(Buffer.from(piece));
  const whole = spans.map(({ start, length }) => bytes.subarray(start, start + length));
  expect(sha256(Buffer.concat(pieces))).toBe(sha256(Buffer.concat(whole)));
  expect(pieces.map(({ length }) => length)).toEqual([256 * KIB, 256 * KIB, 44 * KIB + 4]);
});

it('the last piece has memory of its own: others who read afterwards do not change it', async () => {
  const { bytes, span } = await aFile(600 * KIB);
  let last: Uint8Array = new Uint8Array();
  for await (const piece of readSpans([span(0, 300 * KIB)])) last = piece;
  for await (const piece of readSpans([span(300 * KIB, 300 * KIB)])) void piece;
  expect(sha256(last)).toBe(sha256(bytes.subarray(256 * KIB, 300 * KIB)));
});

it('a file that is shorter than it was is an error, and one that is not there too', async () => {
  const { span } = await aFile(300 * KIB);
  const read = async (from: AsyncIterable<Uint8Array>) => {
    for await (const piece of from) void piece;
  };
  await expect(read(readSpans([span(0, 301 * KIB)]))).rejects.toThrow('fewer bytes');
  const gone = { open: () => open('/nowhere/at/all', 'r'), start: 0, length: 1 };
  await expect(read(readSpans([gone]))).rejects.toThrow('ENOENT');
});

it('sent over many connections to a server that takes its time, every byte is the file’s', async () => {
  const { bytes, span } = await aFile(3000 * KIB + 11);
  const server = createServer((incoming, answer) => {
    const hash = createHash('sha256');
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      hash.update(chunk);
      size += chunk.length;
      incoming.pause();
      setImmediate(() => setImmediate(() => incoming.resume()));
    });
    incoming.on('end', () => answer.end(`${size} ${hash.digest('hex')}`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const transport = createTransport();
  onTestFinished(() => transport.stop());
  const send = async (start: number, length: number) => {
    const said: Buffer[] = [];
    const done = await transport.exchange(
      {
        method: 'PUT',
        url,
        headers: { 'content-length': String(length) },
        body: () => readSpans([span(start, length)]),
      },
      async (incoming) => {
        const read = await incoming.read(1000, (chunk) => said.push(Buffer.from(chunk)));
        return read.ok ? ok(null) : read;
      },
    );
    expect(done.ok).toBe(true);
    const part = bytes.subarray(start, start + length);
    expect(Buffer.concat(said).toString()).toBe(`${length} ${sha256(part)}`);
  };
  const lengths = [256 * KIB, 512 * KIB, 512 * KIB + 1, 2000 * KIB + 7, 70 * KIB, 1];
  const all = lengths.flatMap((length) => [0, 1, 999 * KIB + 4].map((start) => [start, length]));
  await Promise.all(all.map(([start = 0, length = 0]) => send(start, length)));
});

it('memory is given back of what comes from a socket, and never of a part of something larger', async () => {
  const larger = new Uint8Array(100);
  giveBack(larger.subarray(0, 50));
  giveBack(larger.subarray(1));
  const pooled = Buffer.from('in a pool with others');
  giveBack(pooled);
  expect([larger.length, pooled.toString()]).toEqual([100, 'in a pool with others']);
  const came: Buffer[] = [];
  const server = createServer((incoming, answer) => {
    incoming.on('data', (chunk: Buffer) => {
      giveBack(chunk);
      came.push(chunk);
    });
    incoming.on('end', () => answer.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve, reject) => {
    const put = request({ port, host: '127.0.0.1', method: 'PUT' }, (answer) => {
      answer.resume().on('end', resolve);
    });
    put.on('error', reject).end(Buffer.alloc(1000 * KIB, 1));
  });
  expect(came.length).toBeGreaterThan(0);
  expect(came.filter(({ length }) => length === 0).length).toBeGreaterThan(came.length / 2);
});
