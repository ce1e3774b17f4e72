/** Comments in the queue (decisions §18; outbox promises 1 to 3): sent once, behind the report, beside its edits. Scripted host. */
import { Dexie } from 'dexie';
import { beforeEach, expect, it } from 'vitest';
import type { Problem } from '../../../src/contract/problem.ts';
import {
  commentsOf,
  refreshComments,
  removeComment,
  takesComments,
  writeComment,
} from '../../../src/renderer/data/comments/comments.ts';
import {
  keepCommentDraft,
  readCommentDraft,
} from '../../../src/renderer/data/comments/comment-drafts.ts';
import { COMMENTS_KEPT } from '../../../src/renderer/data/comments/kept-comments.ts';
import { emptyCatalog } from '../../../src/renderer/data/db/catalog.ts';
import type { NearMissRow } from '../../../src/renderer/data/db/db.ts';
import { discardDraft } from '../../../src/renderer/data/near-misses/drafts.ts';
import { asNewReport } from '../../../src/renderer/outbox/queue/resolve.ts';
import { waitingRecords } from '../../../src/renderer/data/index/near-miss-list.ts';
import {
  deleteNearMiss,
  editNearMiss,
} from '../../../src/renderer/data/near-misses/near-misses.ts';
import {
  forgetNearMisses,
  tablesOfForgetting,
} from '../../../src/renderer/data/near-misses/forget.ts';
import { refreshNearMisses } from '../../../src/renderer/data/near-misses/refresh.ts';
import { cancelOperation, queueItems } from '../../../src/renderer/outbox/queue/queue.ts';
import type { StartedWindow } from '../../../src/renderer/outbox/start.ts';
import { ACCOUNT, type Call, to } from '../../support/renderer-host.ts';
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
beforeEach(() => {
  host.service.comments = new Map();
});

const CREATE = 'near_miss_comments.create';
const reset: Problem = { kind: 'offline', reason: 'reset', detail: '' };
const away: Problem = { kind: 'offline', reason: 'refused', detail: '' };

const write = async (window: StartedWindow, key: string, text: string): Promise<void> => {
  expect(await writeComment(window, key, text)).toEqual({ ok: true, value: null });
  window.engine.wake();
};
/** Texts on the server, oldest first. */
const said = (id?: number): readonly (string | null)[] =>
  [...(host.service.comments ?? [])]
    .filter(([near_miss]) => id === undefined || near_miss === id)
    .flatMap(([, all]) => all.map(({ text }) => text).toReversed());
const rowOf = async (window: StartedWindow, key: string): Promise<NearMissRow> => {
  const row = await window.db.near_misses.get(key);
  if (row === undefined) throw new Error(`no row ${key}`);
  return row;
};
/** A near miss of the server, read by this window. */
const there = async (window: StartedWindow): Promise<NearMissRow> => {
  host.add();
  await refreshNearMisses(window, owner);
  const [row] = await window.db.near_misses.toArray();
  if (row === undefined) throw new Error('not read');
  return row;
};
const open = async (): Promise<StartedWindow> => {
  const window = await windows.start(host);
  await window.db.catalogs.put({
    account: ACCOUNT,
    project_id: 10,
    etag: null,
    source: 'server',
    fetched_at: 0,
    catalog: emptyCatalog,
  });
  return window;
};

it('decisions §18.1, promise 1: report, comments and an edit written offline arrive in order, each once', async () => {
  host.up = false;
  const window = await windows.start(host);
  const key = await capture(window, 'A board fell', [photoBytes(300, 1)]);
  await write(window, key, 'Which scaffold?');
  await editNearMiss(window, key, { description: '<p>A board fell on me</p>' });
  await write(window, key, 'Tower 2, ñandú 🦺');
  expect((await commentsOf(window, await rowOf(window, key))).pending).toMatchObject([
    { text: 'Which scaffold?', state: 'waiting', can_take_back: true },
    { text: 'Tower 2, ñandú 🦺' },
  ]);
  expect(
    [...host.journal.values()].filter(({ kind }) => kind === 'near_miss.comment'),
  ).toHaveLength(2);
  host.up = true;
  window.engine.wake();
  await drained(window, host);
  expect(host.near_misses.size).toBe(1);
  expect(said()).toEqual(['Which scaffold?', 'Tower 2, ñandú 🦺']);
  const row = await rowOf(window, key);
  const { comments, pending } = await commentsOf(window, row);
  expect(comments.map(({ text }) => text)).toEqual(said());
  expect(pending).toEqual([]);
  expect(row.server?.comment_count).toBe(2);
});

it('promise 2: answers that are lost, and a window killed between send and answer, write one comment', async () => {
  const first = await windows.start(host);
  const { key, server_id } = await there(first);
  host.faults.push({ at: 'after', on: to(CREATE), problem: reset, times: 2 });
  await write(first, key, 'Only once');
  await until('sent', () => host.of(CREATE).length > 0);
  await first.stop();
  const second = await windows.start(host);
  await drained(second, host);
  expect(host.of(CREATE).length).toBeGreaterThan(1);
  expect(new Set(host.of(CREATE).map(({ input }) => input['idempotency_key'])).size).toBe(1);
  expect(said(server_id ?? 0)).toEqual(['Only once']);
});

