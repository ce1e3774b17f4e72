/** Remembers which server lists were read completely: only then is an empty list known to be empty. */
import type { Deps } from '../db/db.ts';
import type { Place } from '../near-misses/pending-operations.ts';

const nameOf = (what: string, { account, project_id }: Place): string =>
  `${what} ${project_id} ${account}`;

const idsIn = (value: unknown): readonly number[] =>
  Array.isArray(value) ? value.filter((id): id is number => typeof id === 'number') : [];

/** liveQuery: the ids of the lists that were read. */
export const fetchedOf = async (
  { db }: Pick<Deps, 'db'>,
  what: string,
  place: Place,
): Promise<ReadonlySet<number>> => new Set(idsIn((await db.meta.get(nameOf(what, place)))?.value));

export const markFetched = (
  { db }: Pick<Deps, 'db'>,
  what: string,
  place: Place,
  id: number,
): Promise<void> =>
  db.transaction('rw', db.meta, async () => {
    const name = nameOf(what, place);
    const had = idsIn((await db.meta.get(name))?.value);
    if (!had.includes(id)) await db.meta.put({ name, value: [...had, id] });
  });
