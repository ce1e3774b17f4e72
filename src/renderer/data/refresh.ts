/**
 * Bringing the near misses of a project up to date, page by page, newest first. A pending edit stays on top
 * (`overlay`), and what did not change is not written again. A record counts as deleted only when a whole pass saw as
 * many rows as the server counted, because rows shift between pages while others write. The API tells no changes, so in a
 * large project a quick pass stops at the first page that brings nothing where the counts agree, and a whole one, which finds
 * older records that were edited, comes some times a day.
 */
import { everyPage } from '../../contract/rest/every-page.ts';
import { ok, type Result } from '../../contract/problem.ts';
import type { NearMiss } from '../../contract/rest/near-misses.ts';
import type { Deps, NearMissRow, NewsRow } from './db.ts';
import { orphanEdits } from './drafts.ts';
import { beginUnseen, hasBegunUnseen, unseenIn } from './unseen.ts';
import { overlay, rowOf, fieldsOfServer, serverKey } from './near-miss-rows.ts';
import { writtenSince } from './written-since.ts';

export const PAGE_SIZE = 500;
/** Up to here every pass is a whole one: a few pages. */
export const SMALL = 2_000;
/** Milliseconds between whole passes of a larger project. */
const WHOLE_EVERY = 6 * 3_600_000;
/** Rows judged in one transaction. */
const BATCH = 200;

export interface RefreshScope {
  readonly account: string;
  readonly company_id: number;
  readonly project_id: number;
}

export interface RefreshResult {
  /** Records the server sent. */
  readonly seen: number;
  readonly removed: number;
  /** Every record was looked at; else the newest, and the counts agreed. */
  readonly whole: boolean;
}

/** How far a refresh is, in records: `total` is what the server counted so far. */
export interface RefreshProgress {
  readonly done: number;
  readonly total: number;
}

export interface RefreshOptions {
  readonly onPage?: (progress: RefreshProgress) => void;
  /** Every record, however many there are and however lately they were looked at. */
  readonly whole?: boolean;
}

const names = (copy: NearMiss): readonly unknown[] => [
  copy.incident_title,
  copy.affected_company?.name,
  copy.affected_party?.name,
  copy.affected_person?.name,
  copy.harm_source?.name,
  copy.managed_equipment?.name,
  copy.work_activity?.name,
];

/** Says a copy nothing that the last one did not? Addresses of photos are made anew for each answer and say nothing. */
const isSame = (before: NearMiss | null, copy: NearMiss): boolean => {
  if (before === null || !copy.updated_at || before.updated_at !== copy.updated_at) return false;
  const named = names(copy);
  return (
    (before.deleted_at ?? null) === (copy.deleted_at ?? null) &&
    (before.attachments?.length ?? 0) === (copy.attachments?.length ?? 0) &&
    names(before).every((name, at) => name === named[at])
  );
};

/** Writes server copies, keeping keys made here and pending edits. One transaction. Answers how many were written. */
export const putServerCopies = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  scope: RefreshScope,
  copies: readonly NearMiss[],
  asked_at: number,
  /** Is what changed news? Not of a record that is being looked at. */
  telling = false,
): Promise<number> => {
  const { account, project_id } = scope;
  return db.transaction(
    'rw',
    [db.near_misses, db.entries, db.catalogs, db.news, db.meta],
    async () => {
      const known = new Map<number, NearMissRow>();
      const ids = copies.map((copy) => [account, copy.id]);
      for (const row of await db.near_misses.where('[account+server_id]').anyOf(ids).toArray())
        if (row.server_id !== null) known.set(row.server_id, row);
      const now = clock.tick();
      const fresh = copies.filter((copy) => {
        const row = known.get(copy.id);
        // Written here after this page was asked for: the page is older.
        const older = row !== undefined && writtenSince(row.seen_at, asked_at, now);
        return !older && !isSame(row?.server ?? null, copy);
      });
      if (fresh.length === 0) return 0;
      const catalog = (await db.catalogs.get([account, project_id]))?.catalog ?? null;
      const keys = fresh.flatMap((copy) => known.get(copy.id)?.key ?? []);
      const entries = await db.entries.where('lane').anyOf(keys).toArray();
      const lanes = Map.groupBy(entries, (entry) => entry.lane);
      const rows: NearMissRow[] = [];
      const news: NewsRow[] = [];
      for (const copy of fresh) {
        const row = known.get(copy.id) ?? freshRow(scope, copy, now);
        const kind = unseenIn(known.get(copy.id), copy);
        if (kind !== null) news.push({ key: row.key, account, project_id, kind });
        rows.push(overlay(row, copy, lanes.get(row.key) ?? [], catalog, now));
      }
      await db.near_misses.bulkPut(rows);
      if (telling && news.length > 0 && (await hasBegunUnseen(db, scope)))
        await db.news.bulkPut(news);
      return rows.length;
    },
  );
};

