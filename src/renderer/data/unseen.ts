/**
 * What is new since a person last looked, per account and project: records that others reported or changed, noted when a
 * refresh brings them and kept until the record is opened or all are marked as seen. Whatever was done on this laptop is
 * no news to it. Nothing is news before the project was read once to its end: everything would be.
 */
import type { NearMiss } from '../../contract/rest/near-misses.ts';
import type { Deps, NearMissRow, NewsRow, SpotterDb } from './db.ts';
import { fieldsOfServer, sameField, wireOf } from './near-miss-rows.ts';

interface Scope {
  readonly account: string;
  readonly project_id: number;
}

const begunName = ({ account, project_id }: Scope): string => `news/${account}/${project_id}`;

/** liveQuery: what is new, by the key of the record. */
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

/** From now on what comes is news: the project was read to its end. */
export const beginUnseen = async ({ db }: Pick<Deps, 'db'>, scope: Scope): Promise<void> => {
  await db.meta.put({ name: begunName(scope), value: true });
};

/** Inside the transaction that writes the copies. */
export const hasBegunUnseen = async (db: SpotterDb, scope: Scope): Promise<boolean> =>
  (await db.meta.get(begunName(scope))) !== undefined;

/** Is a copy the server sent news, compared with what this laptop shows? Null: it is not. */
export const unseenIn = (row: NearMissRow | undefined, copy: NearMiss): NewsRow['kind'] | null => {
  if (copy.deleted_at) return null;
  if (row === undefined) return 'new';
  // Made here, and its answer was lost: the refresh meets our own record.
  if (row.server === null) return null;
  if ((copy.updated_at ?? '') <= (row.server.updated_at ?? '')) return null;
  const [shown, theirs] = [wireOf(row.fields), wireOf(fieldsOfServer(copy))];
  const photos = (one: NearMiss): number => one.attachments?.length ?? 0;
  const differs =
    Object.keys(theirs).some((name) => !sameField(name, shown[name], theirs[name])) ||
    photos(copy) !== photos(row.server);
  return differs ? 'changed' : null;
};
