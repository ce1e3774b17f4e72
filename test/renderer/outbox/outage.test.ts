/**
 * The queue never gives up (failures A5, A6, A24): every retryable failure is held with backoff for as long as needed, and
 * resumes without a person. Host and service are scripted; lossy.long.test.ts covers the real path.
 */
import { Dexie } from 'dexie';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Problem } from '../../../src/contract/problem.ts';
import { backoff, CAP_MS } from '../../../src/renderer/outbox/engine/backoff.ts';
import { createBreakerState } from '../../../src/renderer/outbox/engine/breaker-state.ts';
import { queueCounts, openBreakerOf } from '../../../src/renderer/outbox/queue/queue.ts';
import { history } from '../../../src/renderer/data/near-misses/history.ts';
import { startWindow } from '../../../src/renderer/outbox/start.ts';
import { isRetryable } from '../../../src/renderer/outbox/engine/classify-error.ts';
import { ACCOUNT, type Call, to } from '../../support/renderer-host.ts';
import {
  capture,
  drained,
  fieldsOf,
  host,
  photoBytes,
  until,
  windowPerTest,
  windows,
} from '../../support/renderer-window.ts';
import { editNearMiss } from '../../../src/renderer/data/near-misses/near-misses.ts';
import { slow, SLOW } from '../../support/slow.ts';

windowPerTest();

const status = (code: number, retry_after_ms: number | null = null): Problem => ({
  kind: 'server_error',
  status: code,
  messages: [],
  retry_after_ms,
});
const portal: Problem = { kind: 'broken_reply', status: 200, looks_like: 'html', detail: '' };
const reset: Problem = { kind: 'offline', reason: 'reset', detail: '' };
const late: Problem = { kind: 'timeout', after_ms: 30_000 };
/** Matches every write of a record; reads are answered. */
const write = ({ endpoint }: Call): boolean =>
  /\.(create|update|delete|restore)$/.test(endpoint ?? '');
const writes = () => host.calls.filter(write).length;

const waitMs = (): {
  clock: Parameters<typeof createBreakerState>[0];
  pass: (ms: number) => void;
} => {
  let at = 0;
  return {
    clock: {
      now: () => at,
      tick: () => at,
      monotonic: () => at,
      after: () => () => {},
    },
    pass: (ms) => void (at += ms),
  };
};

/** Twelve records are queued, and every write fails until the server heals. */
const survives = async (_name: string, problem: Problem): Promise<void> => {
  host.up = false;
  const window = await windows.start(host);
  for (let n = 0; n < 12; n += 1) await capture(window, `Record ${n}`);
  host.faults.push({ at: 'before', on: write, problem, times: Infinity });
  host.up = true;
  window.engine.wake();
  await until('tried for long', () => writes() >= 14);
  await until('held', async () => (await openBreakerOf(window, ACCOUNT)) !== null);
  const counts = await queueCounts(window, ACCOUNT);
  expect(counts).toMatchObject({ parked: 0, operations: 12 });
  expect((await openBreakerOf(window, ACCOUNT))?.problem.kind).toBe(problem.kind);
  expect(counts.sending).toBeLessThanOrEqual(1);
  const tries = await window.db.operations.toArray();
  // Entries take turns; no operation is retried repeatedly.
  expect(Math.max(...tries.map(({ attempts }) => attempts))).toBeLessThanOrEqual(3);

  host.faults = [];
  await drained(window, host);
  expect(host.near_misses.size).toBe(12);
  expect(await openBreakerOf(window, ACCOUNT)).toBeNull();
};

