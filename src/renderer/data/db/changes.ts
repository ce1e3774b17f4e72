/**
 * Broadcasts the keys of near misses written by a transaction to every window and worker, after its commit. Dexie's
 * own notification names keys for small writes only; for a page of a refresh it says "anything", and an index over
 * 100,000 records cannot reread all of them each time. Each message opens and closes its own channel, so no channel
 * leaks.
 */
import type { DBCore, Dexie } from 'dexie';

/** Keys of near misses; null means any of them may have changed. */
export type ChangedKeys = readonly string[] | null;

export const channelOf = (db_name: string): string => `spotter/${db_name}/near_misses`;

export const broadcastChanges = (db: Dexie): void => {
  const pending = new WeakMap<object, { keys: string[]; any: boolean }>();
  const wrote = (trans: object, keys: ChangedKeys): void => {
    let noted = pending.get(trans);
    if (noted === undefined) {
      noted = { keys: [], any: false };
      pending.set(trans, noted);
      const batch = noted;
      (trans as IDBTransaction).addEventListener('complete', () => {
        const channel = new BroadcastChannel(channelOf(db.name));
        channel.postMessage((batch.any ? null : batch.keys) satisfies ChangedKeys);
        channel.close();
      });
    }
    if (keys === null) noted.any = true;
    else noted.keys.push(...keys);
  };
  db.use({
    stack: 'dbcore',
    name: 'broadcastChanges',
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
