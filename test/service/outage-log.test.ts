/** The log of a database outage: a line at its start and one at its end, without a stack. */
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { outageLog } from '../../src/service/outage-log.ts';
import { DatabaseUnavailable } from '../../src/service/store/engine/db.ts';

const logger = () => {
  const lines: Record<string, unknown>[] = [];
  let at = 0;
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  const outage = outageLog(() => at, 1);
  const log = pino({ hooks: { logMethod: outage.logMethod } }, sink);
  return { log, lines, outage, wait: (ms: number) => (at += ms) };
};
const away = () => new DatabaseUnavailable('connect ECONNREFUSED', { cause: new Error('a stack') });

it('all that meets one outage is one line when it begins and one when it is over, with no stack', async () => {
  const { log, lines, outage, wait } = logger();
  let asked = 0;
  let back = false;
  outage.watch(() => {
    asked += 1;
    return asked === 1 ? Promise.reject(away()) : Promise.resolve(back);
  });
  const request = log.child({ req: 'r1' });
  for (let n = 0; n < 90; n += 1) {
    log.error({ err: away() }, 'webhooks could not be looked for');
    request.error({ err: away() }, 'request failed');
    wait(1_000);
  }
  await expect.poll(() => asked).toBeGreaterThan(2);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    msg: 'the database cannot be reached',
    reason: 'connect ECONNREFUSED',
  });
  back = true;
  await expect.poll(() => lines.length).toBe(2);
  expect(lines[1]).toMatchObject({
    msg: 'the database answers again',
    seconds: 90,
    times: 180,
  });
  expect(JSON.stringify(lines)).not.toContain('stack');

  const looks = asked;
  log.error({ err: away() }, 'sweep failed');
  await expect.poll(() => lines.length).toBe(4);
  expect(lines.slice(2).map(({ msg }) => msg)).toEqual([
    'the database cannot be reached',
    'the database answers again',
  ]);
  expect(asked).toBe(looks + 1);
});

it('an outage that begins before anybody can ask is told to be over once somebody can', async () => {
  const { log, lines, outage } = logger();
  log.error({ err: away() }, 'sweep failed');
  expect(lines).toHaveLength(1);
  outage.watch(() => Promise.resolve(true));
  await expect.poll(() => lines.length).toBe(2);
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
