/** Malicious form posts (failures S8): refused in bounded memory, with nothing stored, while others are served. */
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Upload } from '../../../src/contract/rest/uploads.ts';
import { KIB, nothingStored, startFixture, type Fixture } from './support.ts';

describe('hostile senders', () => {
  /** Writes raw bytes and returns the status line, or 'closed' if the service closed the connection without one. */
  const raw = (
    fixture: Fixture,
    upload: Upload,
    send: (write: (bytes: Buffer | string) => Promise<boolean>) => Promise<void>,
    length = 2 ** 33,
  ): Promise<string> =>
    new Promise((resolve) => {
      const { hostname, port, pathname } = new URL(upload.url ?? '');
      const socket = connect(Number(port), hostname);
      let answer = '';
      let open = true;
      const end = () => {
        open = false;
        resolve(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'closed');
        socket.destroy();
      };
      socket.on('data', (bytes) => {
        answer += bytes.toString('latin1');
        if (answer.includes('\r\n\r\n')) end();
      });
      socket.on('error', end);
      socket.on('close', end);
      socket.write(
        `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Length: ${length}\r\n` +
          'Content-Type: multipart/form-data; boundary=b0undary\r\n\r\n',
      );
      const write = async (bytes: Buffer | string): Promise<boolean> => {
        if (!open) return false;
        if (!socket.write(bytes))
          await new Promise<void>((go) => {
            socket.once('drain', go);
            socket.once('close', () => go());
          });
        return open;
      };
      void send(write);
    });

  const part = (headers: string, value = '') => `--b0undary\r\n${headers}\r\n\r\n${value}\r\n`;

  it.each<[string, (write: (bytes: Buffer | string) => Promise<boolean>) => Promise<void>]>([
    [
      'a million parts',
      async (write) => {
        const many = part('Content-Disposition: form-data; name="k"', 'v').repeat(1000);
        for (let n = 0; n < 1000 && (await write(many)); n += 1);
      },
    ],
    [
      'a million parts without a name',
      async (write) => {
        const many = part('X-Nothing: 1').repeat(1000);
        for (let n = 0; n < 1000 && (await write(many)); n += 1);
      },
    ],
    [
      'a header of a gigabyte',
      async (write) => {
        await write('--b0undary\r\nContent-Disposition: form-data; name="key"; x="');
        const filler = Buffer.alloc(1024 * KIB, 0x61);
        for (let n = 0; n < 1024 && (await write(filler)); n += 1);
        await write('"\r\n\r\nvalue\r\n--b0undary--\r\n');
      },
    ],
    [
      'a name of a megabyte',
      async (write) => {
        await write(part(`Content-Disposition: form-data; name="${'n'.repeat(1024 * KIB)}"`, 'v'));
        await write(part('Content-Disposition: form-data; name="file"; filename="f"', 'v'));
      },
    ],
    [
      'a field of 256 megabytes',
      async (write) => {
        await write('--b0undary\r\nContent-Disposition: form-data; name="key"\r\n\r\n');
        const filler = Buffer.alloc(1024 * KIB, 0x61);
        for (let n = 0; n < 256 && (await write(filler)); n += 1);
        await write('\r\n--b0undary--\r\n');
      },
    ],
    [
      '100,000 header lines in one part',
      async (write) => {
        await write(
          part(`Content-Disposition: form-data; name="k"\r\n${'A: b\r\n'.repeat(100_000)}`, 'v'),
        );
        await write(part('Content-Disposition: form-data; name="file"; filename="f"', 'v'));
      },
    ],
  ])('failures S8: %s: refused in bounded memory, and others are served', async (_what, send) => {
    const fixture = await startFixture();
    const upload = await fixture.create({ response_filename: 'a.jpg' });
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
    const length = 2 ** 31;
    const outcome = raw(fixture, upload, send, length);
    expect((await fixture.show(upload.uuid)).status).toBe(200); // while the form is still being sent
    const answer = await outcome;
    clearInterval(watch);
    expect(['400', '403', '413', 'closed']).toContain(answer);
    expect((peak - before) / KIB / KIB).toBeLessThan(150);
    await nothingStored(fixture, upload);
  });
});
