/** The window's clock: by the server's time for people, by the device's alone for what was read first. */
import { Dexie } from 'dexie';
import { expect, it, onTestFinished } from 'vitest';
import { ulid } from 'ulid';
import { createDb } from '../../../src/renderer/data/db.ts';
import { windowClock } from '../../../src/renderer/outbox/clock.ts';
import { createQueueHold } from '../../../src/renderer/outbox/queue-hold.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

it('A23: however the server shifts the time of day, a later tick is later', async () => {
  const name = `clock-${ulid()}`;
  const db = createDb(name);
  onTestFinished(async () => {
    db.close();
    await Dexie.delete(name);
  });
  const clock = await windowClock(db);
  const before = clock.tick();
  const shown = clock.now();
  clock.heard(Date.now() - 3_600_000);
  expect(clock.now()).toBeLessThan(shown - 3_500_000);
  const after = clock.tick();
  expect(after).toBeGreaterThan(before);
  clock.heard(Date.now() + 3_600_000);
  expect(clock.tick()).toBeGreaterThan(after);
  expect(clock.tick()).toBeLessThan(Date.now() + 60_000);
});

/** A clock whose time of day a test moves while its monotonic side runs on. */
const jumping = () => {
  let shift = 0;
  let elapsed = 0;
  return {
    clock: {
      now: () => 1_800_000_000_000 + elapsed + shift,
      monotonic: () => elapsed,
      tick: () => elapsed,
      after: () => () => {},
    },
    jump: (ms: number) => (shift += ms),
    pass: (ms: number) => (elapsed += ms),
  };
};

it('A23: a jump of a day, back or forth, or of summer time, in the middle of a backoff neither ends nor stretches it', async () => {
  const name = `clock-${ulid()}`;
  const db = createDb(name);
  onTestFinished(async () => {
    db.close();
    await Dexie.delete(name);
  });
  const offline = { kind: 'offline', reason: 'refused', detail: '' } as const;
  for (const jump of [-DAY, DAY, -HOUR, HOUR]) {
    const { clock, ...time } = jumping();
    const hold = createQueueHold({ db, clock }, () => 0.999);
    await hold.set('a', offline, 'later', 'reach');
    const wait = hold.remaining();
    expect(wait).toBeGreaterThan(900);
    time.pass(400);
    time.jump(jump);
    expect(hold.remaining()).toBeCloseTo(wait - 400, 3);
    time.pass(wait - 400);
    expect(hold.remaining()).toBe(0);
  }
});

it('A23: a server that asks for an hour is waited for by the monotonic clock, whatever the time of day does', async () => {
  const name = `clock-${ulid()}`;
  const db = createDb(name);
  onTestFinished(async () => {
    db.close();
    await Dexie.delete(name);
  });
  const { clock, ...time } = jumping();
  const hold = createQueueHold({ db, clock }, () => 0);
  await hold.set('a', { kind: 'busy', retry_after_ms: HOUR }, 'later', 'write');
  time.jump(DAY);
  expect(hold.remaining()).toBeGreaterThanOrEqual(HOUR);
  time.jump(-3 * DAY);
  time.pass(HOUR - 1);
  expect(hold.remaining()).toBeGreaterThan(0);
  time.pass(2_000);
  expect(hold.remaining()).toBe(0);
});
