/** The database is lost, damaged, behind or ahead of the journal (failures A2, A18, A19, A20, A27, A28). Scripted host. */
import { Dexie } from 'dexie';
import { ulid } from 'ulid';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../src/contract/problem.ts';
import { discardDraft, saveDraft } from '../../../src/renderer/data/near-misses/drafts.ts';
import {
  deleteNearMiss,
  editNearMiss,
} from '../../../src/renderer/data/near-misses/near-misses.ts';
import { photosOf } from '../../../src/renderer/data/photos/photos.ts';
import { putServerCopies } from '../../../src/renderer/data/near-misses/refresh-rows.ts';
import { exportAsIs } from '../../../src/renderer/outbox/transfer/export-as-is.ts';
import { queueItems } from '../../../src/renderer/outbox/queue/queue.ts';
import { history } from '../../../src/renderer/data/near-misses/history.ts';
import { type StartedWindow, startWindow } from '../../../src/renderer/outbox/start.ts';
import { ACCOUNT, type Call, type ScriptedHost, to } from '../../support/renderer-host.ts';
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
import { files } from '../../../src/renderer/words/en/files.ts';
import { slow } from '../../support/slow.ts';

windowPerTest();

/** A host whose first answer to `method` reaches the window only after `meanwhile`. */
const answeringLate = (method: string, meanwhile: () => Promise<unknown>): ScriptedHost => {
  const client = host.client();
  let first = true;
  const call = async (name: string, ...more: unknown[]): Promise<unknown> => {
    const ask = client.call as (name: string, ...more: unknown[]) => Promise<unknown>;
    const answer = await ask(name, ...more);
    if (name === method && first) {
      first = false;
      await meanwhile();
    }
    return answer;
  };
  return { client: () => ({ ...client, call }) } as unknown as ScriptedHost;
};

/** True if a window waits for the journal's lock. */
const waitsForItsTurn = async (): Promise<boolean> =>
  ((await navigator.locks.query()).pending ?? []).some(({ name }) => name === 'spotter-journal');

const lost: Problem = { kind: 'offline', reason: 'unreachable', detail: '' };