describe('an outage of writes', () => {
  const title =
    'A5: reads are answered, writes get %s: nothing is parked, one write at a time tries, and all move when it heals';
  it.each([
    ['503', status(503)],
    ['an answer cut off', reset],
  ])(title, survives);
  it.each([
    ['503 with Retry-After', status(503, 300)],
    ['507', status(507)],
    ['500', status(500)],
    ['a timeout', late],
    ['a captive portal for writes', portal],
  ])(title, SLOW, survives);

  it('A5: one operation that fails does not stop the trial of another: the queue moves on with it still failing', async () => {
    const bad = (call: Call) => write(call) && JSON.stringify(call.input).includes('Poison');
    host.faults.push({ at: 'before', on: write, problem: status(503), times: Infinity });
    const window = await windows.start(host);
    await capture(window, 'Poison');
    for (let n = 0; n < 5; n += 1) await capture(window, `Good ${n}`);
    await until('held', async () => (await openBreakerOf(window, ACCOUNT)) !== null);
    host.faults = [{ at: 'before', on: bad, problem: status(503), times: Infinity }];
    await until('one is left', async () => (await queueCounts(window, ACCOUNT)).operations === 1);
    expect((await queueCounts(window, ACCOUNT)).parked).toBe(0);
    expect(host.near_misses.size).toBe(5);
    host.faults = [];
    await drained(window, host);
  });

  it('A6: a Retry-After of writes is obeyed; a person cannot shorten it', async () => {
    host.faults.push({ at: 'before', on: write, problem: status(503, 900), times: 2 });
    const window = await windows.start(host);
    await capture(window, 'First');
    await capture(window, 'Second');
    await until('held', async () => (await openBreakerOf(window, ACCOUNT)) !== null);
    const begun = performance.now();
    const tried = writes();
    window.engine.wake();
    window.engine.nudge();
    await until('tried again', () => writes() > tried);
    expect(performance.now() - begun).toBeGreaterThan(700);
    await drained(window, host);
  });

  it('A24: photos that fail hold the photos: texts of other reports, and edits of the same, go on', async () => {
    const upload = to('photos.upload');
    host.faults.push({ at: 'before', on: upload, problem: status(503), times: Infinity });
    const window = await windows.start(host);
    const keys = [];
    for (let n = 0; n < 4; n += 1)
      keys.push(await capture(window, `With photo ${n}`, [photoBytes(100, n)]));
    await until('their texts are there', () => host.near_misses.size === 4);
    await until('photos were tried', () => host.of('photos.upload').length > 8);
    await capture(window, 'Only text');
    await until('the text is there', () => host.near_misses.size === 5);
    await editNearMiss(window, keys[3] ?? '', fieldsOf('Edited meanwhile'));
    await until('the edit is there', () =>
      [...host.near_misses.values()].some(({ description }) => description?.includes('Edited')),
    );
    expect(await queueCounts(window, ACCOUNT)).toMatchObject({ parked: 0, operations: 4 });
    expect(await openBreakerOf(window, ACCOUNT)).toBeNull();
    host.faults = [];
    await drained(window, host);
    expect((await window.db.photos.toArray()).map(({ state }) => state)).toEqual(
      Array(4).fill('delivered'),
    );
  });

  slow(
    'A24: a wait that ends while the queue looks around is seen, though no other look comes',
    async () => {
      host.up = false;
      const window = await windows.start(host);
      for (let n = 0; n < 2; n += 1) await capture(window, `With photo ${n}`, [photoBytes(100, n)]);
      const [first] = await window.db.photos.toArray();
      const upload = (call: Call) => to('photos.upload')(call);
      const isFirst = ({ input }: Call) => input['photo_id'] === first?.photo_id;
      const fault = { at: 'before', problem: status(503), times: Infinity } as const;
      // One photo backs off slightly less than all photos wait, and the last query of a check takes longer than that difference.
      host.faults.push(
        { ...fault, on: (call) => upload(call) && isFirst(call) },
        { ...fault, on: upload, after_ms: 30 },
      );
      const { tombstones } = window.db;
      const count = tombstones.count.bind(tombstones);
      tombstones.count = () =>
        new Dexie.Promise<void>((resolve) => setTimeout(resolve, 60)).then(() => count());
      host.up = true;
      window.engine.wake();
      await until('photos were tried', () => host.of('photos.upload').length > 12, 20_000);
      host.faults = [];
      await drained(window, host);
    },
  );

  slow(
    'A24: a photo that breaks off and yet gets a segment in every time counts no failure',
    async () => {
      const window = await windows.start(host);
      const grow = (call: Call): boolean => {
        if (!to('photos.upload')(call)) return false;
        const id = String(call.input['photo_id']);
        host.segments_in.set(id, (host.segments_in.get(id) ?? 0) + 1);
        return true;
      };
      host.faults.push({ at: 'before', on: grow, problem: reset, times: 12 });
      await capture(window, 'Large photo', [photoBytes(100, 1)]);
      await until('tried', () => host.of('photos.upload').length >= 6);
      const [operation] = await window.db.operations.toArray();
      expect(operation).toMatchObject({ kind: 'photo.send', consecutive_failures: 0 });
      await drained(window, host);
      expect(host.of('photos.upload').length).toBe(13);
    },
  );
});

