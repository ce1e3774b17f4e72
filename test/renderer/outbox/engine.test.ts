/**
 * The engine on real IndexedDB and Web Locks. Host and service are scripted (test/support/renderer-host.ts), because every case
 * is a fault at a named point.
 */
import { describe, expect, it } from 'vitest';
import { ulid } from 'ulid';
import type { Problem } from '../../../src/contract/problem.ts';
import { saveNearMiss } from '../../../src/renderer/data/near-misses/near-misses.ts';
import {
  queueCounts,
  openBreakerOf,
  queueItems,
} from '../../../src/renderer/outbox/queue/queue.ts';
import { ACCOUNT, type Call, type Fault, sessionOf, to } from '../../support/renderer-host.ts';
import {
  capture,
  drained,
  fieldsOf,
  host,
  owner,
  photoBytes,
  until,
  windowPerTest,
  windows,
} from '../../support/renderer-window.ts';

windowPerTest();
const offline: Problem = { kind: 'offline', reason: 'refused', detail: '' };
const reset: Problem = { kind: 'offline', reason: 'reset', detail: '' };
const fiveHundred: Problem = {
  kind: 'server_error',
  status: 500,
  messages: [],
  retry_after_ms: null,
};

describe('the outbox delivers', () => {
  it('promise 1: saved means database and journal, and the photo is delivered only when read back', async () => {
    host.up = false;
    const window = await windows.start(host);
    const bytes = photoBytes(5_000_000, 1);
    const key = await capture(window, 'A plank fell', [bytes]);
    expect((await window.db.near_misses.get(key))?.server_id).toBeNull();
    expect([...host.journal.values()].map((operation) => operation.kind)).toEqual([
      'near_miss.create',
      'photo.send',
    ]);
    expect((await window.db.photos.toArray())[0]?.state).toBe('waiting');
    expect(await queueCounts(window, ACCOUNT)).toMatchObject({
      records: 1,
      operations: 2,
      photos: 1,
    });

    host.up = true;
    window.engine.wake();
    await drained(window, host);
    const row = await window.db.near_misses.get(key);
    expect(host.near_misses.size).toBe(1);
    expect(host.near_misses.get(row?.server_id ?? 0)?.attachments).toHaveLength(1);
    const photo = (await window.db.photos.toArray())[0];
    expect(photo?.state).toBe('delivered');
    expect(photo?.receipt?.size).toBe(bytes.length);
    expect(await queueCounts(window, ACCOUNT)).toMatchObject({ records: 0, operations: 0 });
  });

  it('A3: the answer is lost after the server committed: the same key again, one record', async () => {
    host.faults.push({ at: 'after', on: to('near_misses.create'), problem: reset, times: 2 });
    const window = await windows.start(host);
    await capture(window, 'Lost answer');
    await drained(window, host);
    expect(host.near_misses.size).toBe(1);
    const keys = host
      .of('near_misses.create')
      .map((call) => (call.input['input'] as { idempotency_key: string }).idempotency_key);
    expect(keys.length).toBe(3);
    expect(new Set(keys).size).toBe(1);
  });

  it('A2: the journal settled what was sent and its answer is lost: it is told again, without a restart', async () => {
    const lost: Problem = { kind: 'offline', reason: 'reset', detail: 'the host is starting' };
    host.faults.push({ at: 'after', on: to('journal.settle'), problem: lost });
    const window = await windows.start(host);
    await capture(window, 'Told twice');
    await drained(window, host);
    expect(host.of('journal.settle').length).toBe(2);
    expect(host.near_misses.size).toBe(1);
  });

  it('A4: while the service is away one try and one probe a wait, then everything in order', async () => {
    host.up = false;
    const window = await windows.start(host);
    for (let n = 0; n < 20; n += 1) await capture(window, `Record ${n}`);
    await until('the hold is shown', async () => (await openBreakerOf(window, ACCOUNT)) !== null);
    const hold = await openBreakerOf(window, ACCOUNT);
    expect(hold?.problem.kind).toBe('offline');
    expect(hold?.next_try_at).not.toBeNull();
    // Lanes already in flight fail with the first one; no other is attempted.
    expect(host.of('near_misses.create').length).toBeLessThanOrEqual(6);
    const tried = host.of('near_misses.create').length;
    await until('two more probes', () => host.of('reach.check').length >= 2);
    expect(host.of('near_misses.create').length).toBe(tried);

    host.up = true;
    await drained(window, host);
    expect(host.near_misses.size).toBe(20);
    expect(await openBreakerOf(window, ACCOUNT)).toBeNull();
  });

  it('A5: 500 for everything and for the probe: the whole queue holds after one try', async () => {
    const both = (call: Call) => to('near_misses.create')(call) || to('reach.check')(call);
    host.faults.push({ at: 'before', on: both, problem: fiveHundred, times: 3 });
    const window = await windows.start(host);
    await capture(window, 'Burst');
    await until(
      'held',
      async () => (await openBreakerOf(window, ACCOUNT))?.problem.kind === 'server_error',
    );
    await drained(window, host);
    expect(host.near_misses.size).toBe(1);
  });

  it('promise 3: an item that alone gets 500 is never parked, and the others go on', async () => {
    const bad = (call: Call) =>
      to('near_misses.create')(call) && JSON.stringify(call.input).includes('Poison');
    const poison: Fault = { at: 'before', on: bad, problem: fiveHundred, times: Infinity };
    host.faults.push(poison);
    const window = await windows.start(host);
    await capture(window, 'Poison', [photoBytes(100, 1)]);
    await capture(window, 'Good one');
    await capture(window, 'Good two');
    await until('tried again and again', () => host.calls.filter(bad).length > 5);
    await capture(window, 'Good three');
    await until('the others are there', () => host.near_misses.size === 3);
    await until('only that one', async () => (await queueItems(window, ACCOUNT)).length === 1);
    const [item] = await queueItems(window, ACCOUNT);
    expect(item?.title).toBe('Poison');
    // The photo is blocked by its record: attach never precedes create (A27).
    expect(host.of('photos.upload')).toEqual([]);
    expect(item?.operations.map((operation) => operation.state)).not.toContain('parked');
    // It alone backs off; the queue is not held.
    expect(await openBreakerOf(window, ACCOUNT)).toBeNull();
    poison.times = 0;
    host.faults = [];
    await drained(window, host);
    expect(host.near_misses.size).toBe(4);
  });

  it('A6: 429 with Retry-After holds everything for at least that long; a person cannot shorten it', async () => {
    const busy: Problem = { kind: 'busy', retry_after_ms: 700 };
    host.faults.push({ at: 'before', on: to('near_misses.create'), problem: busy });
    const window = await windows.start(host);
    await capture(window, 'Too many');
    await until(
      'held',
      async () => (await openBreakerOf(window, ACCOUNT))?.problem.kind === 'busy',
    );
    const begun = performance.now();
    window.engine.wake();
    dispatchEvent(new Event('online'));
    await drained(window, host);
    expect(performance.now() - begun).toBeGreaterThan(500);
    expect(host.of('near_misses.create').length).toBe(2);
  });

  it('A8: a captive portal is not success: the item stays and the queue says why', async () => {
    const portal: Problem = { kind: 'broken_reply', status: 200, looks_like: 'html', detail: '' };
    const both = (call: Call) => to('near_misses.create')(call) || to('reach.check')(call);
    host.faults.push({ at: 'before', on: both, problem: portal, times: 2 });
    const window = await windows.start(host);
    await capture(window, 'Behind a portal');
    await until(
      'held',
      async () => (await openBreakerOf(window, ACCOUNT))?.problem.kind === 'broken_reply',
    );
    await drained(window, host);
    expect(host.near_misses.size).toBe(1);
  });

  it('A9: 401 holds the queue; another account neither sends nor sees it; signing in again goes on', async () => {
    const signedOut: Problem = { kind: 'signed_out', detail: '' };
    // Like the host after a 401: it forgets the token and announces it.
    const refused = (call: Call): boolean => {
      if (call.endpoint !== 'near_misses.create') return false;
      host.changeSession(sessionOf({ state: 'signed_out' }));
      return true;
    };
    host.faults.push({ at: 'before', on: refused, problem: signedOut });
    const window = await windows.start(host);
    await capture(window, 'Mine');
    await until(
      'held',
      async () => (await openBreakerOf(window, ACCOUNT))?.problem.kind === 'signed_out',
    );
    expect((await openBreakerOf(window, ACCOUNT))?.next_try_at).toBeNull();

    const other = sessionOf({ account: 'this_laptop/1/2' });
    host.changeSession(other);
    await until('the other account was looked at', () => host.of('reach.check').length > 0);
    await until('no hold', async () => (await openBreakerOf(window, ACCOUNT)) === null);
    expect(await queueItems(window, other.account ?? '')).toEqual([]);
    // The other account's own record is sent; the first account's is not attempted.
    const id = ulid();
    const account = other.account ?? '';
    await saveNearMiss(window, { id, ...owner, account, fields: fieldsOf('Theirs') });
    await until('theirs is there', () => host.near_misses.size === 1);
    expect([...host.near_misses.values()].map((one) => one.account)).toEqual([account]);
    expect((await queueCounts(window, ACCOUNT)).operations).toBe(1);

    host.changeSession(sessionOf());
    await drained(window, host);
    expect([...host.near_misses.values()].map((one) => one.account)).toEqual([account, ACCOUNT]);
  });

  it('A10: 422 parks the item with the server text; the other records go on', async () => {
    const window = await windows.start(host);
    await capture(window, 'Refused', [], { harm_source_id: 666 });
    await capture(window, 'Accepted');
    await until('parked', async () => (await queueCounts(window, ACCOUNT)).parked === 1);
    await until('the other is there', () => host.near_misses.size === 1);
    const [item] = await queueItems(window, ACCOUNT);
    expect(item?.operations[0]?.problem).toMatchObject({
      kind: 'refused',
      fields: { 'near_miss.harm_source_id': ['is unknown'] },
    });
    expect(item?.operations[0]?.can_take_back).toBe(true);
  });

  it('A12: an upload that is gone by the time of association is made again from the original', async () => {
    const window = await windows.start(host);
    let gone = 0;
    const lost = (call: Call) => {
      if (call.endpoint === 'near_misses.update' && gone++ === 0) host.uploads.clear();
      return false;
    };
    host.faults.push({ at: 'before', on: lost, problem: offline });
    await capture(window, 'Old upload', [photoBytes(1000, 2)]);
    await drained(window, host);
    const record = [...host.near_misses.values()][0];
    expect(record?.attachments).toHaveLength(1);
    expect(host.of('photos.upload')).toHaveLength(2);
    const keys = host
      .of('near_misses.update')
      .map((call) => (call.input['input'] as { idempotency_key: string }).idempotency_key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('A14, A25: a damaged photo is parked and flagged; the record and the other photo arrive, once', async () => {
    host.up = false;
    const window = await windows.start(host);
    const key = await capture(window, 'Two photos', [photoBytes(100, 1), photoBytes(100, 2)]);
    const [first] = await window.db.photos.orderBy('photo_id').toArray();
    host.spool.delete(first?.photo_id ?? '');
    host.up = true;
    window.engine.wake();
    await until('one left, parked', async () => {
      const counts = await queueCounts(window, ACCOUNT);
      return counts.operations === 1 && counts.parked === 1;
    });
    expect(host.near_misses.size).toBe(1);
    const row = await window.db.near_misses.get(key);
    expect(host.near_misses.get(row?.server_id ?? 0)?.attachments).toHaveLength(1);
    const states = (await window.db.photos.orderBy('photo_id').toArray()).map((one) => one.state);
    expect(states).toEqual(['damaged', 'delivered']);
  });

  it('A21: two windows, one sends, nothing is doubled, and the second takes over', async () => {
    const first = await windows.start(host);
    const second = await windows.start(host);
    await until('a leader', () => first.engine.leads() || second.engine.leads());
    expect([first.engine.leads(), second.engine.leads()].filter(Boolean)).toHaveLength(1);
    const [leader, follower] = first.engine.leads() ? [first, second] : [second, first];
    for (let n = 0; n < 10; n += 1) await capture(n % 2 ? leader : follower, `Shared ${n}`);
    await drained(leader, host);
    expect(host.near_misses.size).toBe(10);
    expect(host.of('near_misses.create').length).toBe(10);
    await leader.engine.stop();
    await until('taken over', () => follower.engine.leads());
    await capture(follower, 'After');
    await drained(follower, host);
    expect(host.near_misses.size).toBe(11);
  });

  it('A23: order and waiting do not follow the time of day; the offset to the server clock is kept', async () => {
    host.service.server_time = Date.now() + 86_400_000;
    const window = await windows.start(host);
    await capture(window, 'First');
    await drained(window, host);
    expect(window.clock.now() - Date.now()).toBeGreaterThan(86_000_000);
    await window.stop();
    const later = await windows.start(host);
    expect(later.clock.now() - Date.now()).toBeGreaterThan(86_000_000);
  });

  it('A23: the device clock jumps a day back, a day forth and an hour between reports: they go in the order they were written', async () => {
    host.up = false;
    const first = await windows.start(host);
    await first.engine.stop();
    const real = Date.now;
    try {
      for (const [at, shift] of [0, -86_400_000, 86_400_000, 3_600_000].entries()) {
        Date.now = () => real() + shift;
        await capture(first, `Written ${at}`);
      }
    } finally {
      Date.now = real;
    }
    const titles = ['Written 0', 'Written 1', 'Written 2', 'Written 3'];
    expect((await queueItems(first, ACCOUNT)).map((item) => item.title)).toEqual(titles);
    await first.stop();
    host.up = true;
    const window = await windows.start(host);
    await drained(window, host);
    const sent = host
      .of('near_misses.create')
      .map(
        (call) => (call.input['input'] as { body: { near_miss: { description: string } } }).body,
      );
    const order = sent.map((body) => body.near_miss.description.replaceAll(/<\/?p>/g, ''));
    expect(order.filter((text, at) => order.indexOf(text) === at)).toEqual(titles);
    expect(host.near_misses.size).toBe(4);
  });

  it('A20: an operation of an unknown kind, or with an unreadable payload, goes to quarantine and the queue goes on', async () => {
    host.up = false;
    const window = await windows.start(host);
    const bad = await capture(window, 'Unreadable');
    const unknown = await capture(window, 'Unknown');
    await capture(window, 'Fine');
    const spoil = (lane: string, change: object) =>
      until('it is not being sent, and is spoilt', async () => {
        const ofLane = window.db.operations.where('lane').equals(lane);
        return (await ofLane.and(({ state }) => state === 'waiting').modify(change)) === 1;
      });
    await spoil(bad, { payload: { nonsense: true } });
    await spoil(unknown, { kind: 'near_miss.teleport' });
    host.up = true;
    window.engine.wake();
    await until('two aside', async () => (await window.db.quarantine.count()) === 2);
    await until('the third is there', () => host.near_misses.size === 1);
    const raw = (await window.db.quarantine.toArray()).map((row) => row.raw);
    expect(raw).toContainEqual(expect.objectContaining({ payload: { nonsense: true } }));
  });

  it('promise 2: against a server without idempotency keys a lost answer is looked for before it is sent again', async () => {
    host.service.idempotent = false;
    host.service.hasCatalog = false;
    const window = await windows.start(host);
    await window.db.catalogs.put({
      account: ACCOUNT,
      project_id: 10,
      etag: null,
      source: 'records',
      fetched_at: 0,
      catalog: (await import('../../../src/renderer/data/db/catalog.ts')).emptyCatalog,
    });
    host.faults.push({ at: 'after', on: to('near_misses.create'), problem: reset });
    await capture(window, 'Only once');
    await drained(window, host);
    expect(host.near_misses.size).toBe(1);
    expect(host.of('near_misses.create').length).toBe(1);
    expect(host.of('near_misses.list').length).toBe(1);
  });
});
