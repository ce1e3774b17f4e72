/**
 * Servers without idempotency keys (outbox promise 2): after a lost answer the record is searched for. A clear match is
 * accepted, an unclear one is asked about, and nothing is duplicated on a guess. Against a scripted service without keys, in a
 * real window.
 */
import { Dexie } from 'dexie';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Problem } from '../../../src/contract/problem.ts';
import type { NearMiss } from '../../../src/contract/rest/near-misses.ts';
import { emptyCatalog } from '../../../src/renderer/data/db/catalog.ts';
import { exportItems } from '../../../src/renderer/outbox/transfer/export.ts';
import { importItems, offerImport } from '../../../src/renderer/outbox/transfer/import.ts';
import {
  candidatesOf,
  pickRecord,
  sendAsNew,
} from '../../../src/renderer/outbox/queue/pick-existing-record.ts';
import { retryNow } from '../../../src/renderer/outbox/queue/queue.ts';
import type { StartedWindow } from '../../../src/renderer/outbox/start.ts';
import { ACCOUNT, type Call, ScriptedHost, to } from '../../support/renderer-host.ts';
import {
  capture,
  drained,
  host,
  owner,
  until,
  windowPerTest,
  windows,
} from '../../support/renderer-window.ts';
import { files } from '../../../src/renderer/words/en/files.ts';
import { slow } from '../../support/slow.ts';

const reset: Problem = { kind: 'offline', reason: 'reset', detail: '' };
const CREATE = 'near_misses.create';
windowPerTest();
beforeEach(() => {
  host.service.idempotent = false;
  host.service.hasCatalog = false;
});

const open = async (): Promise<StartedWindow> => {
  const window = await windows.start(host);
  await window.db.catalogs.put({
    account: ACCOUNT,
    project_id: 10,
    etag: null,
    source: 'records',
    fetched_at: 0,
    catalog: emptyCatalog,
  });
  return window;
};
const texts = (): string[] =>
  [...host.near_misses.values()].map((one) => String(one.description)).sort();
const serverIds = async (window: StartedWindow): Promise<(number | null)[]> =>
  (await window.db.near_misses.toArray()).map((row) => row.server_id).sort();
const parkedOutcomeUnknown = async (window: StartedWindow) =>
  (await window.db.operations.toArray()).find(
    (operation) => operation.last_problem?.kind === 'outcome_unknown',
  );
/** Another report on the server with the same words. */
const twin = (text: string, change: Partial<NearMiss> = {}): NearMiss =>
  host.add({
    description: `<p>${text}</p>`,
    created_at: new Date().toISOString(),
    ...change,
  });

