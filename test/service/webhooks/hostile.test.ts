/** Hostile endpoints on this machine: failures S13, S14; decisions §9.5. */
import { gzipSync } from 'node:zlib';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { TestService } from '../../support/service.ts';
import {
  answering,
  deliveriesOf,
  HOOKS,
  makeHook,
  makeNearMiss,
  startEndpoint,
  startRaw,
  startSender,
  until,
} from './support.ts';

let t: TestService;
/** A service with a short timeout, for endpoints that exceed it. */
let hasty: TestService;
beforeAll(async () => {
  t = await startSender({ 'webhook-timeout': 60_000, 'webhook-max-response': 1024 * 1024 });
  hasty = await startSender({ 'webhook-timeout': 400 });
});
afterAll(() => Promise.all([t.stop(), hasty.stop()]));

/** One attempt with an endpoint that behaves like this: its delivery, once its connection is closed. */
const attemptWith = async (talk: (socket: Socket) => void, { demo } = t) => {
  const raw = await startRaw(talk);
  onTestFinished(() => raw.close());
  const { id } = await makeHook(demo, raw.url, { triggers: [['Incidents', 'create']] });
  onTestFinished(async () => {
    await demo.delete(`${HOOKS}/${id}`);
  });
  await demo.post('~/incidents', { incident: { title: 'hostile' } });
  await until(async () => (await deliveriesOf(demo, id)).length === 1, 'a delivery');
  await until(() => raw.open() === 0, 'the connection to be closed');
  const [delivery] = await deliveriesOf(demo, id);
  if (!delivery) throw new Error('no delivery');
  return delivery;
};

/** Sends a byte every 20 ms forever. */
const drip = (socket: Socket, text: string): void => {
  const timer = setInterval(() => socket.write(text), 20);
  socket.on('close', () => clearInterval(timer));
};
const OK = 'HTTP/1.1 200 OK\r\n';

describe('failures S13: one deadline over everything, bytes bounded', () => {
  const hostile: [string, (socket: Socket) => void][] = [
    ['never answers', () => undefined],
    ['drips one header', (socket) => (socket.write(`${OK}x: `), drip(socket, 'h'))],
    ['drips headers after a status', (socket) => (socket.write(OK), drip(socket, 'a: b\r\n'))],
    [
      'drips a body',
      (socket) => (socket.write(`${OK}content-length: 100000\r\n\r\n`), drip(socket, 'x')),
    ],
    ['never closes', (socket) => void socket.write(`${OK}\r\nall said`)],
    [
      'drips chunks',
      (socket) => (
        socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`),
        drip(socket, '1\r\nx\r\n')
      ),
    ],
    ['says 100 for ever', (socket) => drip(socket, 'HTTP/1.1 100 Continue\r\n\r\n')],
  ];
  for (const [name, talk] of hostile)
    it(`failures S13: an endpoint that ${name} is cut off at the deadline and retried`, async () => {
      // Each of these never ends, so only the timeout produces a delivery.
      const delivery = await attemptWith(talk, hasty);
      expect(delivery).toMatchObject({
        outcome: 'retried',
        response_error: 'No whole answer within 400 ms.',
      });
    });

  it('failures S13: a body of 1 GB is cut off at the cap, 16 KiB kept, memory flat', async () => {
    const chunk = Buffer.alloc(64 * 1024, 'y');
    const before = process.memoryUsage().rss;
    const delivery = await attemptWith((socket) => {
      socket.write(`${OK}content-length: ${1024 ** 3}\r\n\r\n`);
      let left = 1024 ** 3 / chunk.length;
      const more = (): void => {
        while (left-- > 0) if (!socket.write(chunk)) return void socket.once('drain', more);
      };
      more();
    });
    expect(delivery).toMatchObject({
      outcome: 'retried',
      response_status: 200,
      response_error: 'The answer is longer than 1048576 bytes.',
    });
    expect(delivery.response_body).toBe('y'.repeat(16 * 1024));
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  it('decisions §9.5: a longer answer than is kept is still an answer: 16 KiB of it are kept', async () => {
    const body = 'z'.repeat(100_000);
    const delivery = await attemptWith((socket) =>
      socket.once('data', () => socket.end(`${OK}content-length: 100000\r\n\r\n${body}`)),
    );
    expect(delivery).toMatchObject({ outcome: 'ok', response_error: null });
    expect(delivery.response_body).toBe('z'.repeat(16 * 1024));
  });

  it('failures S13: nothing is decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
    const delivery = await attemptWith((socket) =>
      socket.once('data', () => {
        socket.write(`${OK}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
        socket.end(bomb);
      }),
    );
    expect(delivery.outcome).toBe('ok');
    expect(delivery.response_body.length).toBeLessThanOrEqual(16 * 1024);
    expect(delivery.response_body.slice(1)).toContain('\ufffd');
  });

  it('failures S13: endless headers, half an answer, no HTTP, a switch of protocols and a reset are failures', async () => {
    for (const talk of [
      (socket: Socket) => void socket.write(`${OK}x: ${'h'.repeat(100_000)}\r\n`),
      (socket: Socket) =>
        void socket.once('data', () => socket.end(`${OK}content-length: 50\r\n\r\nhalf`)),
      (socket: Socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
      (socket: Socket) =>
        void socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
        ),
      (socket: Socket) => void socket.once('data', () => socket.resetAndDestroy()),
      (socket: Socket) => void socket.end(),
    ]) {
      const delivery = await attemptWith(talk);
      expect(delivery.outcome).toBe('retried');
      expect(delivery.response_error).toEqual(expect.any(String));
    }
  });

  it('failures S13: workers are free again: a good endpoint is served beside as many hanging ones as there are workers', async () => {
    const own = await startSender({ 'webhook-workers': 2, 'webhook-timeout': 300 });
    onTestFinished(() => own.stop());
    const hang = await startRaw(() => undefined);
    onTestFinished(() => hang.close());
    const good = await startEndpoint(answering(200));
    onTestFinished(() => good.close());
    for (let index = 0; index < 4; index += 1) await makeHook(own.demo, hang.url);
    await makeHook(own.demo, good.url);
    for (let index = 0; index < 5; index += 1) await makeNearMiss(own.demo);
    await until(() => good.received.length === 5, 'five notifications');
  });
});

describe('failures S14: redirects', () => {
  for (const location of [
    'http://169.254.169.254/latest/meta-data/',
    'gopher://127.0.0.1:70/1',
    'file:///etc/passwd',
    'elsewhere',
  ])
    for (const status of [301, 307])
      it(`failures S14, decisions §9.5: ${status} to ${location} is a failure and is not followed`, async () => {
        const elsewhere = await startEndpoint();
        onTestFinished(() => elsewhere.close());
        const to = location === 'elsewhere' ? elsewhere.url : location;
        const delivery = await attemptWith((socket) =>
          socket.once('data', () =>
            socket.end(`HTTP/1.1 ${status} Moved\r\nlocation: ${to}\r\ncontent-length: 0\r\n\r\n`),
          ),
        );
        expect(delivery).toMatchObject({ outcome: 'retried', response_status: status });
        expect(elsewhere.connections()).toBe(0);
      });
});
