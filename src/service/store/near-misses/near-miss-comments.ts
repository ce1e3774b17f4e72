/** [ours] Comments on near misses in SQL (decisions §18). A removed one keeps its row, without its text. */
import type { Db } from '../engine/db.ts';
import { takeIds } from '../engine/ids.ts';
import { countOf, newestFirst, type Slice } from '../engine/newest-first.ts';
import type { Database } from '../engine/schema.ts';

type CommentRow = Database['near_miss_comments'];

export interface Where {
  readonly company_id: number;
  readonly near_miss_id: number;
}

const commentsOf = (db: Db, { company_id, near_miss_id }: Where) =>
  db
    .selectFrom('near_miss_comments as c')
    .where('c.company_id', '=', company_id)
    .where('c.near_miss_id', '=', near_miss_id);

const withUsers = (db: Db, where: Where) =>
  commentsOf(db, where)
    .innerJoin('users as u', 'u.id', 'c.created_by')
    .leftJoin('users as r', 'r.id', 'c.removed_by')
    .selectAll('c')
    .select(['u.name as author_name', 'u.login as author_login'])
    .select(['r.name as remover_name', 'r.login as remover_login']);

export type ShownComment = CommentRow & {
  readonly author_name: string;
  readonly author_login: string;
  readonly remover_name: string | null;
  readonly remover_login: string | null;
};

/** Removed ones included. */
export const countComments = (db: Db, where: Where): Promise<number> =>
  countOf(commentsOf(db, where));

export const listComments = (db: Db, where: Where, slice: Slice): Promise<ShownComment[]> =>
  newestFirst(withUsers(db, where), slice, 'c');

export const findComment = (db: Db, where: Where, id: number): Promise<ShownComment | undefined> =>
  withUsers(db, where).where('c.id', '=', id).executeTakeFirst();

export const insertComment = async (
  tx: Db,
  comment: Omit<CommentRow, 'id' | 'removed_by' | 'removed_at'>,
): Promise<number> => {
  const id = await takeIds(tx, 'near_miss_comments');
  const row = { ...comment, id, removed_by: null, removed_at: null };
  await tx.insertInto('near_miss_comments').values(row).execute();
  return id;
};

export const removeComment = async (
  tx: Db,
  { company_id }: Where,
  id: number,
  removed: { readonly removed_by: number; readonly removed_at: number },
): Promise<void> => {
  await tx
    .updateTable('near_miss_comments')
    .set({ text: null, ...removed })
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .execute();
};

/** The users who wrote a comment that is still there. */
export const listCommenters = async (db: Db, where: Where): Promise<ReadonlySet<number>> => {
  const rows = await commentsOf(db, where)
    .where('c.removed_at', 'is', null)
    .select('c.created_by')
    .distinct()
    .execute();
  return new Set(rows.map(({ created_by }) => created_by));
};

export const isThere = async (db: Db, company_id: number, id: number): Promise<boolean> =>
  (await db
    .selectFrom('near_miss_comments')
    .select('id')
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst()) !== undefined;
