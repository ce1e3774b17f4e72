/** Notifies this window, after the commit, that one of its transactions wrote drafts, photos or draft tombstones. */
import type { DBCore, DBCoreMutateRequest, Dexie } from 'dexie';

const TABLES = new Set(['drafts', 'photos', 'tombstones']);

/** Ignores tombstones of the queue: it writes and deletes hundreds while it drains, and none concerns a draft. */
const ofQueue = (name: string, request: DBCoreMutateRequest): boolean =>
  name === 'tombstones' &&
  (request.type === 'deleteRange' ||
    (request.type !== 'delete' &&
      request.values.every(({ draft_at }: { draft_at?: number }) => draft_at === undefined)));

/** @param photo_added true if the transaction added a photo */
type Hear = (photo_added: boolean) => void;

const hearers = new WeakMap<Dexie, Set<Hear>>();

/** Call it before the database is opened. */
export const announceDraftWrites = (db: Dexie): void => {
  const heard = new Set<Hear>();
  hearers.set(db, heard);
  const writes = new WeakMap<object, { photo_added: boolean }>();
  db.use({
    stack: 'dbcore',
    name: 'announceDraftWrites',
    create: (core: DBCore) => ({
      ...core,
      table(name) {
        const table = core.table(name);
        if (!TABLES.has(name)) return table;
        return {
          ...table,
          async mutate(request) {
            const { trans } = request;
            if (ofQueue(name, request)) return table.mutate(request);
            const what = writes.get(trans) ?? { photo_added: false };
            what.photo_added ||= name === 'photos' && request.type === 'add';
            if (!writes.has(trans))
              (trans as IDBTransaction).addEventListener('complete', () => {
                for (const hear of heard) hear(what.photo_added);
              });
            writes.set(trans, what);
            return table.mutate(request);
          },
        };
      },
    }),
  });
};

/** Calls `hear` after every such write. Returns the unsubscribe function. */
export const hearDraftWrites = (db: Dexie, hear: Hear): (() => void) => {
  hearers.get(db)?.add(hear);
  return () => void hearers.get(db)?.delete(hear);
};
