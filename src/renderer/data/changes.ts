/**
 * Tells every window and worker which near misses a transaction wrote, after its commit. Dexie's own news name the keys
 * of small writes alone; of a page of a refresh they say "anything", and an index over 100,000 records cannot read them all
 * again each time. A channel per database, opened for each message: nothing has to be closed.
 */
import type { DBCore, Dexie } from 'dexie';

/** Keys of near misses; null: any of them. */
export type ChangedKeys = readonly string[] | null;

export const channelOf = (db_name: string): string => `spotter/${db_name}/near_misses`;

export const tellChanges = (db: Dexie): void => {
  const pending = new WeakMap<object, { keys: string[]; any: boolean }>();
  const wrote = (trans: object, keys: ChangedKeys): void => {
    let noted = pending.get(trans);
    if (noted === undefined) {
      noted = { keys: [], any: false };
      pending.set(trans, noted);
      const told = noted;
      (trans as IDBTransaction).addEventListener('complete', () => {
        const channel = new BroadcastChannel(channelOf(db.name));
        channel.postMessage((told.any ? null : told.keys) satisfies ChangedKeys);
        channel.close();
      });
    }
    if (keys === null) noted.any = true;
    else noted.keys.push(...keys);
  };
  db.use({
    stack: 'dbcore',
    name: 'tellChanges',
    create: (core: DBCore) => ({
      ...core,
      table(name) {
        const table = core.table(name);
        if (name !== 'near_misses') return table;
        return {
          ...table,
          async mutate(request) {
            const { type, trans } = request;
            if (type === 'deleteRange') wrote(trans, null);
            else if (type === 'delete') wrote(trans, request.keys as string[]);
            else
              wrote(
                trans,
                request.values.map(({ key }: { key: string }) => key),
              );
            return table.mutate(request);
          },
        };
      },
    }),
  });
};
