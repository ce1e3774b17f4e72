/** The database is full or unreadable (failures A16, A17, A19). IndexedDB with one failing function, scripted host. */
import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import type { Problem } from '../../../src/contract/problem.ts';
import { getDraft, newDraft, saveDraft } from '../../../src/renderer/data/near-misses/drafts.ts';
import { saveNearMiss } from '../../../src/renderer/data/near-misses/near-misses.ts';
import { openDb } from '../../../src/renderer/outbox/queue/open.ts';
import { history } from '../../../src/renderer/data/near-misses/history.ts';
import { startWindow } from '../../../src/renderer/outbox/start.ts';
import { type Call, to } from '../../support/renderer-host.ts';
import {
  capture,
  drained,
  fieldsOf,
  photoBytes,
  host,
  owner,
  until,
  windowPerTest,
  windows,
} from '../../support/renderer-window.ts';
import { storageProblem } from '../../../src/renderer/data/db/storage-problem.ts';

windowPerTest();

/** Chromium aborts the transaction at commit, with `QuotaExceededError` in the message (observed with a quota of 1 byte). */
const fillDisk = (): (() => void) => {
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (this: IDBObjectStore, ...input) {
    const request = put.apply(this, input);
    if (this.name === 'operations') throw new DOMException('QuotaExceededError', 'AbortError');
    return request;
  };
  return () => {
    IDBObjectStore.prototype.put = put;
  };
};

it('A17: the quota is used up: not saved is said, the draft and what was saved before are intact', async () => {
  host.up = false;
  const window = await windows.start(host);
  await capture(window, 'Before');
  const draft = newDraft(window, owner, fieldsOf('x'.repeat(2_000)));
  await saveDraft(window, draft);
  const input = { ...owner, id: draft.id, fields: fieldsOf('x'.repeat(2_000)) };
  const free = fillDisk();
  try {
    expect(await saveNearMiss(window, input)).toMatchObject({
      ok: false,
      problem: { kind: 'no_space' },
    });
    expect(await window.db.near_misses.count()).toBe(1);
    expect((await getDraft(window, draft.id))?.fields.description).toHaveLength(2_007);
    expect(host.journal.size).toBe(1);
  } finally {
    free();
  }
  expect(await saveNearMiss(window, input)).toMatchObject({ ok: true });
  host.up = true;
  window.engine.wake();
  await drained(window, host);
  expect(host.near_misses.size).toBe(2);
});

/** Fails every transaction that writes. Returns the number of refused puts, and a function that stops it. */
const refuseWrites = () => {
  const { put } = IDBObjectStore.prototype;
  let refused = 0;
  IDBObjectStore.prototype.put = function (this: IDBObjectStore, ...input) {
    const request = put.apply(this, input);
    // An operation's, or the breaker's that is written before the next one is taken.
    refused += 1;
    this.transaction.abort();
    return request;
  };
  const free = () => {
    IDBObjectStore.prototype.put = put;
  };
  return { refused: () => refused, free };
};

it('A17: the quota is used up while operations are on their way: with room again they go on untouched, each once', async () => {
  const window = await windows.start(host);
  const filled: ReturnType<typeof refuseWrites>[] = [];
  const on = (call: Call): boolean => {
    if (host.up && filled.length === 0 && to('near_misses.create')(call))
      filled.push(refuseWrites());
    return false;
  };
  host.faults = [{ at: 'before', on, problem: { kind: 'cancelled' } }];
  host.up = false;
  for (const text of ['One', 'Two', 'Three']) await capture(window, text);
  host.up = true;
  try {
    window.engine.wake();
    await until('one is sent', () => host.near_misses.size > 0);
    await until('nothing can be written back or taken', () => (filled[0]?.refused() ?? 0) > 2);
    expect(await window.db.operations.count()).toBe(3);
  } finally {
    for (const { free } of filled) free();
  }
  await until('all are delivered', async () => (await window.db.operations.count()) === 0, 30_000);
  expect(host.near_misses.size).toBe(3);
});

it('A19: a database that opens and cannot be read is replaced and rebuilt from the journal', async () => {
  host.up = false;
  const first = await windows.start(host);
  await capture(first, 'In the journal');
  await first.stop();
  // Imitates LevelDB with a damaged block: it opens, and reading a store fails.
  const real = IDBObjectStore.prototype.getAll;
  const { promise: struck, resolve } = Promise.withResolvers<void>();
  IDBObjectStore.prototype.getAll = function () {
    resolve();
    throw new DOMException('Internal error', 'UnknownError');
  };
  const opening = openDb(windows.db_name);
  await struck;
  IDBObjectStore.prototype.getAll = real;
  const opened = await opening;
  expect(opened).toMatchObject({ ok: true, value: { replaced: true } });
  if (opened.ok) opened.value.db.close();
  host.up = true;
  const second = await windows.start(host);
  expect(second.repaired.rebuilt).toBe(1);
  await drained(second, host);
  expect(host.near_misses.size).toBe(1);
});