it('A18: the profile is lost with comments queued: all come back from the journal, and arrive once', async () => {
  const first = await windows.start(host);
  const { key } = await there(first);
  host.up = false;
  await write(first, key, 'On a report of the server');
  const own = await capture(first, 'Never sent');
  await write(first, own, 'On a report of this laptop');
  await first.stop();
  await Dexie.delete(windows.db_name);
  const second = await windows.start(host);
  expect(second.repaired).toMatchObject({ rebuilt: 3, records: 2, quarantined: 0 });
  expect((await commentsOf(second, await rowOf(second, key))).pending).toHaveLength(1);
  host.up = true;
  second.engine.wake();
  await drained(second, host);
  expect(said().toSorted()).toEqual(['On a report of the server', 'On a report of this laptop']);
});

it.each(['after', 'before'] as const)(
  'A70: a connection lost %s the comment was written, and a month away: found by author, text and time, or sent',
  async (at) => {
    host.service.server_time = Date.now();
    const window = await open();
    const { key, server_id } = await there(window);
    const id = server_id ?? 0;
    await write(window, key, 'Done');
    await drained(window, host);
    host.service.comment(id, 'Done');
    const asked = (call: Call) => /^(rest|reach)/.test(call.method) && !to(CREATE)(call);
    host.faults.push({ at, on: to(CREATE), problem: reset });
    host.faults.push({ at: 'before', on: asked, problem: away, times: 10_000 });
    await write(window, key, 'Done');
    await until('held', async () => {
      const [operation] = await window.db.operations.toArray();
      return operation?.state === 'waiting' && operation.attempts === 1;
    });
    host.service.forgetKeys();
    host.service.server_time = Date.now() + 31 * 86_400_000;
    host.faults = [];
    window.engine.wake();
    await drained(window, host);
    expect(host.of('near_miss_comments.list')).toHaveLength(1);
    const mine = (host.service.comments?.get(id) ?? []).filter((one) => one.created_by.id === 1);
    expect(mine).toHaveLength(2);
  },
);

it('promise 3: a refused comment is parked and blocks neither the next one nor an edit; no form is offered', async () => {
  const window = await windows.start(host);
  const { key, server_id } = await there(window);
  const full: Problem = { kind: 'refused', status: 422, messages: [], fields: {} };
  host.faults.push({ at: 'before', on: to(CREATE), problem: full });
  await write(window, key, 'Refused');
  const parked = () => window.db.operations.filter(({ state }) => state === 'parked').first();
  await until('parked', async () => (await parked()) !== undefined);
  await write(window, key, 'Accepted');
  await editNearMiss(window, key, fieldsOf('Edited'));
  window.engine.wake();
  await until('the others are sent', async () => (await window.db.operations.count()) === 1);
  expect(said(server_id ?? 0)).toEqual(['Accepted']);
  expect((await waitingRecords(window, ACCOUNT)).get(key)).toMatchObject({
    state: 'parked',
    refused: null,
    only_comments: true,
  });
  const [item] = await queueItems(window, ACCOUNT);
  expect(item?.operations).toMatchObject([{ about: 'Refused', can_take_back: true }]);
  expect(await cancelOperation(window, (await parked())?.id ?? '')).toMatchObject({ ok: true });
  await drained(window, host);
});

it('decisions §18.1: cancelling takes a comment back before it is sent, and the report stays as it is', async () => {
  const window = await windows.start(host);
  const before = await there(window);
  host.up = false;
  await window.engine.stop();
  expect(await writeComment(window, before.key, 'Taken back')).toMatchObject({ ok: true });
  const [operation] = await window.db.operations.toArray();
  expect(await cancelOperation(window, operation?.id ?? '')).toMatchObject({ ok: true });
  expect((await commentsOf(window, before)).pending).toEqual([]);
  expect(host.journal.size).toBe(0);
  const after = await rowOf(window, before.key);
  expect([after.fields, after.server]).toEqual([before.fields, before.server]);
});

it('decisions §18.1: a report that becomes a draft again keeps its comments as an unfinished one', async () => {
  const window = await windows.start(host);
  await window.engine.stop();
  host.up = false;
  const key = await capture(window, 'Not ready yet');
  for (const text of ['Which scaffold?', 'Tower 2']) await writeComment(window, key, text);
  await keepCommentDraft(window, key, 'And the');
  const operations = await window.db.operations.toArray();
  const create = operations.find(({ kind }) => kind === 'near_miss.create');
  expect(await cancelOperation(window, create?.id ?? '')).toMatchObject({ ok: true });
  expect(await window.db.operations.count()).toBe(0);
  expect(await readCommentDraft(window, key)).toBe('Which scaffold?\n\nTower 2\n\nAnd the');
  await discardDraft(window, key);
  expect(await readCommentDraft(window, key)).toBe('');
});

