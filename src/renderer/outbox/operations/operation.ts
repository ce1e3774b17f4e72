/**
 * What an operation is: how an entry of its kind is sent, what is written when it was, and which rows are here because it waits. What
 * else differs by kind is answered without server and database, in entries/. `send` talks to the host and may be called again after
 * any crash; `settle` writes the outcome inside the one transaction that removes the entry.
 */
import type { Result } from '../../../contract/problem.ts';
import type { NearMiss } from '../../../contract/rest/near-misses.ts';
import { catalogInside } from '../../data/catalog.ts';
import type { Deps, LinkRow, NearMissRow, OutboxEntry, SpotterDb } from '../../data/db.ts';
import { overlay } from '../../data/near-miss-rows.ts';
import type { Marks } from '../../entries/answers.ts';
import type { Checkpoints, EntryOf, Kind, Payloads } from '../../entries/entry.ts';
import type { Envelope } from '../../entries/stored.ts';
import type { WaitingRow } from '../waiting-rows.ts';

/** @template C what the tries of the entry note */
export interface SendContext<C = Marks> extends Pick<Deps, 'db' | 'host' | 'clock'> {
  /** With this attempt counted, and with what earlier attempts had done in `checkpoint`. */
  readonly entry: Envelope & { readonly checkpoint: C };
  /** Adds to the entry's checkpoint, on disk before it answers. */
  checkpoint(patch: { readonly [N in keyof C]?: C[N] }): Promise<void>;
  /** The server's id of a record made here, or null while there is none. */
  serverId(key: string, known: number | null): Promise<number | null>;
}

/** @template O what was sent came to */
export interface Operation<K extends Kind, O> {
  /** The near miss, photo or file that is shown here because the entry waits, as the entry alone can tell of it. */
  rows(entry: EntryOf<K>): readonly WaitingRow[];
  send(payload: Payloads[K], context: SendContext<Checkpoints[K]>): Promise<Result<O>>;
  settle(
    payload: Payloads[K],
    outcome: O,
    inside: { readonly db: SpotterDb; readonly entry: EntryOf<K>; readonly seen_at: number },
  ): Promise<readonly LinkRow[]>;
}

/** Writes the outcome inside the settling transaction and answers the ids it brought. */
type Write = (db: SpotterDb) => Promise<readonly LinkRow[]>;

/** What a kind whose entries bring no rows answers: their record is here already, or what waits is laid over it when it is read. */
export const noRows = (): readonly WaitingRow[] => [];

/** An operation with its outcome closed over: what the queue asks. */
export interface Runnable<K extends Kind> {
  run(entry: EntryOf<K>, context: Omit<SendContext, 'entry'>): Promise<Result<Write>>;
  rows(entry: EntryOf<K>): readonly WaitingRow[];
}

export const runnable = <K extends Kind, O>({
  send,
  settle,
  rows,
}: Operation<K, O>): Runnable<K> => ({
  rows,
  async run(entry, given) {
    const { payload } = entry;
    const context: SendContext<Checkpoints[K]> = { ...given, entry };
    const sent = await send(payload, context);
    if (!sent.ok) return sent;
    const seen_at = context.clock.tick();
    return { ok: true, value: (db) => settle(payload, sent.value, { db, entry, seen_at }) };
  },
});

/** Inside the settling transaction: what still waits for a record. */
export const laneOf = (db: SpotterDb, key: string): PromiseLike<readonly OutboxEntry[]> =>
  db.entries.where('lane').equals(key).toArray();

const isTime = (text: string | null | undefined): boolean => !Number.isNaN(Date.parse(text ?? ''));

/** Inside the settling transaction: the server's copy under what still waits. `lane`: as it was read in this transaction. */
export const putServerCopy = async (
  db: SpotterDb,
  record: Pick<NearMissRow, 'key' | 'account' | 'company_id' | 'project_id'>,
  server: NearMiss,
  seen_at: number,
  lane?: readonly OutboxEntry[],
): Promise<void> => {
  const { key, account, project_id } = record;
  const waiting = lane ?? (await laneOf(db, key));
  const catalog = await catalogInside(db, account, project_id);
  // The row says nothing that the server's copy does not, its times apart, where that has none.
  const timed = isTime(server.created_at) && isTime(server.updated_at);
  const had = timed ? undefined : await db.near_misses.get(key);
  const { created_at = seen_at, updated_at = seen_at } = had ?? {};
  const row = { ...record, created_at, updated_at };
  await db.near_misses.put(overlay(row, server, waiting, catalog, seen_at));
};