it('A19: a start walks over the first of many near misses, not over all; what cannot be read of those replaces the database', async () => {
  host.up = false;
  const first = await windows.start(host);
  await capture(first, 'In the journal');
  const row = await first.db.near_misses.toCollection().first();
  if (row === undefined) throw new Error('nothing was saved');
  const copies = Array.from({ length: 2_500 }, (_, n) => ({ ...row, key: `copy-${n}` }));
  await first.db.near_misses.bulkPut(copies);
  await first.stop();
  // The check is incomplete: the host keeps its copy of the files until the rest could be read.
  const reports = host.of('database.report').length;
  expect(reports).toBe(1);
  await (await windows.start(host)).stop();
  expect(host.of('database.report')).toHaveLength(reports);
  const { openKeyCursor, count } = IDBIndex.prototype;
  const { advance } = IDBCursor.prototype;
  const walked: number[] = [];
  const counted: string[] = [];
  let broken = false;
  IDBIndex.prototype.openKeyCursor = function (...how) {
    if (broken && this.objectStore.name === 'near_misses') {
      broken = false;
      throw new DOMException('Internal error', 'UnknownError');
    }
    return openKeyCursor.apply(this, how);
  };
  // Skips without creating a key for each passed row.
  IDBCursor.prototype.advance = function (far) {
    if (this.source instanceof IDBIndex) walked.push(far);
    advance.call(this, far);
  };
  IDBIndex.prototype.count = function (...how) {
    counted.push(this.objectStore.name);
    return count.apply(this, how);
  };
  try {
    const whole = await openDb(windows.db_name);
    expect(whole).toMatchObject({ ok: true, value: { replaced: false } });
    if (whole.ok) whole.value.db.close();
    // Through the one index that contains all rows.
    expect(walked).toEqual([2_000]);
    expect(counted).toContain('operations');
    expect(counted).not.toContain('near_misses');
    broken = true;
    const harmed = await openDb(windows.db_name);
    expect(harmed).toMatchObject({ ok: true, value: { replaced: true } });
    if (harmed.ok) harmed.value.db.close();
  } finally {
    Object.assign(IDBIndex.prototype, { openKeyCursor, count });
    Object.assign(IDBCursor.prototype, { advance });
  }
  const second = await windows.start(host);
  expect(second.repaired.rebuilt).toBe(1);
});

it('A16: a database that does not open for want of room is not deleted; with room again it is as it was', async () => {
  host.up = false;
  const first = await windows.start(host);
  const draft = newDraft(first, owner, fieldsOf('Only here, not yet saved'));
  await saveDraft(first, draft);
  await first.stop();
  const real = IDBObjectStore.prototype.count;
  IDBObjectStore.prototype.count = function () {
    throw new DOMException('Internal error opening backing store', 'UnknownError');
  };
  const full = async () => ({ ok: false, problem: { kind: 'no_space', detail: '' } }) as const;
  const opened = await openDb(windows.db_name, full);
  IDBObjectStore.prototype.count = real;
  expect(opened).toEqual({ ok: false, problem: { kind: 'full_disk' } });
  const second = await windows.start(host);
  expect(second.repaired.replaced_database).toBe(false);
  expect((await getDraft(second, draft.id))?.fields.description).toContain('Only here');
});

it('A16: the words of Chromium on a full disk are told as a full disk', () => {
  const said =
    'UnknownError: Connection is closing because of: IO error: 000003.log: FILE_ERROR_NO_SPACE';
  expect(storageProblem(new Error(said))).toMatchObject({ kind: 'no_space' });
});

it('A16: opened on a full disk with a change that the journal has not: the window says full, and with room it has it all', async () => {
  host.up = false;
  const first = await windows.start(host);
  await capture(first, 'Before');
  await first.db.operations.toCollection().modify({ journaled: 0 });
  await first.stop();
  host.journal.clear();
  const full: Problem = { kind: 'no_space', detail: '' };
  host.faults.push({ at: 'before', on: to('journal.append'), problem: full });
  const answer = await startWindow(host.client(), { history, db_name: windows.db_name });
  expect(answer).toEqual({ ok: false, problem: { kind: 'full_disk' } });
  const second = await windows.start(host);
  expect(host.journal.size).toBe(1);
  host.up = true;
  second.engine.wake();
  await drained(second, host);
  expect(host.near_misses.size).toBe(1);
});

it('A18, A21: the store closes under the leading window: it saves nothing, gives up the lead, another window sends all', async () => {
  host.up = false;
  const first = await windows.start(host);
  await until('the first leads', () => first.engine.leads());
  await capture(first, 'In the journal');
  // "Clear site data" while windows are open.
  indexedDB.deleteDatabase(windows.db_name);
  const second = await windows.start(host);
  await until('the second leads', () => second.engine.leads());
  expect(first.engine.leads()).toBe(false);
  const fields = fieldsOf('Into a store that nobody compared');
  expect(await saveNearMiss(first, { ...owner, id: ulid(), fields })).toMatchObject({ ok: false });
  host.up = true;
  second.engine.wake();
  await drained(second, host);
  expect(host.near_misses.size).toBe(1);
});

it('A18, A21: a connection found gone before it is told: no other store takes its place, and another window sends all', async () => {
  const client = host.client();
  let asked = false;
  const call: typeof client.call = (method, ...rest) => {
    if (method !== 'photos.deliver') return client.call(method, ...rest);
    asked = true;
    return new Promise(() => {});
  };
  const answer = await startWindow(
    { ...client, call },
    { history, db_name: windows.db_name, engine: { lock_name: `outbox-${windows.db_name}` } },
  );
  if (!answer.ok) throw new Error(JSON.stringify(answer.problem));
  const first = answer.value;
  await until('the first leads', () => first.engine.leads());
  await capture(first, 'In the journal', [photoBytes(300, 1)]);
  await until('it waits for an answer', () => asked);
  // On a closing connection Dexie opens another one itself.
  first.db.backendDB().close();
  await first.db.operations.count().catch(() => undefined);
  await until('the first leads no more', () => !first.engine.leads());
  expect(first.db.isOpen()).toBe(false);
  const second = await windows.start(host);
  await until('the second leads', () => second.engine.leads());
  await drained(second, host);
  expect([...host.near_misses.values()].map((one) => one.attachments?.length)).toEqual([1]);
});
