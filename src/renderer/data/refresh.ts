/**
 * Bringing the near misses of a project up to date, page by page, newest first. A pending edit stays on top
 * (`overlay`). A record counts as deleted only when a whole pass saw as many rows as the server counted, because rows
 * shift between pages while others write.
 */
import { ok, type Result } from '../../contract/problem.ts';
import type { NearMiss } from '../../contract/rest/near-misses.ts';
import type { Deps, NearMissRow } from './db.ts';
import { orphanEdits } from './drafts.ts';
import { overlay, rowOf, fieldsOfServer, serverKey } from './near-miss-rows.ts';

export const PAGE_SIZE = 1000;

export interface RefreshScope {
  readonly account: string;
  readonly company_id: number;
  readonly project_id: number;
}

export interface RefreshResult {
  readonly seen: number;
  readonly removed: number;
}

/** How far a refresh is, in records: `total` is what the server counted so far. */
export interface RefreshProgress {
  readonly done: number;
  readonly total: number;
}

/** Writes server copies, keeping keys made here and pending edits. One transaction. */
export const putServerCopies = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  scope: RefreshScope,
  copies: readonly NearMiss[],
  asked_at: number,
): Promise<void> => {
  const { account, project_id } = scope;
  await db.transaction('rw', db.near_misses, db.entries, db.catalogs, async () => {
    const catalog = (await db.catalogs.get([account, project_id]))?.catalog ?? null;
    const known = new Map<number, NearMissRow>();
    const ids = copies.map((copy) => [account, copy.id]);
    for (const row of await db.near_misses.where('[account+server_id]').anyOf(ids).toArray())
      if (row.server_id !== null) known.set(row.server_id, row);
    const entries = await db.entries
      .where('[account+seq]')
      .between([account, -Infinity], [account, Infinity])
      .toArray();
    const lanes = Map.groupBy(entries, (entry) => entry.lane);
    const now = clock.tick();
    const rows: NearMissRow[] = [];
    for (const copy of copies) {
      const row = known.get(copy.id) ?? freshRow(scope, copy, now);
      // Written here after this page was asked for: the page is older. (Later than now: the device's clock was wrong.)
      if (row.seen_at > asked_at && row.seen_at < now && known.has(copy.id)) continue;
      rows.push(overlay(row, copy, lanes.get(row.key) ?? [], catalog, now));
    }
    await db.near_misses.bulkPut(rows);
  });
};

const freshRow = (scope: RefreshScope, copy: NearMiss, now: number): NearMissRow =>
  rowOf(
    {
      ...{ account: scope.account, company_id: scope.company_id, project_id: scope.project_id },
      key: serverKey(scope.account, copy.id),
      server_id: copy.id,
      fields: fieldsOfServer(copy),
      server: copy,
      created_at: now,
      updated_at: now,
      removed_at: null,
      seen_at: 0,
    },
    null,
  );

/**
 * Active and recycled near misses of a project. Rows appear page by page, `onPage` hears of each. Problems are those of
 * a request; what was read before one stays.
 */
export const refreshNearMisses = async (
  deps: Deps,
  scope: RefreshScope,
  onPage: (progress: RefreshProgress) => void = () => {},
): Promise<Result<RefreshResult>> => {
  const started_at = deps.clock.tick();
  const seen = new Set<number>();
  let whole = true;
  let listed = 0;
  for (const name of ['near_misses.list', 'recycled_near_misses.list'] as const) {
    const before = listed;
    const pass = await readAll(deps, scope, name, seen, (total) => {
      listed = before + total;
      onPage({ done: seen.size, total: Math.max(listed, seen.size) });
    });
    if (!pass.ok) {
      // Another server may lack the bin; then nothing can be said about what is missing from the list.
      if (name === 'recycled_near_misses.list' && pass.problem.kind === 'gone') continue;
      return pass;
    }
    whole &&= pass.value;
  }
  const removed = whole ? await forgetUnseen(deps, scope, seen, started_at) : 0;
  return ok({ seen: seen.size, removed });
};

/** True when the pass saw exactly as many records as the server counted, and that count stood still. */
const readAll = async (
  deps: Deps,
  scope: RefreshScope,
  name: 'near_misses.list' | 'recycled_near_misses.list',
  seen: Set<number>,
  onPage: (total: number) => void,
): Promise<Result<boolean>> => {
  const mine = new Set<number>();
  let total: number | null = null;
  let steady = true;
  for (let page = 1; ; page += 1) {
    const asked_at = deps.clock.tick();
    const answer = await deps.host.request(name, {
      params: { project_id: scope.project_id },
      query: { page, per_page: PAGE_SIZE },
    });
    if (!answer.ok) return answer;
    const { data, paging } = answer.value;
    await putServerCopies(deps, scope, data, asked_at);
    for (const copy of data) {
      mine.add(copy.id);
      seen.add(copy.id);
    }
    if (total !== null && paging?.total !== total) steady = false;
    total = paging?.total ?? null;
    onPage(total ?? mine.size);
    if (data.length === 0 || paging === null || !paging.has_next) break;
  }
  return ok(steady && total !== null && mine.size === total);
};

const forgetUnseen = async (
  { db }: Deps,
  { account, project_id }: RefreshScope,
  seen: ReadonlySet<number>,
  started_at: number,
): Promise<number> =>
  db.transaction('rw', db.near_misses, db.entries, db.drafts, async () => {
    const rows = await db.near_misses
      .where('[account+project_id+bin+created_at]')
      .between([account, project_id, 0, -Infinity], [account, project_id, 1, Infinity])
      .toArray();
    const gone: NearMissRow[] = [];
    for (const row of rows) {
      if (row.server_id === null || seen.has(row.server_id) || row.seen_at >= started_at) continue;
      // Something waits for it: it stays until the server itself says that it is gone.
      if ((await db.entries.where('lane').equals(row.key).count()) === 0) gone.push(row);
    }
    await orphanEdits(db, gone);
    await db.near_misses.bulkDelete(gone.map((row) => row.key));
    return gone.length;
  });

/** One record anew, for the detail screen. Null where the server no longer has it. */
export const refreshNearMiss = async (
  deps: Deps,
  row: NearMissRow,
): Promise<Result<NearMiss | null>> => {
  if (row.server_id === null) return ok(null);
  const asked_at = deps.clock.tick();
  const name = row.bin === 0 ? 'near_misses.show' : 'recycled_near_misses.show';
  const answer = await deps.host.request(name, {
    params: { project_id: row.project_id, id: row.server_id },
  });
  if (!answer.ok) return answer.problem.kind === 'gone' ? ok(null) : answer;
  await putServerCopies(deps, row, [answer.value.data], asked_at);
  return ok(answer.value.data);
};
