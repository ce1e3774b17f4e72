/** What the service writes of a database that is away: one line a minute, with no stack. */
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { oneLineAnOutage } from '../../src/service/outage-log.ts';
import { DatabaseUnavailable } from '../../src/service/store/db.ts';

const logger = () => {
  const lines: Record<string, unknown>[] = [];
  let at = 0;
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  const log = pino({ hooks: { logMethod: oneLineAnOutage(() => at) } }, sink);
  return { log, lines, wait: (ms: number) => (at += ms) };
};
const away = () => new DatabaseUnavailable('connect ECONNREFUSED', { cause: new Error('a stack') });

it('requests and sweeps that meet the same outage are one line a minute, which counts them and has no stack', () => {
  const { log, lines, wait } = logger();
  const request = log.child({ req: 'r1' });
  for (let n = 0; n < 30; n += 1) {
    log.error({ err: away() }, 'webhooks could not be looked for');
    request.error({ err: away() }, 'request failed');
    wait(1_000);
  }
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    msg: 'the database cannot be reached',
    reason: 'connect ECONNREFUSED',
    times: 1,
  });
  expect(JSON.stringify(lines)).not.toContain('stack');
  wait(30_000);
  log.error({ err: away() }, 'sweep failed');
  expect(lines.map(({ times }) => times)).toEqual([1, 60]);
});

it('every other error is told as it is, with its stack', () => {
  const { log, lines } = logger();
  log.error({ err: away() }, 'sweep failed');
  log.error({ err: new TypeError('ours') }, 'request failed');
  log.error('no object at all');
  log.warn({ pages: 2 }, 'an object with no error');
  expect(lines.map(({ msg }) => msg)).toEqual([
    'the database cannot be reached',
    'request failed',
    'no object at all',
    'an object with no error',
  ]);
  expect(JSON.stringify(lines[1])).toContain('TypeError');
  expect(JSON.stringify(lines[1])).toContain('stack');
});
