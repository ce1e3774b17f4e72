/**
 * Refreshes the near misses of a project, page by page, newest first. Pending edits stay on top (`overlay`), and
 * unchanged records are not rewritten. A record counts as deleted only after a full pass saw as many rows as the
 * server counted, because rows shift between pages while others write. In a large project only the changes are read
 * (follow.ts). On a server without an order of changes a quick pass stops at the first page without changes if the
 * counts agree; a full pass every few hours finds edits of older records.
 */
import { everyPage } from '../../../contract/rest/protocol/every-page.ts';
import { ok, type Result } from '../../../contract/problem.ts';
import type { NearMiss } from '../../../contract/rest/near-misses.ts';
import type { Deps, NearMissRow } from '../db/db.ts';
import { followChanges, keepPosition, latestChange, positionOf, type Position } from './follow.ts';
import { forgetRows, putServerCopies, type RefreshScope } from './refresh-rows.ts';
import { beginUnseen } from './unseen.ts';
import { serverKey } from '../model/near-miss-rows.ts';

export const PAGE_SIZE = 500;
/** Up to this many records every pass is full: it takes only a few pages. */
export const SMALL = 2_000;
/** Milliseconds between full passes of a larger project. */
const WHOLE_EVERY = 6 * 3_600_000;
/** The same where the changes are followed: it only finds new names in old records, and what a restored server lost. */
const WHOLE_EVERY_FOLLOWED = 72 * 3_600_000;

export interface RefreshResult {
  /** Number of records received. */
  readonly seen: number;
  readonly removed: number;
  /** True after a full pass; false after a quick pass that stopped early. */
  readonly whole: boolean;
}

/** Progress in records; `total` is the server's count so far. */
export interface RefreshProgress {
  readonly done: number;
  readonly total: number;
}

export interface RefreshOptions {
  readonly onPage?: (progress: RefreshProgress) => void;
  /** Forces a full pass, regardless of size and time. */
  readonly whole?: boolean;
}

/**
 * Near misses do not use mirror.ts: they have two lists with up to hundreds of thousands of rows, a pass may stop
 * early, and a missing row may be open for editing. A pass counts as full only if every page reported the same total.
 * Missing rows are checked by key, in batches.
 */
interface Pass {
  /** True if every row was seen and the server's count did not change. */
  readonly whole: boolean;
  /** True if the pass stopped early, at a page without changes. */
  readonly caught_up: boolean;
}

type ListName = 'near_misses.list' | 'recycled_near_misses.list';

const wholeName = ({ account, project_id }: RefreshScope): string =>
  `refresh/${account}/${project_id}`;

/** True if a whole pass is at most this old. */
const isRecent = async (
  { db }: Deps,
  scope: RefreshScope,
  now: number,
  every: number,
): Promise<boolean> => {
  const last = Number((await db.meta.get(wholeName(scope)))?.value ?? -Infinity);
  return Math.abs(now - last) < every;
};

/** True if this laptop and the server count the same active records. Unsent changes may make the counts differ. */
const isComplete = async (deps: Deps, scope: RefreshScope): Promise<boolean> => {
  const waiting = deps.db.operations.where('[account+seq]');
  const of = waiting.between([scope.account, -Infinity], [scope.account, Infinity]);
  if ((await of.count()) > 0) return true;
  const input = { params: { project_id: scope.project_id }, query: { per_page: 1 } };
  const answer = await deps.host.request('near_misses.list', input, scope.account);
  if (!answer.ok) return true;
  const total = answer.value.paging?.total;
  return total === undefined || total === (await countHere(deps, scope, 'near_misses.list'));
};

/** Reads only the changes. Null if that is not possible: the first time, after three days, or on a server without their order. */
const follow = async (
  deps: Deps,
  scope: RefreshScope,
  onPage: (progress: RefreshProgress) => void,
): Promise<Result<RefreshResult> | null> => {
  const from = await positionOf(deps, scope);
  const now = deps.clock.tick();
  if (from === null || !(await isRecent(deps, scope, now, WHOLE_EVERY_FOLLOWED))) return null;
  const followed = await followChanges(deps, scope, from, (done, total) => onPage({ done, total }));
  if (!followed.ok) return followed;
  if (followed.value !== null && (await isComplete(deps, scope)))
    return ok({ ...followed.value, whole: false });
  await keepPosition(deps, scope, null);
  return null;
};

/**
 * Refreshes the active and the recycled near misses of a project. Rows appear page by page, and `onPage` reports each
 * page. Problems are those of a request; pages read before a problem are kept.
 */
export const refreshNearMisses = async (
  deps: Deps,
  scope: RefreshScope,
  { onPage = () => {}, whole = false }: RefreshOptions = {},
): Promise<Result<RefreshResult>> => {
  const followed = whole ? null : await follow(deps, scope, onPage);
  return followed ?? readLists(deps, scope, onPage, whole);
};

/**
 * The position from which the changes are read once a pass has read the rest. It is asked for after the first page, so this page
 * is read again: a record on it may have changed in between. Only a large project is followed.
 */
const beginFollowing = async (deps: Deps, scope: RefreshScope): Promise<Position | null> => {
  const position = await latestChange(deps, scope);
  if (position === null) return null;
  const asked_at = deps.clock.tick();
  const query = { page: 1, per_page: PAGE_SIZE };
  const input = { params: { project_id: scope.project_id }, query };
  const again = await deps.host.request('near_misses.list', input, scope.account);
  if (!again.ok) return null;
  await putServerCopies(deps, scope, again.value.data, asked_at, true);
  return position;
};

