/**
 * What an operation is. One small file each; index.ts is the list. `send` talks to the host and may be called again
 * after any crash; `settle` writes the outcome inside the one transaction that removes the entry. Kinds are only added,
 * and a changed payload is a new version (failures A20, A28).
 */
import { Dexie } from 'dexie';
import type { z } from 'zod';
import type { Result } from '../../../contract/problem.ts';
import type { Catalog } from '../../../contract/rest/catalog.ts';
import type { NearMiss } from '../../../contract/rest/near-misses.ts';
import type { Deps, LinkRow, NearMissRow, OutboxEntry, SpotterDb } from '../../data/db.ts';
import { fieldsOfServer, overlay, rowOf } from '../../data/near-miss-rows.ts';
import type { Write } from '../settle.ts';

export interface SendContext extends Deps {
  /** With this attempt counted, and with what earlier attempts had done in `checkpoint`. */
  readonly entry: OutboxEntry;
  /** Adds to the entry's checkpoint, on disk before it answers. */
  checkpoint(patch: Readonly<Record<string, unknown>>): Promise<void>;
  /** The server's id of a record made here, or null while there is none. */
  serverId(key: string, known: number | null): Promise<number | null>;
}

export interface Described {
  readonly photo: {
    readonly photo_id: string;
    readonly filename: string;
    readonly size: number;
  } | null;
}

/** Changes that an import takes in only where a person says so, kind by kind. */
export const askedKinds = ['deletes', 'members', 'webhooks'] as const;
export type AskedKind = (typeof askedKinds)[number];

export interface Operation<P, O> {
  readonly kind: string;
  readonly version: number;
  readonly schema: z.ZodType<P>;
  /** Does a parked one hold its lane? */
  readonly blocks: boolean;
  /** What a person is asked before it comes in from another laptop's file; null: it comes with the rest. */
  readonly asks: AskedKind | null;
  lane(payload: P): string;
  send(payload: P, context: SendContext): Promise<Result<O>>;
  settle(
    payload: P,
    outcome: O,
    inside: { readonly db: SpotterDb; readonly entry: OutboxEntry; readonly seen_at: number },
  ): Promise<readonly LinkRow[]>;
  /** For the waiting screen. */
  describe(payload: P): Described;
}

/** An operation with its payload's type closed over: what the engine runs. */
export interface RunnableOperation {
  readonly kind: string;
  readonly version: number;
  readonly blocks: boolean;
  readonly asks: AskedKind | null;
  /** Null where the payload cannot be read, or belongs to another lane. */
  read(entry: Pick<OutboxEntry, 'payload' | 'lane'>): {
    readonly described: Described;
    run(context: SendContext): Promise<Result<Write>>;
  } | null;
}

export const runnable = <P, O>(operation: Operation<P, O>): RunnableOperation => ({
  kind: operation.kind,
  version: operation.version,
  blocks: operation.blocks,
  asks: operation.asks,
  read(entry) {
    const parsed = operation.schema.safeParse(entry.payload);
    if (!parsed.success || operation.lane(parsed.data) !== entry.lane) return null;
    const payload = parsed.data;
    return {
      described: operation.describe(payload),
      async run(context) {
        const sent = await operation.send(payload, context);
        if (!sent.ok) return sent;
        const seen_at = context.clock.tick();
        return {
          ok: true,
          value: (db) =>
            operation.settle(payload, sent.value, { db, entry: context.entry, seen_at }),
        };
      },
    };
  },
});

const catalogs = new WeakMap<object, Map<string, Promise<Catalog | null>>>();

/** A batch of settlements reads the catalog once: it is by far the largest row of the database. */
const catalogInside = (
  db: SpotterDb,
  account: string,
  project_id: number,
): Promise<Catalog | null> => {
  const read = async () => (await db.catalogs.get([account, project_id]))?.catalog ?? null;
  const transaction = Dexie.currentTransaction;
  if (transaction === null) return read();
  const known = catalogs.get(transaction) ?? new Map<string, Promise<Catalog | null>>();
  catalogs.set(transaction, known);
  const name = `${project_id} ${account}`;
  const catalog = known.get(name) ?? read();
  known.set(name, catalog);
  return catalog;
};

/** Inside the settling transaction: the server's copy under what still waits. */
export const putServerCopy = async (
  db: SpotterDb,
  record: Pick<NearMissRow, 'key' | 'account' | 'company_id' | 'project_id'>,
  server: NearMiss,
  seen_at: number,
): Promise<void> => {
  const { key, account, company_id, project_id } = record;
  const [lane, had] = await Promise.all([
    db.entries.where('lane').equals(key).toArray(),
    db.near_misses.get(key),
  ]);
  const catalog = await catalogInside(db, account, project_id);
  const row =
    had ??
    rowOf(
      {
        ...{ key, account, company_id, project_id, server_id: server.id, server },
        ...{ fields: fieldsOfServer(server), created_at: seen_at, updated_at: seen_at },
        ...{ removed_at: null, seen_at },
      },
      catalog,
    );
  await db.near_misses.put(overlay(row, server, lane, catalog, seen_at));
};
