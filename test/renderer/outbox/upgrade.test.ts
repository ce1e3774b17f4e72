/**
 * A later version of the schema opens the database of this one, with a full queue in it (failures A28). The later version is
 * made up: it adds a table and an index, and changes every draft. A database of a later version is refused by this one.
 */
import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import type { Problem } from '../../../src/contract/problem.ts';
import { attachDocuments } from '../../../src/renderer/data/company/tm-attach.ts';
import {
  DB_VERSIONS,
  type DbVersion,
  type DraftRow,
  type OutboxOperation,
} from '../../../src/renderer/data/db/db.ts';
import { newDraft, saveDraft } from '../../../src/renderer/data/near-misses/drafts.ts';
import { history } from '../../../src/renderer/data/near-misses/history.ts';
import {
  deleteNearMiss,
  editNearMiss,
  restoreNearMiss,
  saveNearMiss,
} from '../../../src/renderer/data/near-misses/near-misses.ts';
import { refreshNearMisses } from '../../../src/renderer/data/near-misses/refresh.ts';
import { type StartedWindow, startWindow } from '../../../src/renderer/outbox/start.ts';
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
import { slow } from '../../support/slow.ts';

windowPerTest();

const LATER = DB_VERSIONS.length + 1;
const laterThan = (upgrade: DbVersion['upgrade']): readonly DbVersion[] => {
  const { near_misses = '' } = DB_VERSIONS[0]?.stores ?? {};
  const stores = { near_misses: `${near_misses}, [account+updated_at]`, made_up: 'id' };
  return [...DB_VERSIONS, { stores, upgrade }];
};
const later = laterThan(async (transaction) => {
  const drafts = transaction.table<DraftRow & { made_up?: string }>('drafts').toCollection();
  await drafts.modify((draft) => (draft.made_up = `of ${draft.id}`));
});

const rowsOf = async (window: StartedWindow): Promise<Record<string, unknown[]>> => {
  const all: Record<string, unknown[]> = {};
  for (const { name } of window.db.tables) {
    let rows: unknown[] = await window.db.table(name).toArray();
    // The engine of an open window counts its attempts.
    if (name === 'operations')
      rows = (rows as OutboxOperation[]).map(({ id, seq, kind, lane, payload, created_at }) => {
        return { id, seq, kind, lane, payload, created_at };
      });
    // The window writes its own notes at each start.
    if (name !== 'meta') all[name] = rows;
  }
  return all;
};

/** Fills the database of this version while the server is away: everything that a queue may hold, a draft, a parked operation. */
const fill = async (): Promise<Record<string, unknown[]>> => {
  host.add({ description: '<p>Edited here</p>' });
  host.add({ description: '<p>Deleted here</p>' });
  host.add({ description: '<p>Deleted and restored here</p>' });
  const window = await windows.start(host);
  await refreshNearMisses(window, owner);
  host.up = false;
  const key = async (words: string): Promise<string> => {
    const row = await window.db.near_misses
      .filter(({ fields }) => fields.description === `<p>${words}</p>`)
      .first();
    return row?.key ?? '';
  };
  await editNearMiss(window, await key('Edited here'), { description: '<p>Edited words</p>' });
  await deleteNearMiss(window, await key('Deleted here'));
  await deleteNearMiss(window, await key('Deleted and restored here'));
  await restoreNearMiss(window, await key('Deleted and restored here'));
  await capture(window, 'New, with two photos', [photoBytes(300, 1), photoBytes(400, 2)]);
  const lane = await capture(window, 'Refused');
  const documents = { documents: [3], folders: [], name: 'A drawing' };
  await attachDocuments(window, { ...owner, time_and_material_entry_id: 8 }, documents);
  await saveDraft(window, newDraft(window, owner, fieldsOf('Unfinished')));
  await window.stop();
  const again = await windows.start(host);
  await again.engine.stop();
  await again.db.quarantine.add({
    account: owner.account,
    lane: 'lane',
    raw: { payload: { of: 'a later version' } },
    reason: 'unknown kind or version',
    found_at: 1,
  });
  const last_problem: Problem = { kind: 'refused', status: 422, messages: [], fields: {} };
  await again.db.operations
    .where('lane')
    .equals(lane)
    .modify({ state: 'parked', attempts: 1, last_problem });
  const rows = await rowsOf(again);
  await again.stop();
  return rows;
};