const freshRow = (scope: RefreshScope, copy: NearMiss, now: number): NearMissRow =>
  rowOf(
    {
      account: scope.account,
      company_id: scope.company_id,
      project_id: scope.project_id,
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

/*
 * Near misses have a mirror of their own, stricter than that of mirror.ts: there are two lists of them and up to hundreds of thousands,
 * a pass may end early, and a row that seems gone may be one that somebody is editing. So a pass counts as whole only where every page
 * told the same total, and rows are judged by their keys, a batch at a time.
 */
interface Pass {
  /** All of it was looked at, and the server's count stood still. */
  readonly whole: boolean;
  /** The pass stopped where nothing was new any more. */
  readonly caught_up: boolean;
}

type ListName = 'near_misses.list' | 'recycled_near_misses.list';

const wholeName = ({ account, project_id }: RefreshScope): string =>
  `refresh/${account}/${project_id}`;

/**
 * Active and recycled near misses of a project. Rows appear page by page, `onPage` hears of each. Problems are those of
 * a request; what was read before one stays.
 */
export const refreshNearMisses = async (
  deps: Deps,
  scope: RefreshScope,
  { onPage = () => {}, whole: asked = false }: RefreshOptions = {},
): Promise<Result<RefreshResult>> => {
  const { db, clock } = deps;
  const started_at = clock.tick();
  const last = Number((await db.meta.get(wholeName(scope)))?.value ?? -Infinity);
  const quick = !asked && Math.abs(started_at - last) < WHOLE_EVERY;
  const seen = new Set<number>();
  const passes: Pass[] = [];
  let listed = 0;
  for (const name of ['near_misses.list', 'recycled_near_misses.list'] as const) {
    const before = listed;
    const pass = await readAll(deps, scope, name, seen, quick, (total) => {
      listed = before + total;
      onPage({ done: seen.size, total: Math.max(listed, seen.size) });
    });
    if (pass.ok) passes.push(pass.value);
    // Another server may lack the bin; then nothing can be said about what is missing from the list.
    else if (name === 'near_misses.list' || pass.problem.kind !== 'gone') return pass;
  }
  const whole = passes.every((pass) => pass.whole);
  const caught_up = passes.some((pass) => pass.caught_up);
  const removed = whole && !caught_up ? await forgetUnseen(deps, scope, seen, started_at) : 0;
  if (!caught_up) {
    if (whole) await db.meta.put({ name: wholeName(scope), value: started_at });
    await beginUnseen(deps, scope);
  }
  return ok({ seen: seen.size, removed, whole: !caught_up });
};

/** How many of the server's records this laptop has, in the list or in the bin. */
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

const readAll = async (
  deps: Deps,
  scope: RefreshScope,
  name: ListName,
  seen: Set<number>,
  quick: boolean,
  onPage: (total: number) => void,
): Promise<Result<Pass>> => {
  const mine = new Set<number>();
  let total: number | null = null;
  let steady = true;
  let asked_at = 0;
  const pages = everyPage(PAGE_SIZE, (query) => {
    asked_at = deps.clock.tick();
    return deps.host.request(name, { params: { project_id: scope.project_id }, query });
  });
  for await (const answer of pages) {
    if (!answer.ok) return answer;
    const { data, paging } = answer.value;
    const written = await putServerCopies(deps, scope, data, asked_at, true);
    for (const copy of data) {
      mine.add(copy.id);
      seen.add(copy.id);
    }
    if (total !== null && paging?.total !== total) steady = false;
    total = paging?.total ?? null;
    const end = data.length === 0 || paging === null || !paging.has_next;
    // What waits here may not be counted there yet: then the counts differ, and the pass goes on.
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
  { db, clock }: Deps,
  { account, project_id }: RefreshScope,
  seen: ReadonlySet<number>,
  started_at: number,
): Promise<number> => {
  // Keys first, and only rows in doubt: all rows of a large project at once would hold the window up.
  const keys = await db.near_misses
    .where('[account+project_id+bin+created_at]')
    .between([account, project_id, 0, -Infinity], [account, project_id, 1, Infinity])
    .primaryKeys();
  const head = serverKey(account, 0).slice(0, -1);
  const doubtful = keys.filter(
    (key) => !key.startsWith(head) || !seen.has(Number(key.slice(head.length))),
  );
  let removed = 0;
  for (let at = 0; at < doubtful.length; at += BATCH) {
    const batch = doubtful.slice(at, at + BATCH);
    removed += await db.transaction(
      'rw',
      [db.near_misses, db.entries, db.drafts, db.news],
      async () => {
        const now = clock.tick();
        const gone: NearMissRow[] = [];
        for (const row of await db.near_misses.bulkGet(batch)) {
          if (row === undefined || row.server_id === null || seen.has(row.server_id)) continue;
          if (writtenSince(row.seen_at, started_at, now)) continue;
          // Something waits for it: it stays until the server itself says that it is gone.
          if ((await db.entries.where('lane').equals(row.key).count()) === 0) gone.push(row);
        }
        await orphanEdits(db, gone);
        await db.near_misses.bulkDelete(gone.map((row) => row.key));
        await db.news.bulkDelete(gone.map((row) => row.key));
        return gone.length;
      },
    );
  }
  return removed;
};

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
