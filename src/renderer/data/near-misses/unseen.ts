/**
 * Marks records that others reported or changed since a person last looked, per account and project. A refresh adds a
 * mark; opening the record or marking all as seen removes it. Changes made on this laptop are never marked. Marking
 * starts after the first full read of a project, because before that every record would be new.
 */
import type { NearMiss } from '../../../contract/rest/near-misses.ts';
import { writesComment } from '../../operations/operation.ts';
import type { Deps, NearMissRow, NewsRow, OutboxOperation, SpotterDb } from '../db/db.ts';
import { answerOf, type AnswerFields } from '../model/answer.ts';
import { fieldsOfServer, sameField, wireOf } from '../model/near-miss-rows.ts';

interface Scope {
  readonly account: string;
  readonly project_id: number;
}

const begunName = ({ account, project_id }: Scope): string => `news/${account}/${project_id}`;

/** liveQuery: the unseen records by key. */
export const unseenOf = async (
  { db }: Pick<Deps, 'db'>,
  { account, project_id }: Scope,
): Promise<ReadonlyMap<string, NewsRow['kind']>> =>
  new Map(
    (await db.news.where('[account+project_id]').equals([account, project_id]).toArray()).map(
      ({ key, kind }) => [key, kind],
    ),
  );

/** The unseen records whose answer is unseen, with the name in `Seen` of each answer. */
export const unseenAnswers = async (
  { db }: Pick<Deps, 'db'>,
  { account, project_id }: Scope,
): Promise<readonly { readonly row: NearMissRow; readonly by: string }[]> => {
  const marks = await db.news
    .where('[account+project_id]')
    .equals([account, project_id])
    .filter(({ answered_by }) => answered_by !== undefined)
    .toArray();
  const rows = await db.near_misses.bulkGet(marks.map(({ key }) => key));
  return rows.flatMap((row, at) => (row ? [{ row, by: marks[at]?.answered_by ?? '' }] : []));
};

export const markSeen = ({ db }: Pick<Deps, 'db'>, key: string): Promise<void> =>
  db.news.delete(key);

export const markAllSeen = async (
  { db }: Pick<Deps, 'db'>,
  { account, project_id }: Scope,
): Promise<void> => {
  await db.news.where('[account+project_id]').equals([account, project_id]).delete();
};

/** Starts marking, after the project was read completely. */
export const beginUnseen = async ({ db }: Pick<Deps, 'db'>, scope: Scope): Promise<void> => {
  await db.meta.put({ name: begunName(scope), value: true });
};

/** Call it inside the transaction that writes the copies. */
export const hasBegunUnseen = async (db: SpotterDb, scope: Scope): Promise<boolean> =>
  (await db.meta.get(begunName(scope))) !== undefined;

/** liveQuery: the near misses on which others commented since the user last looked, with the number of comments. */
export const unseenComments = async (
  { db }: Pick<Deps, 'db'>,
  { account, project_id }: Scope,
): Promise<readonly { readonly row: NearMissRow; readonly comments: number }[]> => {
  const marks = await db.news
    .where('[account+project_id]')
    .equals([account, project_id])
    .filter(({ comments }) => comments !== undefined)
    .toArray();
  const rows = await db.near_misses.bulkGet(marks.map(({ key }) => key));
  return rows.flatMap((row, at) => (row ? [{ row, comments: marks[at]?.comments ?? 0 }] : []));
};

/** Comments of others that a server's copy adds to the local row. Those that this laptop may have sent do not count. */
export const newCommentsIn = (
  row: NearMissRow | undefined,
  copy: NearMiss,
  lane: readonly OutboxOperation[],
): number => {
  if (!row?.server) return 0;
  const sent = lane.filter((one) => writesComment(one) && one.attempts > 0).length;
  return Math.max(0, (copy.comment_count ?? 0) - (row.server.comment_count ?? 0) - sent);
};

/**
 * Compares a server's copy with the local row; null when there is nothing new to see.
 * @param comments new comments of others
 */
export const unseenIn = (
  row: NearMissRow | undefined,
  copy: NearMiss,
  comments = 0,
): NewsRow['kind'] | null => {
  if (copy.deleted_at) return null;
  if (row === undefined) return 'new';
  // Created here with its response lost: the refresh found our own record.
  if (row.server === null) return null;
  if ((copy.updated_at ?? '') <= (row.server.updated_at ?? '')) return null;
  const [shown, theirs] = [wireOf(row.fields), wireOf(fieldsOfServer(copy))];
  const photos = (one: NearMiss): number => one.attachments?.length ?? 0;
  const differs =
    Object.keys(theirs).some((name) => !sameField(name, shown[name], theirs[name])) ||
    photos(copy) !== photos(row.server) ||
    comments > 0;
  return differs ? 'changed' : null;
};

/**
 * The name in `Seen` of a new answer in a server's copy; '' if only *What we did* is new; undefined if there is none. An answer
 * that was already marked as unseen stays so until it is deleted.
 */
export const unseenAnswerIn = (
  row: NearMissRow | undefined,
  copy: NearMiss,
  fields: AnswerFields | null,
  marked: NewsRow | undefined,
): string | undefined => {
  if (fields === null) return undefined;
  const theirs = answerOf(fieldsOfServer(copy), fields);
  if (!theirs.answered) return undefined;
  const known = row && answerOf(row.fields, fields);
  if (theirs.seen_by !== '' && theirs.seen_by !== known?.seen_by) return theirs.seen_by;
  if (theirs.what !== '' && theirs.what !== known?.what) return '';
  return marked?.answered_by;
};

/** Marks an unseen answer that came with the server's reply to a change of this laptop. Call it inside the transaction. */
export const markAnswer = async (
  db: SpotterDb,
  row: NearMissRow,
  copy: NearMiss,
  fields: AnswerFields | null,
): Promise<void> => {
  const { key, account, project_id } = row;
  const marked = await db.news.get(key);
  const answered_by = unseenAnswerIn(row, copy, fields, marked);
  if (answered_by === undefined || answered_by === marked?.answered_by) return;
  const kind = marked?.kind ?? 'changed';
  await db.news.put({ ...marked, key, account, project_id, kind, answered_by });
};
