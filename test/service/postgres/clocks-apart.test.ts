/** Two service processes on one PostgreSQL with clocks a minute apart send webhooks by the database's clock. */
import { expect, it, onTestFinished } from 'vitest';
import {
  bareDemo,
  clientOf,
  spawnService,
  tempDir,
  type ServiceProcess,
} from '../../support/service.ts';
import { endpoint, makeHook, makeNearMiss, until } from '../webhooks/support.ts';

const MINUTE = 60_000;

const folder = (): string => {
  const dir = tempDir('clocks-apart');
  onTestFinished(() => dir.remove());
  return dir.path;
};

/** A preload that shifts the process's clock by `by` milliseconds. */
const offBy = (by: number): string =>
  `data:text/javascript,${encodeURIComponent(`
    const right = Date.now;
    Date.now = () => right() + ${by};
    globalThis.Date = class extends Date {
      constructor(...given) { super(...(given.length === 0 ? [right() + ${by}] : given)); }
      static now() { return right() + ${by}; }
    };
  `)}`;

const sender = async (path: string, by: number): Promise<ServiceProcess> => {
  const service = await spawnService(
    bareDemo(
      path,
      '--allow-private-webhooks',
      '--webhook-timeout=20s',
      '--webhook-first-retry=20ms',
      '--webhook-longest-retry=50ms',
      '--webhook-interval=20ms',
      '--log-level=warn',
    ),
    { NODE_OPTIONS: `--import=${offBy(by)}` },
  );
  onTestFinished(() => service.end('SIGKILL').then(() => undefined));
  return service;
};

it('decisions §9.5: a process whose clock is ahead does not take the lease of one that is telling', async () => {
  const path = folder();
  const behind = await sender(path, 0);
  let answer: (() => void) | undefined;
  const slow = await endpoint((response, count) => {
    if (count === 0) answer = () => response.end();
    else response.end();
  });
  const client = clientOf(behind.first.url, behind.first);
  await makeHook(client, slow.url);
  const first = await makeNearMiss(client);
  await until(() => answer !== undefined, 'an attempt under way');

  const ahead = await sender(path, MINUTE);
  const other = clientOf(ahead.first.url, ahead.first);
  const quick = await endpoint();
  await makeHook(other, quick.url);
  const second = await makeNearMiss(other);
  // It has polled, and would have taken the other hook too.
  await until(() => quick.received.length === 1, 'its own hook told');
  const third = await makeNearMiss(other);
  await until(() => quick.received.length === 2, 'and told again');
  expect(slow.received).toHaveLength(1);
  answer?.();
  await until(() => slow.received.length >= 3, 'the rest');
  expect(slow.received.map(({ body }) => body.resource_id)).toEqual([first, second, third]);
});