describe('waiting', () => {
  it('A5: no wait of our own is longer than 30 s, so that a healed server is met within a minute', () => {
    for (let tries = 1; tries < 60; tries += 1)
      expect(backoff(tries, () => 0.999_999)).toBeLessThanOrEqual(30_000);
    expect(CAP_MS).toBe(30_000);
  });

  it('A5: "Try now" ends the wait and makes the next one a first one; the wait after it is not longer', async () => {
    const { clock, pass } = waitMs();
    const breaker = createBreakerState(clock, () => 0.999);
    const fail = async () => breaker.open('a', status(503), 'later', 'write');
    for (let tries = 0; tries < 8; tries += 1) {
      await fail();
      pass(breaker.remainingMs());
    }
    await fail();
    const long = breaker.remainingMs();
    expect(long).toBeGreaterThan(20_000);
    breaker.reset();
    expect(breaker.remainingMs()).toBe(0);
    await fail();
    expect(breaker.remainingMs()).toBeLessThanOrEqual(1_000);
    // A network event only shortens the wait: another failure means that the outage continues.
    breaker.endWait();
    await fail();
    breaker.endWait();
    await fail();
    expect(breaker.remainingMs()).toBeGreaterThan(2_000);
  });

  slow('A5: "Try now" in a window that does not send reaches the one that does', async () => {
    const { db_name } = windows;
    let random = 0;
    const open = async () => {
      const engine = { lock_name: `outbox-${db_name}`, random: () => random };
      const answer = await startWindow(host.client(), { history, db_name, engine });
      if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
      onTestFinished(() => answer.value.stop());
      return answer.value;
    };
    const leader = await open();
    await until('it leads', () => leader.engine.leads());
    const other = await open();
    host.faults.push({ at: 'before', on: write, problem: status(503), times: Infinity });
    await capture(other, 'Waits long');
    await until('tried often', () => writes() >= 6);
    // From here on a backoff takes half a minute.
    random = 0.999;
    await until('it waits', async () => {
      const [operation] = await other.db.operations.toArray();
      return (operation?.next_try_at ?? 0) > leader.clock.now() + 10_000;
    });
    host.faults = [];
    expect(other.engine.leads()).toBe(false);
    other.engine.wake();
    await drained(leader, host);
    expect(host.near_misses.size).toBe(1);
  });

  it('A6: what the server asked for is waited for, whoever presses', async () => {
    const { clock, pass } = waitMs();
    const breaker = createBreakerState(clock, () => 0);
    await breaker.open('a', status(503, 60_000), 'later', 'write');
    breaker.reset();
    breaker.endWait();
    expect(breaker.remainingMs()).toBeGreaterThanOrEqual(60_000);
    pass(61_000);
    expect(breaker.remainingMs()).toBe(0);
  });
});

it('only what needs a person is parked: every other problem may heal', () => {
  const of = (kind: Problem['kind']): Problem => ({ kind }) as Problem;
  const parked = [
    'refused',
    'conflict',
    'gone',
    'photo_damaged',
    'outcome_unknown',
    'no_photo_place',
  ];
  const heals = ['timeout', 'server_error', 'broken_reply', 'busy', 'no_space', 'bug'];
  for (const kind of [...parked, 'bad_input'] as const)
    expect(isRetryable(of(kind as Problem['kind'])), kind).toBe(false);
  for (const kind of heals as readonly Problem['kind'][])
    expect(isRetryable(of(kind)), kind).toBe(true);
  for (const reason of [
    'refused',
    'dns',
    'reset',
    'unreachable',
    'tls',
    'proxy',
    'proxy_away',
    'proxy_sign_in',
  ] as const)
    expect(isRetryable({ kind: 'offline', reason, detail: '' }), reason).toBe(true);
});