describe('database and journal', () => {
  slow(
    'A20: the journal is lost under long reports: it learns of all again, in calls that no door refuses for their size',
    async () => {
      host.up = false;
      const first = await windows.start(host);
      const long = 'Scaffold board came down. '.repeat(2_000);
      for (let n = 0; n < 40; n += 1) await capture(first, `${n} ${long}`);
      await first.stop();
      host.journal.clear();
      const before = host.calls.length;
      const second = await windows.start(host);
      const told = host.calls.slice(before).filter(({ method }) => method === 'journal.append');
      expect(told.length).toBeGreaterThan(1);
      for (const { input } of told) expect(JSON.stringify(input).length).toBeLessThan(4_000_000);
      expect([...host.journal.keys()].sort()).toEqual(
        (await second.db.operations.toArray()).map(({ id }) => id).sort(),
      );
      expect(host.journal.size).toBe(40);
    },
  );

  it('A18: IndexedDB is deleted with three items queued: all come back and are delivered once', async () => {
    host.up = false;
    const first = await windows.start(host);
    for (let n = 0; n < 3; n += 1)
      await capture(first, `Kept ${n}`, [photoBytes(300, n), photoBytes(300, n + 9)]);
    await first.stop();
    await Dexie.delete(windows.db_name);
    const second = await windows.start(host);
    expect(second.repaired).toMatchObject({ rebuilt: 9, records: 3, quarantined: 0 });
    const items = await queueItems(second, ACCOUNT);
    expect(items.map((item) => item.title)).toEqual(['Kept 0', 'Kept 1', 'Kept 2']);
    expect(await second.db.photos.count()).toBe(6);
    const row = await second.db.near_misses.get(items[0]?.key ?? '');
    expect(row && (await photosOf(second, row))).toHaveLength(2);
    host.up = true;
    second.engine.wake();
    await drained(second, host);
    expect(host.near_misses.size).toBe(3);
    for (const record of host.near_misses.values()) expect(record.attachments).toHaveLength(2);
  });

  it('A18: deleted after the create was answered and before the photo went: the link survives, no second record', async () => {
    const first = await windows.start(host);
    const cut: Problem = { kind: 'offline', reason: 'refused', detail: '' };
    host.faults.push({ at: 'before', on: to('photos.upload'), problem: cut, times: 99 });
    await capture(first, 'Half done', [photoBytes(100, 1)]);
    await until('the link is in the journal', () => host.links.size === 1);
    await first.stop();
    await Dexie.delete(windows.db_name);
    host.faults = [];
    const second = await windows.start(host);
    expect(second.repaired.rebuilt).toBe(1);
    await drained(second, host);
    expect(host.near_misses.size).toBe(1);
    expect([...host.near_misses.values()][0]?.attachments).toHaveLength(1);
  });

  it('A18, A23: an edit of what waits, the clock put back before it, the window killed in it, the store gone: it is there', async () => {
    host.up = false;
    const first = await windows.start(host);
    const key = await capture(first, 'As saved');
    host.faults.push({ at: 'before', on: to('journal.settle'), problem: lost, times: 99 });
    const { now } = Date;
    Date.now = () => now() - 3_600_000;
    try {
      await editNearMiss(first, key, fieldsOf('As edited'));
    } finally {
      Date.now = now;
    }
    expect(host.journal.size).toBe(2);
    await first.stop();
    await Dexie.delete(windows.db_name);
    host.faults = [];
    const second = await windows.start(host);
    expect((await second.db.near_misses.get(key))?.fields.description).toBe('<p>As edited</p>');
    host.up = true;
    second.engine.wake();
    await drained(second, host);
    expect([...host.near_misses.values()].map((one) => one.description)).toEqual([
      '<p>As edited</p>',
    ]);
  });

  it('A18: deleted between an edit’s delivery and its photo’s: the record shows the edit, the next one is no conflict', async () => {
    const first = await windows.start(host);
    const no: Problem = { kind: 'refused', status: 422, messages: [], fields: {} };
    host.faults.push({ at: 'before', on: to('photos.upload'), problem: no, times: 99 });
    const key = await capture(first, 'As saved', [photoBytes(100, 1)]);
    await until('the create is settled', () => host.links.size === 1);
    await editNearMiss(first, key, { description: 'Edited once' });
    await until('only the photo waits', () => host.journal.size === 1 && host.left.size === 1);
    await first.stop();
    await Dexie.delete(windows.db_name);
    host.faults = [];
    host.up = false;
    const second = await windows.start(host);
    expect((await second.db.near_misses.get(key))?.fields.description).toBe('Edited once');
    await editNearMiss(second, key, { description: 'Edited twice' });
    host.up = true;
    second.engine.wake();
    await drained(second, host);
    expect([...host.near_misses.values()][0]?.description).toBe('Edited twice');
  });

  it('A18: edited unsent, the database lost before and after delivery: the record shows the edit, the next is no conflict', async () => {
    host.up = false;
    const first = await windows.start(host);
    const key = await capture(first, 'As saved', [photoBytes(100, 1)]);
    await editNearMiss(first, key, { description: 'Edited before' });
    const no: Problem = { kind: 'refused', status: 422, messages: [], fields: {} };
    host.faults.push({ at: 'before', on: to('photos.upload'), problem: no, times: 99 });
    await first.stop();
    await Dexie.delete(windows.db_name);
    const between = await windows.start(host);
    expect((await between.db.near_misses.get(key))?.fields.description).toBe('Edited before');
    host.up = true;
    between.engine.wake();
    await until('only the photo waits', () => host.journal.size === 1 && host.links.size === 1);
    expect([...host.near_misses.values()][0]?.description).toBe('Edited before');
    await between.stop();
    await Dexie.delete(windows.db_name);
    host.faults = [];
    host.up = false;
    const second = await windows.start(host);
    expect((await second.db.near_misses.get(key))?.fields.description).toBe('Edited before');
    await editNearMiss(second, key, { description: 'Edited again' });
    host.up = true;
    second.engine.wake();
    await drained(second, host);
    expect([...host.near_misses.values()][0]?.description).toBe('Edited again');
  });

  it('A18: an edit behind one that waits is compared with that one, also after the create came in and the database went', async () => {
    const again = async (before: StartedWindow): Promise<StartedWindow> => {
      await before.stop();
      await Dexie.delete(windows.db_name);
      host.faults = [];
      host.up = false;
      return windows.start(host);
    };
    const online = (window: StartedWindow): void => {
      host.up = true;
      window.engine.wake();
    };
    host.up = false;
    const first = await windows.start(host);
    const key = await capture(first, 'One');
    // An operation restored from the journal may have been sent, so edits are not merged into it.
    const second = await again(first);
    await editNearMiss(second, key, { description: 'Two' });
    const third = await again(second);
    await editNearMiss(third, key, { description: 'Three' });
    host.faults.push({ at: 'before', on: to('near_misses.update'), problem: lost, times: 99 });
    online(third);
    await until('the create is settled', () => host.links.size === 1);
    await until('only the edits wait', () => host.journal.size === 2);
    await third.engine.stop();
    await editNearMiss(third, key, { description: 'Four' });
    await third.stop();
    host.faults = [];
    const fourth = await windows.start(host);
    const isFour = ({ endpoint, input }: Call): boolean =>
      endpoint === 'near_misses.update' && JSON.stringify(input).includes('Four');
    host.faults.push({ at: 'before', on: isFour, problem: lost, times: 99 });
    fourth.engine.wake();
    await until('only the last edit waits', () => host.journal.size === 1);
    expect([...host.near_misses.values()][0]?.description).toBe('Two');
    const last = await again(fourth);
    online(last);
    await until('the last edit is tried', () => host.of('near_misses.show').length > 0);
    await drained(last, host);
    expect([...host.near_misses.values()][0]?.description).toBe('Four');
  });

  it('A18: deleted, the database lost, the delete delivered: a list asked for before it does not bring the record back', async () => {
    const first = await windows.start(host);
    const key = await capture(first, 'Sent to the bin');
    await drained(first, host);
    const [copy] = host.near_misses.values();
    if (copy === undefined) throw new Error('no record');
    const active = structuredClone(copy);
    host.up = false;
    expect((await deleteNearMiss(first, key)).ok).toBe(true);
    const { company_id = 0, project_id = 0 } = (await first.db.near_misses.get(key)) ?? {};
    await first.stop();
    await Dexie.delete(windows.db_name);
    const second = await windows.start(host);
    expect((await second.db.near_misses.get(key))?.server).toBeNull();
    const asked_at = second.clock.tick();
    host.up = true;
    second.engine.wake();
    await drained(second, host);
    const scope = { account: ACCOUNT, company_id, project_id };
    await putServerCopies(second, scope, [active], asked_at);
    expect((await second.db.near_misses.get(key))?.bin).toBe(1);
  });

  it('A1, A18: an edit sent under a second key, its answer and the database lost: the server has it, it is not sent again', async () => {
    const first = await windows.start(host);
    const key = await capture(first, 'As saved');
    await drained(first, host);
    // Changed between read and write: the first key is used up, and only the database knows the second one.
    const late: Problem = { kind: 'conflict', status: 412, messages: [] };
    host.faults.push({ at: 'before', on: to('near_misses.update'), problem: late });
    host.faults.push({ at: 'before', on: to('journal.settle'), problem: lost, times: 99 });
    await editNearMiss(first, key, { description: 'Edited' });
    await until('settled here', async () => (await first.db.operations.count()) === 0);
    await first.stop();
    expect(host.journal.size).toBe(1);
    const sent = host.of('near_misses.update').length;
    await Dexie.delete(windows.db_name);
    host.faults = [];
    const second = await windows.start(host);
    await drained(second, host);
    expect(host.of('near_misses.update')).toHaveLength(sent);
    expect([...host.near_misses.values()][0]?.description).toBe('Edited');
    expect((await second.db.near_misses.get(key))?.fields.description).toContain('Edited');
  });

  it.each([
    ['shows no near miss', { near_miss: null, replaces: null }],
    ['cannot be read', 'half a li'],
  ])(
    'A18, A20: what a settled edit left %s: the record comes back as the photo that waits knew it',
    async (_what, left) => {
      const first = await windows.start(host);
      const no: Problem = { kind: 'refused', status: 422, messages: [], fields: {} };
      host.faults.push({ at: 'before', on: to('photos.upload'), problem: no, times: 99 });
      const key = await capture(first, 'As saved', [photoBytes(100, 1)]);
      await until('only the photo waits', () => host.journal.size === 1 && host.links.size === 1);
      host.left.set(key, left);
      await first.stop();
      await Dexie.delete(windows.db_name);
      const second = await windows.start(host);
      expect((await second.db.near_misses.get(key))?.fields.description).toContain('As saved');
    },
  );

  it('A2: killed between the answer and the local commit: the same key again, one record', async () => {
    const first = await windows.start(host);
    let answered: () => void = () => {};
    const struck = new Promise<void>((resolve) => (answered = resolve));
    // The window closes while the answer is in flight, so it never writes the result.
    host.faults.push({
      at: 'after',
      problem: { kind: 'cancelled' },
      on: (call) => {
        if (call.endpoint !== 'near_misses.create') return false;
        answered();
        first.db.close();
        return true;
      },
    });
    await capture(first, 'Killed').catch(() => {});
    await struck;
    await first.engine.stop();
    const second = await windows.start(host);
    await drained(second, host);
    expect(host.near_misses.size).toBe(1);
    expect(host.of('near_misses.create').length).toBe(2);
  });

  it('A27: killed between the create and the first photo: the persisted id map is used', async () => {
    const first = await windows.start(host);
    const cut: Problem = { kind: 'offline', reason: 'refused', detail: '' };
    host.faults.push({ at: 'before', on: to('photos.upload'), problem: cut, times: 99 });
    await capture(first, 'In two halves', [photoBytes(100, 1)]);
    await until('created', () => host.near_misses.size === 1);
    await until('settled', () => host.links.size === 1);
    await first.stop();
    host.faults = [];
    const second = await windows.start(host);
    await drained(second, host);
    expect(host.of('near_misses.create').length).toBe(1);
    expect([...host.near_misses.values()][0]?.attachments).toHaveLength(1);
  });

  it('settled here and not in the journal: settled there at the next start, not sent again', async () => {
    const first = await windows.start(host);
    host.faults.push({ at: 'before', on: to('journal.settle'), problem: lost, times: 99 });
    await capture(first, 'Done');
    await until('settled here', async () => (await first.db.operations.count()) === 0);
    await first.stop();
    expect(host.journal.size).toBe(1);
    host.faults = [];
    const second = await windows.start(host);
    expect(second.repaired.rebuilt).toBe(0);
    await drained(second, host);
    expect(host.of('near_misses.create').length).toBe(1);
  });

  it('A18: delivered and deleted by another window after the journal was listed: not made again, nobody is asked', async () => {
    const first = await windows.start(host);
    const key = await capture(first, 'As saved');
    await drained(first, host);
    host.up = false;
    await editNearMiss(first, key, { description: 'Edited' });
    await deleteNearMiss(first, key);
    const slow = answeringLate('journal.list', () => {
      host.up = true;
      first.engine.wake();
      return drained(first, host);
    });
    const second = await windows.start(slow);
    expect(second.repaired.rebuilt).toBe(0);
    expect(await second.db.operations.count()).toBe(0);
    expect(host.journal.size).toBe(0);
  });

  it('A18: two windows start on an empty database: what one brings back and sends the other does not make again', async () => {
    host.up = false;
    const before = await windows.start(host);
    await capture(before, 'Sent once');
    await before.stop();
    await Dexie.delete(windows.db_name);
    host.up = true;
    const tried = host.of('near_misses.create').length;
    let first: Promise<StartedWindow> | null = null;
    const slow = answeringLate('journal.settled', async () => {
      first = windows.start(host);
      const sent = (): boolean => host.near_misses.size === 1 && host.journal.size === 0;
      await until('it sends, or waits', async () => sent() || (await waitsForItsTurn()));
    });
    const second = await windows.start(slow);
    await first;
    await drained(second, host);
    expect(host.of('near_misses.create')).toHaveLength(tried + 1);
  });

  slow(
    'A18: a draft that another window discards after the drafts were listed does not come back',
    async () => {
      const first = await windows.start(host);
      const id = ulid();
      const draft = { id, ...owner, fields: fieldsOf('Discarded'), created_at: 1, updated_at: 1 };
      await saveDraft(first, draft);
      await until('the journal has it', () => host.drafts.has(id));
      const slow = answeringLate('drafts.list', async () => {
        await discardDraft(first, id);
        await until(
          'its end is told, or waits',
          async () => (await first.db.tombstones.count()) === 0 || (await waitsForItsTurn()),
        );
      });
      const second = await windows.start(slow);
      expect(second.repaired.drafts).toBe(0);
      expect(await second.db.drafts.count()).toBe(0);
      await until('the journal knows its end', () => !host.drafts.has(id));
    },
  );

  it('here and not in the journal (its file was lost): appended again before anything is sent', async () => {
    host.up = false;
    const first = await windows.start(host);
    await capture(first, 'Journal lost');
    await first.stop();
    host.journal.clear();
    const second = await windows.start(host);
    expect(host.journal.size).toBe(1);
    host.up = true;
    second.engine.wake();
    await drained(second, host);
    expect(host.near_misses.size).toBe(1);
  });

  it('an edit whose journal call was cut in half leaves one create, whatever is lost next', async () => {
    host.up = false;
    const first = await windows.start(host);
    await first.engine.stop();
    const key = await capture(first, 'Draft wording');
    // The new operation is in the journal, the old one is not settled there, and then IndexedDB is lost.
    host.faults.push({ at: 'before', on: to('journal.settle'), problem: lost, times: 9 });
    await editNearMiss(first, key, { description: '<p>Final wording</p>' });
    expect(host.journal.size).toBe(2);
    await first.stop();
    await Dexie.delete(windows.db_name);
    host.faults = [];
    host.up = true;
    const second = await windows.start(host);
    await drained(second, host);
    expect([...host.near_misses.values()].map((one) => one.description)).toEqual([
      '<p>Final wording</p>',
    ]);
  });

  it('A20: a malformed row is put aside with everything it held; a good copy in the journal takes its place', async () => {
    host.up = false;
    const first = await windows.start(host);
    await capture(first, 'Good copy in the journal');
    const [operation] = await first.db.operations.toArray();
    await first.db.operations.put({ ...operation, seq: 'x', state: 'odd' } as never);
    await first.db.operations.put({ id: 'not a ulid', what: 42 } as never);
    const lane = await capture(first, 'Without its tries');
    const operations = first.db.operations.where('lane').equals(lane);
    await operations.modify((row: { tries?: unknown }) => delete row.tries);
    await first.stop();
    host.up = true;
    const second = await windows.start(host);
    expect(second.repaired).toMatchObject({ rebuilt: 2, quarantined: 1 });
    await drained(second, host);
    expect(host.near_misses.size).toBe(2);
    expect((await second.db.quarantine.toArray())[0]?.raw).toMatchObject({ what: 42 });
  });

  it('A20: an operation of another version in the journal is quarantined, not dropped, and not quarantined twice', async () => {
    host.up = false;
    const first = await windows.start(host);
    await capture(first, 'Version 9');
    await first.stop();
    await Dexie.delete(windows.db_name);
    for (const [id, line] of host.journal) host.journal.set(id, { ...line, version: 9 });
    const second = await windows.start(host);
    expect(second.repaired).toMatchObject({ rebuilt: 0, quarantined: 1 });
    await second.stop();
    const third = await windows.start(host);
    expect(third.repaired.quarantined).toBe(0);
    expect(await third.db.quarantine.count()).toBe(1);
    expect(host.journal.size).toBe(1);
  });

  it('A28: a database of a newer Spotter is refused and left as it is, and everything in it can be exported', async () => {
    const newer = new Dexie(windows.db_name);
    newer.version(99).stores({ operations: 'id', future: 'id' });
    await newer.table('future').put({ id: 'kept' });
    newer.close();
    const answer = await startWindow(host.client(), { history, db_name: windows.db_name });
    expect(answer).toEqual({ ok: false, problem: { kind: 'newer_database' } });
    await newer.open();
    expect(await newer.table('future').count()).toBe(1);
    expect(newer.backendDB().version).toBe(990);
    newer.close();
    // Everything can be exported without opening it as our database.
    const { filename, response } = await exportAsIs(host.client(), files, windows.db_name);
    expect(filename).toMatch(/^spotter-data-.*\.zip$/);
    const zip = new TextDecoder('latin1').decode(await response.arrayBuffer());
    expect(zip).toContain('"future"');
    expect(zip).toContain('"kept"');
    const after = (await indexedDB.databases()).find((one) => one.name === windows.db_name);
    expect(after?.version).toBe(990);
  });

  it('a start without a host says so and sends nothing', async () => {
    host.faults.push({ at: 'before', on: to('journal.list'), problem: lost });
    const answer = await startWindow(host.client(), { history, db_name: windows.db_name });
    expect(answer).toMatchObject({ ok: false, problem: { kind: 'no_host' } });
  });
});
