/**
 * Marks records that others reported or changed since a person last looked, per account and project. A refresh adds a
 * mark; opening the record or marking all as seen removes it. Changes made on this laptop are never marked. Marking
 * starts after the first full read of a project, because before that every record would be new.
 */
import type { NearMiss } from '../../../contract/rest/near-misses.ts';
import type { Deps, NearMissRow, NewsRow, SpotterDb } from '../db/db.ts';
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

/** Compares a server's copy with the local row; null when there is nothing new to see. */
export const unseenIn = (row: NearMissRow | undefined, copy: NearMiss): NewsRow['kind'] | null => {
  if (copy.deleted_at) return null;
  if (row === undefined) return 'new';
  // Created here with its response lost: the refresh found our own record.
  if (row.server === null) return null;
  if ((copy.updated_at ?? '') <= (row.server.updated_at ?? '')) return null;
  const [shown, theirs] = [wireOf(row.fields), wireOf(fieldsOfServer(copy))];
  const photos = (one: NearMiss): number => one.attachments?.length ?? 0;
  const differs =
    Object.keys(theirs).some((name) => !sameField(name, shown[name], theirs[name])) ||
    photos(copy) !== photos(row.server);
  return differs ? 'changed' : null;
};
