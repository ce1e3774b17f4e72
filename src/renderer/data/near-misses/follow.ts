/**
 * Reads only what changed in a project since the last time, in the order of the server's commits (decisions §14). The position is
 * stored after the rows of each page, so a broken connection costs one page and a crash in between reads the page again. A server
 * without this order is recognised by its answer: it refuses the query, or lists rows that do not follow the position.
 */
import { ok, type Result } from '../../../contract/problem.ts';
import type { NearMiss } from '../../../contract/rest/near-misses.ts';
import type { Deps } from '../db/db.ts';
import { forgetGone, putServerCopies, type GoneRecord, type RefreshScope } from './refresh-rows.ts';

/** Records per page. */
const FOLLOWED_PAGE = 500;

/** The last row that was read. Everything before it is here. */
export interface Position {
  readonly updated_at: string;
  readonly id: number;
  /** Records that are gone and still here, because their queued operations must end first. */
  readonly gone?: readonly GoneRecord[];
}

const nameOf = ({ account, project_id }: RefreshScope): string => `follow/${account}/${project_id}`;

const isPosition = (value: unknown): value is Position =>
  typeof value === 'object' && value !== null && 'updated_at' in value && 'id' in value;

export const positionOf = async ({ db }: Deps, scope: RefreshScope): Promise<Position | null> => {
  const value = (await db.meta.get(nameOf(scope)))?.value;
  return isPosition(value) ? value : null;
};

export const keepPosition = async (
  { db }: Deps,
  scope: RefreshScope,
  position: Position | null,
): Promise<void> => {
  if (position === null) await db.meta.delete(nameOf(scope));
  else await db.meta.put({ name: nameOf(scope), value: position });
};

/** A record that was deleted or is no longer visible: its id and time and nothing else. */
const isGone = (copy: NearMiss): boolean => Boolean(copy.deleted_at) && !copy.updated_at;

const placeOf = (copy: NearMiss): Position | null => {
  const updated_at = copy.updated_at ?? copy.deleted_at;
  return updated_at ? { updated_at, id: copy.id } : null;
};

const isAfter = (one: Position, other: Position): boolean => {
  const [a, b] = [Date.parse(one.updated_at), Date.parse(other.updated_at)];
  return a > b || (a === b && one.id > other.id);
};

/**
 * The position of the latest change. A reader asks for it before it reads the whole list, and follows from there
 * afterwards. Null if the server has no such order, or no records.
 */
export const latestChange = async (
  { host }: Deps,
  { account, project_id }: RefreshScope,
): Promise<Position | null> => {
  const query = { sort: '-updated_at', per_page: 1 } as const;
  const answer = await host.request('near_misses.list', { params: { project_id }, query }, account);
  const [copy] = answer.ok ? answer.value.data : [];
  return copy === undefined ? null : placeOf(copy);
};

/** Records received, and records removed; null if the server has no such order. */
export type Followed = { readonly seen: number; readonly removed: number } | null;

/** The place of the last row; null if a row does not follow the one before. */
const endOf = (rows: readonly NearMiss[], from: Position): Position | null => {
  let last = from;
  for (const copy of rows) {
    const place = placeOf(copy);
    if (place === null || !isAfter(place, last)) return null;
    last = place;
  }
  return last;
};

export const followChanges = async (
  deps: Deps,
  scope: RefreshScope,
  from: Position,
  onPage: (seen: number, total: number) => void,
): Promise<Result<Followed>> => {
  let [position, seen, removed] = [from, 0, 0];
  let gone = from.gone ?? [];
  for (;;) {
    const asked_at = deps.clock.tick();
    const query = {
      sort: 'updated_at',
      include_deleted: true,
      filters: { updated_at: `${position.updated_at}...` },
      after_id: position.id,
      per_page: FOLLOWED_PAGE,
    } as const;
    const input = { params: { project_id: scope.project_id }, query };
    const answer = await deps.host.request('near_misses.list', input, scope.account);
    if (!answer.ok) return answer.problem.kind === 'refused' ? ok(null) : answer;
    const { data, paging } = answer.value;
    const end = endOf(data, position);
    if (end === null) return ok(null);
    const here = data.filter((copy) => !isGone(copy));
    await putServerCopies(deps, scope, here, asked_at, true);
    const forgotten = await forgetGone(deps, scope, [...gone, ...data.filter(isGone)]);
    removed += forgotten.removed;
    gone = forgotten.waiting;
    position = { ...end, gone };
    await keepPosition(deps, scope, position);
    seen += data.length;
    const left = (paging?.total ?? data.length) - data.length;
    onPage(seen, seen + left);
    if (data.length === 0 || left <= 0) return ok({ seen, removed });
  }
};
