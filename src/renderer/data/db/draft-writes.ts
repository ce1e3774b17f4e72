/** Notifies this window, after the commit, that one of its transactions wrote drafts, photos or draft tombstones. */
import type { DBCore, DBCoreMutateRequest, Dexie } from 'dexie';

const TABLES = new Set(['drafts', 'photos', 'tombstones']);

/** Ignores tombstones of the queue: it writes and deletes hundreds while it drains, and none concerns a draft. */
const ofQueue = (name: string, request: DBCoreMutateRequest): boolean =>
  name === 'tombstones' &&
  (request.type === 'deleteRange' ||
    (request.type !== 'delete' &&
      request.values.every(({ draft_at }: { draft_at?: number }) => draft_at === undefined)));

const hearers = new WeakMap<Dexie, Set<() => void>>();

/** Call it before the database is opened. */
export const tellDraftWrites = (db: Dexie): void => {
  const heard = new Set<() => void>();
  hearers.set(db, heard);
  const told = new WeakSet<object>();
  db.use({
    stack: 'dbcore',
    name: 'tellDraftWrites',
    create: (core: DBCore) => ({
      ...core,
      table(name) {
        const table = core.table(name);
        if (!TABLES.has(name)) return table;
        return {
          ...table,
          async mutate(request) {
            const { trans } = request;
            if (!ofQueue(name, request) && !told.has(trans)) {
              told.add(trans);
              (trans as IDBTransaction).addEventListener('complete', () => {
                for (const hear of heard) hear();
              });
            }
            return table.mutate(request);
          },
        };
      },
    }),
  });
};

/** Calls `hear` after every such write. Returns the unsubscribe function. */
export const hearDraftWrites = (db: Dexie, hear: () => void): (() => void) => {
  hearers.get(db)?.add(hear);
  return () => void hearers.get(db)?.delete(hear);
};
