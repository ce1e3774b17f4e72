/**
 * Keeps the server's history of the near misses that were opened here, so that it is shown offline as it was last read (decisions
 * §15). A server without a history leaves no row.
 */
import type { Deps, NearMissRow, ServerHistoryRow } from '../db/db.ts';

/** Newest entries that are kept of one near miss. */
const ENTRIES_MAX = 100;
/** Near misses whose history is kept; those read longest ago are deleted first. */
const KEPT_MAX = 1_000;

const keep = ({ db }: Pick<Deps, 'db'>, row: ServerHistoryRow): Promise<void> =>
  db.transaction('rw', db.server_history, async () => {
    await db.server_history.put(row);
    const over = (await db.server_history.count()) - KEPT_MAX;
    if (over > 0) await db.server_history.orderBy('read_at').limit(over).delete();
  });

/** Reads the history of a near miss. The stored one stays if the laptop is offline or the server has none. */
export const refreshServerHistory = async (
  deps: Pick<Deps, 'db' | 'host' | 'clock'>,
  { key, account, project_id, server_id }: NearMissRow,
): Promise<void> => {
  if (server_id === null) return;
  const input = { params: { project_id, id: server_id }, query: { per_page: ENTRIES_MAX } };
  const answer = await deps.host.request('near_miss_history.list', input, account);
  if (!answer.ok) return;
  const { data: entries, paging } = answer.value;
  const read_at = deps.clock.now();
  const total = paging?.total ?? entries.length;
  await keep(deps, { key, account, entries, total, read_at });
};

/** liveQuery: the history as it was last read; undefined if it never was. */
export const serverHistoryOf = async (
  { db }: Pick<Deps, 'db'>,
  account: string,
  key: string,
): Promise<ServerHistoryRow | undefined> => {
  const row = await db.server_history.get(key);
  return row?.account === account ? row : undefined;
};