describe('without idempotency keys', () => {
  it('outbox promise 2: the answer lost after the server executed: found, not sent again', async () => {
    const window = await open();
    host.faults.push({ at: 'after', on: to(CREATE), problem: reset, times: 1 });
    await capture(window, 'Only once');
    await drained(window, host);
    expect(texts()).toEqual(['<p>Only once</p>']);
    expect(host.of(CREATE).length).toBe(1);
    expect(await serverIds(window)).toEqual([...host.near_misses.keys()]);
  });

  it('outbox promise 2: the request lost before the server had it: looked for, not there, sent again once', async () => {
    const window = await open();
    host.faults.push({ at: 'before', on: to(CREATE), problem: { kind: 'timeout', after_ms: 1 } });
    await capture(window, 'Only once');
    await drained(window, host);
    expect(texts()).toEqual(['<p>Only once</p>']);
    expect(host.of(CREATE).length).toBe(2);
  });

  it('outbox promise 2: a server that was never reached is not looked at: nothing can be there', async () => {
    const window = await open();
    host.faults.push({
      at: 'before',
      on: to(CREATE),
      problem: { kind: 'offline', reason: 'refused', detail: '' },
    });
    twin('Same words');
    await capture(window, 'Same words');
    await drained(window, host);
    expect(texts()).toEqual(['<p>Same words</p>', '<p>Same words</p>']);
    expect(host.of('near_misses.list').length).toBe(0);
  });

  it('two reports with the very same text, both answers lost: two records, one for each', async () => {
    const window = await open();
    host.faults.push({ at: 'after', on: to(CREATE), problem: reset, times: 2 });
    await capture(window, 'Twice the same');
    await capture(window, 'Twice the same');
    await drained(window, host);
    expect(texts()).toEqual(['<p>Twice the same</p>', '<p>Twice the same</p>']);
    expect(await serverIds(window)).toEqual([...host.near_misses.keys()].sort());
  });

  it('of two with the very same text one answer lost, one request lost: still two', async () => {
    const window = await open();
    let n = 0;
    const first = (call: Call) => to(CREATE)(call) && (n += 1) === 1;
    host.faults.push({ at: 'before', on: first, problem: reset });
    host.faults.push({ at: 'after', on: to(CREATE), problem: reset });
    await capture(window, 'Twice the same');
    await capture(window, 'Twice the same');
    await drained(window, host);
    expect(texts().length).toBe(2);
    expect(await serverIds(window)).toEqual([...host.near_misses.keys()].sort());
  });

  it('outbox promise 2: two on the server may be it: parked with the question, nothing sent; picked, it is that one', async () => {
    const window = await open();
    host.faults.push({ at: 'after', on: to(CREATE), problem: reset });
    const other = twin('Same words');
    await capture(window, 'Same words');
    await until('asked', async () => (await parkedOutcomeUnknown(window)) !== undefined);
    const parked = await parkedOutcomeUnknown(window);
    expect(parked?.last_problem).toEqual({ kind: 'outcome_unknown', records: 2 });
    const candidates = await candidatesOf(window, parked?.id ?? '');
    expect(candidates.map((one) => one.server_id)).toEqual([...host.near_misses.keys()]);
    expect(candidates[0]).toMatchObject({ text: 'Same words', recycled: false });
    // Resent by hand, it is searched for again and asked about again.
    await retryNow(window, [parked?.id ?? '']);
    await until('asked again', async () => (await parkedOutcomeUnknown(window)) !== undefined);
    expect(host.of(CREATE).length).toBe(1);
    const mine = [...host.near_misses.keys()].find((id) => id !== other.id) ?? 0;
    expect(await pickRecord(window, parked?.id ?? '', mine)).toEqual({ ok: true, value: null });
    await drained(window, host);
    expect(host.of(CREATE).length).toBe(1);
    expect(await serverIds(window)).toEqual([mine]);
  });

  slow(
    'outbox promise 2: taken in on another laptop it is asked about there, with the same records to pick from',
    async () => {
      const first = await open();
      host.faults.push({ at: 'after', on: to(CREATE), problem: reset });
      const twin_id = twin('Same words').id;
      await capture(first, 'Same words');
      await until('asked', async () => (await parkedOutcomeUnknown(first)) !== undefined);
      const id = (await parkedOutcomeUnknown(first))?.id ?? '';
      const shown = await candidatesOf(first, id);
      expect(shown.length).toBe(2);
      const file = await (await exportItems(first, ACCOUNT, files)).response.blob();
      await first.stop();

      const other = new ScriptedHost(host);
      other.up = false;
      const window = await windows.start(other, `${windows.db_name}-other`);
      const offer = await offerImport(file, owner);
      if (!offer.ok) throw new Error(JSON.stringify(offer.problem));
      expect((await importItems(window, offer.value, ACCOUNT)).ok).toBe(true);
      expect(await candidatesOf(window, id)).toEqual(shown);
      const mine = shown.find((one) => one.server_id !== twin_id)?.server_id ?? 0;
      expect((await pickRecord(window, id, mine)).ok).toBe(true);
      other.up = true;
      window.engine.wake();
      await drained(window, other);
      expect(texts().length).toBe(2);
      expect(await serverIds(window)).toEqual([mine]);
    },
  );

  it('outbox promise 2: none of those shown: sent as a new one, and those are not asked about again', async () => {
    const window = await open();
    host.faults.push({ at: 'before', on: to(CREATE), problem: reset });
    twin('Same words');
    twin('Same words');
    await capture(window, 'Same words');
    await until('asked', async () => (await parkedOutcomeUnknown(window)) !== undefined);
    const parked = await parkedOutcomeUnknown(window);
    host.faults.push({ at: 'after', on: to(CREATE), problem: reset });
    expect((await sendAsNew(window, parked?.id ?? '')).ok).toBe(true);
    await drained(window, host);
    expect(texts().length).toBe(3);
    expect(host.of(CREATE).length).toBe(2);
  });

  it('outbox promise 2: one with these words from before, or with another harm source: not taken, asked', async () => {
    const window = await open();
    const created_at = new Date(Date.now() - 3_600_000).toISOString();
    twin('From before', { created_at });
    twin('Other source', { harm_source: { id: 9 } });
    host.faults.push({ at: 'before', on: to(CREATE), problem: reset, times: 2 });
    await capture(window, 'From before');
    await capture(window, 'Other source', [], { harm_source_id: 7 });
    await until('both asked', async () => {
      const operations = await window.db.operations.toArray();
      return (
        operations.filter((operation) => operation.last_problem?.kind === 'outcome_unknown')
          .length === 2
      );
    });
    expect(host.of(CREATE).length).toBe(2);
  });

  it('outbox promise 1: the database lost after the answer was lost: rebuilt from the journal it looks, and asks', async () => {
    const window = await open();
    host.faults.push({ at: 'after', on: to(CREATE), problem: reset });
    host.faults.push({ at: 'before', on: to('near_misses.list'), problem: reset, times: 50 });
    await capture(window, 'Rebuilt');
    await until('looking', () => host.of('near_misses.list').length > 0);
    await window.stop();
    await Dexie.delete(windows.db_name);
    host.faults = [];
    const again = await windows.start(host);
    await until('asked', async () => (await parkedOutcomeUnknown(again)) !== undefined);
    const [there] = [...host.near_misses.keys()];
    await pickRecord(again, (await parkedOutcomeUnknown(again))?.id ?? '', there ?? 0);
    await drained(again, host);
    expect(texts()).toEqual(['<p>Rebuilt</p>']);
  });

  it('outbox promise 2: someone recycled it before it was found: it is found in the bin, not filed again', async () => {
    const window = await open();
    host.faults.push({ at: 'after', on: to(CREATE), problem: reset });
    let hidden = false;
    host.faults.push({
      at: 'before',
      on: (call) => {
        if (!to('reach.check')(call) || hidden) return false;
        hidden = true;
        const [id] = [...host.near_misses.keys()];
        host.theirs(id ?? 0, { deleted_at: new Date().toISOString() });
        return false;
      },
      problem: reset,
    });
    await capture(window, 'Recycled meanwhile');
    await drained(window, host);
    expect(host.of(CREATE).length).toBe(1);
    expect((await window.db.near_misses.toArray()).map((row) => row.bin)).toEqual([1]);
  });
});
