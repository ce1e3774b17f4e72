/** The window's clock: server time for people, the monotonic device clock for ordering reads. */
import { Dexie } from 'dexie';
import { expect, it, onTestFinished } from 'vitest';
import { ulid } from 'ulid';
import { createDb } from '../../../src/renderer/data/db/db.ts';
import { windowClock } from '../../../src/renderer/outbox/clock.ts';
import { createQueueBreakerState } from '../../../src/renderer/outbox/engine/breaker-state.ts';

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

/** A clock whose wall time a test shifts while its monotonic time continues. */
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
    const breaker = createQueueBreakerState({ db, clock }, () => 0.999);
    await breaker.open('a', offline, 'later', 'reach');
    const wait = breaker.remainingMs();
    expect(wait).toBeGreaterThan(900);
    time.pass(400);
    time.jump(jump);
    expect(breaker.remainingMs()).toBeCloseTo(wait - 400, 3);
    time.pass(wait - 400);
    expect(breaker.remainingMs()).toBe(0);
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
  const breaker = createQueueBreakerState({ db, clock }, () => 0);
  await breaker.open('a', { kind: 'busy', retry_after_ms: HOUR }, 'later', 'write');
  time.jump(DAY);
  expect(breaker.remainingMs()).toBeGreaterThanOrEqual(HOUR);
  time.jump(-3 * DAY);
  time.pass(HOUR - 1);
  expect(breaker.remainingMs()).toBeGreaterThan(0);
  time.pass(2_000);
  expect(breaker.remainingMs()).toBe(0);
});