/** Reads the lists, newest first. */
const readLists = async (
  deps: Deps,
  scope: RefreshScope,
  onPage: (progress: RefreshProgress) => void,
  asked: boolean,
): Promise<Result<RefreshResult>> => {
  const { db, clock } = deps;
  const started_at = clock.tick();
  const quick = !asked && (await isRecent(deps, scope, started_at, WHOLE_EVERY));
  let begins: Position | null = null;
  const begin = async (): Promise<void> => {
    begins = await beginFollowing(deps, scope);
  };
  const seen = new Set<number>();
  const passes: Pass[] = [];
  let listed = 0;
  for (const name of ['near_misses.list', 'recycled_near_misses.list'] as const) {
    const before = listed;
    const begins_here = name === 'near_misses.list' && !quick ? begin : null;
    const pass = await readAll(deps, scope, { name, seen, quick, begin: begins_here }, (total) => {
      listed = before + total;
      onPage({ done: seen.size, total: Math.max(listed, seen.size) });
    });
    if (pass.ok) passes.push(pass.value);
    // A server without a recycle bin is fine: its missing list does not fail the refresh.
    else if (name === 'near_misses.list' || pass.problem.kind !== 'gone') return pass;
  }
  const is_whole = passes.every((pass) => pass.whole);
  const caught_up = passes.some((pass) => pass.caught_up);
  const removed = is_whole && !caught_up ? await forgetUnseen(deps, scope, seen, started_at) : 0;
  if (!caught_up) {
    if (is_whole) {
      await db.meta.put({ name: wholeName(scope), value: started_at });
      await keepPosition(deps, scope, begins);
    }
    await beginUnseen(deps, scope);
  }
  return ok({ seen: seen.size, removed, whole: !caught_up });
};

/** Number of local records in the list or in the bin. */
const countHere = async (
  { db }: Deps,
  { account, project_id }: RefreshScope,
  name: ListName,
): Promise<number> => {
  const bin = name === 'near_misses.list' ? 0 : 1;
  const index = '[account+project_id+bin+created_at]';
  const from = [account, project_id, bin, -Infinity];
  return db.near_misses.where(index).between(from, [account, project_id, bin, Infinity]).count();
};

interface Reading {
  readonly name: ListName;
  /** Collects the ids of both lists. */
  readonly seen: Set<number>;
  readonly quick: boolean;
  /** Called after the first page of a large list. */
  readonly begin: (() => Promise<void>) | null;
}

const readAll = async (
  deps: Deps,
  scope: RefreshScope,
  { name, seen, quick, begin }: Reading,
  onPage: (total: number) => void,
): Promise<Result<Pass>> => {
  const mine = new Set<number>();
  let total: number | null = null;
  let steady = true;
  let asked_at = 0;
  const pages = everyPage(PAGE_SIZE, (query) => {
    asked_at = deps.clock.tick();
    const input = { params: { project_id: scope.project_id }, query };
    return deps.host.request(name, input, scope.account);
  });
  for await (const answer of pages) {
    if (!answer.ok) return answer;
    const { data, paging } = answer.value;
    const written = await putServerCopies(deps, scope, data, asked_at, true);
    for (const copy of data) {
      mine.add(copy.id);
      seen.add(copy.id);
    }
    if (total === null && (paging?.total ?? 0) > SMALL) await begin?.();
    if (total !== null && paging?.total !== total) steady = false;
    total = paging?.total ?? null;
    const end = data.length === 0 || paging === null || !paging.has_next;
    // Unsent local records may be missing from the server's count. Then the counts differ and the pass continues.
    const caught_up: boolean =
      quick &&
      !end &&
      written === 0 &&
      total !== null &&
      total > SMALL &&
      total === (await countHere(deps, scope, name));
    onPage(caught_up ? mine.size : (total ?? mine.size));
    if (caught_up) return ok({ whole: false, caught_up });
  }
  return ok({ whole: steady && total !== null && mine.size === total, caught_up: false });
};

const forgetUnseen = async (
  deps: Deps,
  { account, project_id }: RefreshScope,
  seen: ReadonlySet<number>,
  started_at: number,
): Promise<number> => {
  // Read keys first, then only the rows in doubt: reading all rows of a large project would block the window.
  const keys = await deps.db.near_misses
    .where('[account+project_id+bin+created_at]')
    .between([account, project_id, 0, -Infinity], [account, project_id, 1, Infinity])
    .primaryKeys();
  const head = serverKey(account, 0).slice(0, -1);
  const doubtful = keys.filter(
    (key) => !key.startsWith(head) || !seen.has(Number(key.slice(head.length))),
  );
  return forgetRows(deps, doubtful, (id) => seen.has(id), started_at);
};

/** Refreshes one record for the detail screen. Null if the server no longer has it. */
export const refreshNearMiss = async (
  deps: Deps,
  row: NearMissRow,
): Promise<Result<NearMiss | null>> => {
  if (row.server_id === null) return ok(null);
  const asked_at = deps.clock.tick();
  const name = row.bin === 0 ? 'near_misses.show' : 'recycled_near_misses.show';
  const input = { params: { project_id: row.project_id, id: row.server_id } };
  const answer = await deps.host.request(name, input, row.account);
  if (!answer.ok) return answer.problem.kind === 'gone' ? ok(null) : answer;
  await putServerCopies(deps, row, [answer.value.data], asked_at);
  return ok(answer.value.data);
};