/** Expects every write of the queue once on the server, the refused one still parked. */
const expectDelivered = async (window: StartedWindow): Promise<void> => {
  await until('all but the refused one', async () => (await window.db.operations.count()) === 1);
  expect(await window.db.operations.toArray()).toMatchObject([{ state: 'parked' }]);
  const there = [...host.near_misses.values()];
  expect(there.map(({ description }) => description).sort()).toEqual([
    '<p>Deleted and restored here</p>',
    '<p>Deleted here</p>',
    '<p>Edited words</p>',
    '<p>New, with two photos</p>',
  ]);
  const of = (words: string) => there.find((one) => one.description === `<p>${words}</p>`);
  expect(of('Deleted here')?.deleted_at).toBeTruthy();
  expect(of('Deleted and restored here')?.deleted_at).toBeFalsy();
  expect(of('New, with two photos')?.attachments).toHaveLength(2);
  expect(host.entry_files.size).toBe(1);
};

it('A28: a full queue is upgraded in place by a later version, shown, and delivered once', async () => {
  const { drafts = [], ...before } = await fill();
  const filled = ['near_misses', 'photos', 'entries', 'quarantine', 'tm_attachments', 'history'];
  for (const name of filled) expect(before[name], name).not.toEqual([]);
  const window = await windows.start(host, undefined, { db_versions: later });
  expect(window.db.verno).toBe(LATER);
  expect(window.repaired).toMatchObject({
    rebuilt: 0,
    quarantined: 0,
    drafts: 0,
    replaced_database: false,
  });
  await window.db.table('made_up').put({ id: 'new' });
  const { drafts: after = [], made_up, ...rest } = await rowsOf(window);
  expect(made_up).toEqual([{ id: 'new' }]);
  expect(rest).toEqual(before);
  expect(drafts).toHaveLength(1);
  expect(after).toEqual(
    (drafts as DraftRow[]).map((draft) => ({ ...draft, made_up: `of ${draft.id}` })),
  );
  host.up = true;
  window.engine.wake();
  await expectDelivered(window);
});

slow(
  'A28: this version refuses a database of a later one and leaves it as it is; the later one goes on with it',
  async () => {
    await fill();
    const first = await windows.start(host, undefined, { db_versions: later });
    const before = await rowsOf(first);
    await first.stop();
    const refused = await startWindow(host.client(), { history, db_name: windows.db_name });
    expect(refused).toEqual({ ok: false, problem: { kind: 'newer_database' } });
    const second = await windows.start(host, undefined, { db_versions: later });
    expect(second.db.verno).toBe(LATER);
    expect(await rowsOf(second)).toEqual(before);
    host.up = true;
    second.engine.wake();
    await expectDelivered(second);
  },
);

it('A28: an upgrade closes the database of an open window of this version, which writes nothing more; the later one sends', async () => {
  host.up = false;
  const closed = Promise.withResolvers<void>();
  const first = await windows.start(host, undefined, { closed: closed.resolve });
  await until('it leads', () => first.engine.leads());
  await capture(first, 'Before the upgrade');
  const second = await windows.start(host, undefined, { db_versions: later });
  await closed.promise;
  const late = { id: ulid(), ...owner, fields: fieldsOf('After the upgrade') };
  expect(await saveNearMiss(first, late)).toMatchObject({ ok: false });
  expect(second.db.verno).toBe(LATER);
  await capture(second, 'By the later version');
  await until('the later one leads', () => second.engine.leads());
  host.up = true;
  second.engine.wake();
  await drained(second, host);
  const words = [...host.near_misses.values()].map(({ description }) => description);
  expect(words.sort()).toEqual(['<p>Before the upgrade</p>', '<p>By the later version</p>']);
});

it('A28: an upgrade that fails loses nothing: the queue and the draft come back from the journal', async () => {
  const { operations = [] } = await fill();
  const failing = laterThan(() => Promise.reject(new Error('made to fail')));
  const broken = await windows.start(host, undefined, { db_versions: failing });
  expect(host.of('database.report')).toContainEqual(
    expect.objectContaining({ input: { state: 'broken' } }),
  );
  expect(broken.repaired).toMatchObject({
    rebuilt: operations.length,
    drafts: 1,
    replaced_database: true,
  });
});
