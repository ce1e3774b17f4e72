/**
 * The server's comments on the near misses that were opened here (decisions §18), so that they are read offline. Bounded. A comment
 * also counts in the stored copy of its near miss, so that a later count from the server shows how many others wrote.
 */
import type { NearMissComment } from '../../../contract/rest/history/near-miss-comments.ts';
import type { CommentsRow, SpotterDb } from '../db/db.ts';

/** Newest comments that are kept of one near miss. */
export const COMMENTS_KEPT = 200;
/** Near misses whose comments are kept; those read longest ago are deleted first. */
const KEPT_MAX = 500;

type Key = Pick<CommentsRow, 'key' | 'account'>;

/** The tables that a transaction of the functions below must include. */
export const commentTables = (db: SpotterDb) => [db.comments, db.near_misses] as const;

const emptyRow = (key: Key): CommentsRow => ({
  ...key,
  comments: [],
  total: 0,
  delivered: [],
  read_at: 0,
});

/**
 * Stores what the server said. An answer may be older than what is stored: newer comments stay, and what was removed stays removed.
 * Inside a transaction.
 */
export const keepComments = async (
  db: SpotterDb,
  row: Omit<CommentsRow, 'delivered'>,
): Promise<void> => {
  const had = (await db.comments.get(row.key)) ?? emptyRow(row);
  // Not of the first: a server's clock may have gone back.
  const newest = Math.max(0, ...row.comments.map(({ id }) => id));
  const later = had.comments.filter(({ id }) => id > newest);
  const gone = new Map(had.comments.flatMap((one) => (one.removed_at ? [[one.id, one]] : [])));
  const comments = [...later, ...row.comments.map((one) => gone.get(one.id) ?? one)];
  await db.comments.put({
    ...row,
    delivered: had.delivered,
    total: row.total + later.length,
    comments: comments.slice(0, COMMENTS_KEPT),
  });
  const over = (await db.comments.count()) - KEPT_MAX;
  if (over > 0) await db.comments.orderBy('read_at').limit(over).delete();
};

/** Counts a comment in the stored copy of its near miss, unless the copy is of a later change. Inside a transaction. */
const countComment = async (
  db: SpotterDb,
  key: string,
  { by, at }: { readonly by: 1 | -1; readonly at: string },
): Promise<void> => {
  const row = await db.near_misses.get(key);
  if (!row?.server || Date.parse(row.server.updated_at ?? '') >= Date.parse(at)) return;
  const comment_count = Math.max(0, (row.server.comment_count ?? 0) + by);
  await db.near_misses.put({ ...row, server: { ...row.server, comment_count } });
};

/** Adds a comment that this laptop delivered. Inside a transaction. */
export const putDelivered = async (
  db: SpotterDb,
  key: Key,
  comment: NearMissComment,
): Promise<void> => {
  const had = (await db.comments.get(key.key)) ?? emptyRow(key);
  const others = had.comments.filter(({ id }) => id !== comment.id);
  const isNew = others.length === had.comments.length;
  await db.comments.put({
    ...had,
    comments: [comment, ...others].sort((a, b) => b.id - a.id).slice(0, COMMENTS_KEPT),
    total: had.total + (isNew ? 1 : 0),
    delivered: [comment.id, ...had.delivered].slice(0, COMMENTS_KEPT),
  });
  await countComment(db, key.key, { by: 1, at: comment.created_at });
};

/** Replaces a comment by its removed form. Inside a transaction. */
export const putRemoved = async (
  db: SpotterDb,
  key: string,
  comment: NearMissComment,
): Promise<void> => {
  const had = await db.comments.get(key);
  if (had === undefined) return;
  const comments = had.comments.map((one) => (one.id === comment.id ? comment : one));
  await db.comments.put({ ...had, comments });
  if (comment.removed_at !== null) await countComment(db, key, { by: -1, at: comment.removed_at });
};