it('decisions §18.1: so does a report that is gone from the server and becomes a new one', async () => {
  const window = await windows.start(host);
  const { key, server_id } = await there(window);
  host.near_misses.delete(server_id ?? 0);
  await write(window, key, 'Too late');
  await until('parked', async () => (await queueItems(window, ACCOUNT))[0]?.state === 'parked');
  const made = await asNewReport(window, key, { ...owner, company_id: 1 });
  expect(made.ok && (await readCommentDraft(window, made.value))).toBe('Too late');
  expect(await readCommentDraft(window, key)).toBe('');
});

it('decisions §18.1: on a near miss that others recycled, the comment waits for a person, who restores it', async () => {
  const window = await windows.start(host);
  const { key, server_id } = await there(window);
  host.theirs(server_id ?? 0, { deleted_at: new Date().toISOString() });
  await write(window, key, 'Too late');
  await until('parked', async () => (await queueItems(window, ACCOUNT))[0]?.state === 'parked');
  expect(await queueItems(window, ACCOUNT)).toMatchObject([{ missing: 'recycled' }]);
});

it('A26: a delete does not overtake a comment, and a report that was never sent takes its comments with it', async () => {
  const window = await windows.start(host);
  const { key, server_id } = await there(window);
  host.up = false;
  await write(window, key, 'Before the bin');
  await deleteNearMiss(window, key);
  await window.engine.stop();
  const never = await capture(window, 'Never sent');
  await writeComment(window, never, 'Never sent either');
  expect(await deleteNearMiss(window, never)).toEqual({ ok: true, value: 'cancelled' });
  host.up = true;
  await drained(await windows.start(host), host);
  expect(said()).toEqual(['Before the bin']);
  expect(host.near_misses.get(server_id ?? 0)?.deleted_at).toBeTruthy();
});

it('decisions §18.1, §18.2: comments are kept for offline reading, the newest only, and a removed one without its text', async () => {
  const window = await windows.start(host);
  const row = await there(window);
  const id = row.server_id ?? 0;
  const wrong = host.service.comment(id, 'Wrong');
  for (let n = 0; n < COMMENTS_KEPT; n += 1) host.service.comment(id, `Number ${n}`);
  await refreshComments(window, row);
  host.up = false;
  await refreshComments(window, row);
  const kept = await commentsOf(window, row);
  expect([kept.comments.length, kept.earlier]).toEqual([COMMENTS_KEPT, 1]);
  expect(kept.comments.at(-1)?.text).toBe(`Number ${COMMENTS_KEPT - 1}`);
  const newest = kept.comments.at(-1)?.id ?? 0;
  expect(await removeComment(window, row, newest)).toMatchObject({
    ok: false,
    problem: { kind: 'offline' },
  });
  host.up = true;
  expect(await removeComment(window, row, newest)).toEqual({ ok: true, value: null });
  expect((await commentsOf(window, row)).comments.at(-1)).toMatchObject({
    text: null,
    removed_by: { name: 'User' },
  });
  expect(JSON.stringify(await window.db.comments.toArray())).not.toContain(
    `Number ${COMMENTS_KEPT - 1}`,
  );
  expect(await removeComment(window, row, wrong.id)).toMatchObject({ ok: true });
});

it('decisions §18.1: comments whose times and ids disagree are kept once each, however often they are read', async () => {
  const window = await windows.start(host);
  const row = await there(window);
  const id = row.server_id ?? 0;
  for (const text of ['A', 'B']) host.service.comment(id, text);
  host.service.comments?.set(id, (host.service.comments.get(id) ?? []).toReversed());
  await refreshComments(window, row);
  await refreshComments(window, row);
  const { comments, earlier } = await commentsOf(window, row);
  expect([comments.map(({ text }) => text), earlier]).toEqual([['B', 'A'], 0]);
});

it('decisions §18.1: comments that arrive after their near miss left this laptop are not kept', async () => {
  const window = await windows.start(host);
  const row = await there(window);
  host.service.comment(row.server_id ?? 0, 'Between us');
  const { db } = window;
  await db.transaction('rw', [...tablesOfForgetting(db)], () => forgetNearMisses(db, [row]));
  await refreshComments(window, row);
  expect(await db.comments.count()).toBe(0);
});

it('decisions §18: a server without comments is offered none, whatever this laptop has filed', async () => {
  host.service.comments = null;
  const window = await windows.start(host);
  const row = await there(window);
  expect(await takesComments(window, row)).toBe(false);
  host.up = false;
  const own = await rowOf(window, await capture(window, 'Offline'));
  expect(await takesComments(window, own)).toBe(false);
  host.up = true;
  await drained(window, host);
  host.service.comments = new Map();
  // A record without a new change: it gets its count when it is read again.
  host.theirs(row.server_id ?? 0, { comment_count: 0 });
  await refreshNearMisses(window, owner);
  expect(await takesComments(window, await rowOf(window, row.key))).toBe(true);
});
