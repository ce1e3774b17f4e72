/** A slow client that keeps sending, for as long as it takes (failures S9). test/service/limits.test.ts has the other limits. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { Options } from '../../src/service/options.ts';
import { rawConnection } from '../support/raw-request.ts';
import { startTestService } from '../support/service.ts';

it('failures S9: a body that keeps coming is waited for, however long it takes; one slower than --body-rate is not', async () => {
  const trickle = async (
    every: number,
    options: Partial<Options>,
    path = '/rest/v1.0/projects/1/incidents',
  ) => {
    const own = await startTestService(options);
    onTestFinished(() => own.stop());
    const { socket, got, closed } = rawConnection(own.service.port);
    const body = JSON.stringify({
      incident: { title: 'slow line', description: 'x'.repeat(60) },
    });
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${own.demo.token}\r\n` +
        `Service-Company-Id: 1\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    for (const letter of body) {
      if (socket.destroyed) break;
      socket.write(letter);
      await pause(every);
    }
    await closed;
    return got();
  };
  // A hundred characters, 45 ms apart: longer in total than the idle timeout of a body, but never idle.
  const waited = await trickle(45, { 'body-timeout': 4_000, 'body-rate': 1 });
  expect(waited).toMatch(/^HTTP\/1.1 201 /);
  // 150 ms apart: never idle that long either, but below the minimum rate.
  const slow = { 'body-timeout': 2_000, 'body-rate': 1_000 };
  expect(await trickle(150, slow)).not.toMatch(/ 201 /);
  expect(await trickle(150, slow, '/oauth/token')).not.toMatch(/ 400 /);
});
