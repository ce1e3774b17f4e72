/** A window that stands still: its event stream may not fill the memory of the program that serves all windows. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startWindowServer } from '../../src/browser/server.ts';
import { KEY_HEADER } from '../../src/contract/carrier.ts';
import type { HostEvent } from '../../src/contract/host.ts';
import { ok } from '../../src/contract/problem.ts';
import { temporaryFolder } from '../host/fixtures/folder.ts';

it('an event stream that nobody reads is cut before it holds much, and the others go on', async () => {
  const hearers = new Set<(event: HostEvent) => void>();
  const server = await startWindowServer({
    host: {
      call: async () => ({ result: ok({}) }),
      listen: (hear) => {
        hearers.add(hear);
        return () => hearers.delete(hear);
      },
      stop: async () => undefined,
    },
    files: await temporaryFolder(),
    port: 0,
  });
  onTestFinished(() => server.stop());
  const { at, key, cookie } = server.secrets;
  const { host, port } = new URL(server.origin);
  const openStream = async () => {
    const socket = connect(Number(port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const lines = [
      `GET ${at}/events HTTP/1.1`,
      `host: ${host}`,
      'sec-fetch-site: same-origin',
      'sec-fetch-mode: cors',
      `cookie: ${cookie.name}=${cookie.value}`,
      `${KEY_HEADER}: ${key}`,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(String(head)).toMatch(/^HTTP\/1\.1 200 /);
    return socket;
  };
  const still = await openStream();
  still.pause();
  const reads = await openStream();
  let read = 0;
  reads.on('data', (chunk: Buffer) => (read += chunk.length));
  const event: HostEvent = { kind: 'service.state', running: true, detail: 'x'.repeat(1000) };
  let told = 0;
  const cut = once(still, 'close');
  // Sixty-four times as much as may wait, and more than the system's own buffers take.
  for (; told < 64_000; told += 1) {
    for (const hear of hearers) hear(event);
    if (told % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  still.resume();
  await cut;
  while (read < told * 1000) await once(reads, 'data');
});
