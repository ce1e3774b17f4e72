/**
 * Comments on a near miss (decisions §18): reads the server's and the pending ones, queues a new one, and removes one on the
 * server.
 */
import { ulid } from 'ulid';
import { fail, ok, type Result } from '../../../contract/problem.ts';
import type { NearMissComment } from '../../../contract/rest/history/near-miss-comments.ts';
import { nearMiss } from '../../operations/queued.ts';
import { changeQueue } from '../../outbox/queue/change.ts';
import { addOperation } from '../../outbox/queue/enqueue.ts';
import { provablyNotSent } from '../../outbox/queue/operation-life.ts';
import type { Deps, NearMissRow, OperationState, SpotterDb } from '../db/db.ts';
import { COMMENTS_KEPT, commentTables, keepComments, putRemoved } from './kept-comments.ts';

/** A comment that the server does not have yet. */
export interface PendingComment {
  readonly operation_id: string;
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly created_at: number;
  readonly state: OperationState;
  /** True until the server may have it. */
  readonly can_take_back: boolean;
}

export interface Comments {
  /** Newest last. */
  readonly comments: readonly NearMissComment[];
  /** Older comments that are only on the server. */
  readonly earlier: number;
  /** When the server's comments were last read; null: never. */
  readonly read_at: number | null;
  /** Newest last. */
  readonly pending: readonly PendingComment[];
}

/** liveQuery: all comments on a near miss that this laptop knows. */
export const commentsOf = async (
  { db }: Pick<Deps, 'db'>,
  { key, account }: Pick<NearMissRow, 'key' | 'account'>,
): Promise<Comments> => {
  const [row, lane] = await Promise.all([
    db.comments.get(key),
    db.operations.where('lane').equals(key).sortBy('seq'),
  ]);
  const kept = row?.account === account ? row : undefined;
  return {
    comments: kept?.comments.toReversed() ?? [],
    earlier: kept ? Math.max(0, kept.total - kept.comments.length) : 0,
    read_at: kept?.read_at || null,
    pending: nearMiss.comment.in(lane).map((operation) => ({
      operation_id: operation.id,
      text: operation.payload.text,
      created_at: operation.created_at,
      state: operation.state,
      can_take_back: provablyNotSent(operation),
    })),
  };
};

/** Reads the newest comments of a near miss. The stored ones stay if the laptop is offline or the server has none. */
export const refreshComments = async (
  { db, host, clock }: Pick<Deps, 'db' | 'host' | 'clock'>,
  { key, account, project_id, server_id }: NearMissRow,
): Promise<void> => {
  if (server_id === null) return;
  const input = { params: { project_id, id: server_id }, query: { per_page: COMMENTS_KEPT } };
  const answer = await host.request('near_miss_comments.list', input, account);
  if (!answer.ok) return;
  const { data: comments, paging } = answer.value;
  const total = paging?.total ?? comments.length;
  const row = { key, account, comments, total, read_at: clock.now() };
  await db.transaction('rw', [...commentTables(db)], async () => {
    // A near miss that left this laptop meanwhile, because its user may not read it any more, leaves no texts behind.
    if ((await db.near_misses.get(key)) !== undefined) await keepComments(db, row);
  });
};

/**
 * True if the server of a near miss has comments. A report that was never sent counts if the server counted the comments of the newest
 * report of its project.
 */
export const takesComments = async (
  { db }: Pick<Deps, 'db'>,
  { account, project_id, server }: NearMissRow,
): Promise<boolean> => {
  if (server !== null) return server.comment_count !== undefined;
  const newest = await db.near_misses
    .where('[account+project_id+bin+created_at]')
    .between([account, project_id, 0, -Infinity], [account, project_id, 0, Infinity])
    .reverse()
    .filter((row) => row.server !== null)
    .first();
  return newest?.server?.comment_count !== undefined;
};

const tablesOfWriting = (db: SpotterDb) => [db.near_misses, db.comment_drafts];

/** Queues a comment, also offline, and ends its draft. `text`: without outer spaces, at least one character. */
export const writeComment = async (
  deps: Deps,
  key: string,
  text: string,
): Promise<Result<null>> => {
  const done = await changeQueue(deps, tablesOfWriting, async (change) => {
    const row = await deps.db.near_misses.get(key);
    if (row === undefined) return false;
    const { account, project_id, server_id } = row;
    const comment = nearMiss.comment({ key, project_id, server_id, text });
    await addOperation(deps.db, change, account, deps.clock.now(), comment);
    await deps.db.comment_drafts.delete(key);
    change.rows.set(key, row);
    return true;
  });
  if (!done.ok) return done;
  return done.value ? ok(null) : fail({ kind: 'gone', status: 404, messages: [] });
};

/** Removes a comment on the server, which needs a connection. Removing it again changes nothing. */
export const removeComment = async (
  { db, host }: Pick<Deps, 'db' | 'host'>,
  { key, account, project_id, server_id }: NearMissRow,
  comment_id: number,
): Promise<Result<null>> => {
  if (server_id === null) return fail({ kind: 'gone', status: 404, messages: [] });
  const input = {
    params: { project_id, id: server_id, comment_id },
    idempotency_key: ulid(),
  };
  const answer = await host.request('near_miss_comments.delete', input, account);
  if (!answer.ok) return answer;
  await db.transaction('rw', [...commentTables(db)], () => putRemoved(db, key, answer.value.data));
  return ok(null);
};
