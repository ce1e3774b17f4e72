/**
 * The local mirror of a server's list, on a real database: which rows are deleted, which stay, and when that cannot be known.
 */
import { beforeEach, expect, it } from 'vitest';
import { ok } from '../../../src/contract/problem.ts';
import type { ProjectMembership } from '../../../src/contract/rest/project-memberships.ts';
import { refreshMembers } from '../../../src/renderer/data/company/project-memberships.ts';
import type { StartedWindow } from '../../../src/renderer/outbox/start.ts';
import { ACCOUNT } from '../../support/renderer-host.ts';
import { host as scripted, windowPerTest, windows } from '../../support/renderer-window.ts';

const place = { account: ACCOUNT, project_id: 10 };
let window: StartedWindow;

interface Page {
  readonly ids: readonly number[];
  /** The server's total; omitted: it sends none. */
  readonly total?: number;
  readonly has_next?: boolean;
  /** Runs while the page is in flight. */
  readonly meanwhile?: () => Promise<unknown>;
}

windowPerTest();
beforeEach(async () => {
  window = await windows.start(scripted);
});

/** Refreshes the members from a server that returns these pages. */
const read = async (...pages: readonly Page[]): Promise<number[]> => {
  let at = 0;
  const request = async () => {
    const page = pages[at++];
    await page?.meanwhile?.();
    const data = (page?.ids ?? []).map((id) => ({ id: 1000 + id, party_id: id }));
    const { total, has_next = false } = page ?? {};
    const paging = total === undefined ? null : { total, has_next, per_page: null };
    return ok({ data: data as ProjectMembership[], paging });
  };
  const host = { ...window.host, request } as unknown as StartedWindow['host'];
  expect(await refreshMembers({ ...window, host }, place)).toMatchObject({ ok: true });
  const rows = await window.db.memberships.toArray();
  return rows.map(({ party_id }) => party_id).sort((a, b) => a - b);
};

it('what the server no longer lists goes, once a whole pass saw as many as it counts', async () => {
  expect(await read({ ids: [1, 2, 3], total: 3 })).toEqual([1, 2, 3]);
  expect(await read({ ids: [1], total: 2, has_next: true }, { ids: [3], total: 2 })).toEqual([
    1, 3,
  ]);
});

it('a list that moved while it was read proves nobody gone', async () => {
  await read({ ids: [1, 2, 3], total: 3 });
  // A row left the first page meanwhile, so the second page starts one later and 2 was never seen.
  expect(await read({ ids: [1], total: 3, has_next: true }, { ids: [3], total: 3 })).toEqual([
    1, 2, 3,
  ]);
  // One row seen twice does not count as two.
  expect(await read({ ids: [1], total: 2, has_next: true }, { ids: [1], total: 2 })).toEqual([
    1, 2, 3,
  ]);
});

it('a server that answers all at once and counts nothing is believed', async () => {
  await read({ ids: [1, 2], total: 2 });
  expect(await read({ ids: [2] })).toEqual([2]);
});

it('what was written here after the page was asked for stays as it was written', async () => {
  const row = { ...place, party_id: 7, server_id: null };
  const meanwhile = () => window.db.memberships.put({ ...row, seen_at: window.clock.tick() });
  expect(await read({ ids: [7, 8], total: 2, meanwhile })).toEqual([7, 8]);
  expect(await window.db.memberships.get([ACCOUNT, 10, 7])).toMatchObject({ server_id: null });
  const later = () =>
    window.db.memberships.put({ ...row, party_id: 9, seen_at: window.clock.tick() });
  expect(await read({ ids: [7, 8], total: 2, meanwhile: later })).toEqual([7, 8, 9]);
});

it('A23: what was read while the clock was ahead stays neither as it was nor for good once the clock is right', async () => {
  await read({ ids: [1, 2], total: 2 });
  const seen_at = window.clock.tick() + 30 * 86_400_000;
  await window.db.memberships.toCollection().modify({ seen_at, server_id: 5 });
  expect(await read({ ids: [1], total: 1 })).toEqual([1]);
  expect(await window.db.memberships.get([ACCOUNT, 10, 1])).toMatchObject({ server_id: 1001 });
});
