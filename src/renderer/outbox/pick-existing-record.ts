/**
 * A report whose answer was lost and that may be on the server already, on one that keeps no idempotency keys: the user
 * says which record it is, or that it is none of them (outbox promise 2). What is chosen is on disk before the queue moves.
 */
import { fail, ok, type Result } from '../../contract/problem.ts';
import type { Deps, OutboxEntry } from '../data/db.ts';
import type { Candidate, CreateNotes } from '../entries/near-miss.ts';
import { nearMiss } from '../entries/queued.ts';
import { changeQueue } from './change.ts';
import { taken } from './operations/look-for-record.ts';

export type { Candidate } from '../entries/near-miss.ts';

const kept = (entry: OutboxEntry): readonly Candidate[] =>
  nearMiss.create.read(entry)?.checkpoint.candidates ?? [];

/** liveQuery: the records that may be it, without those that other reports turned out to be. */
export const candidatesOf = async (
  { db }: Pick<Deps, 'db'>,
  entry_id: string,
): Promise<readonly Candidate[]> => {
  const entry = await db.entries.get(entry_id);
  if (entry === undefined) return [];
  const all = kept(entry);
  const others = await taken(
    { db, entry },
    all.map((one) => one.server_id),
  );
  return all.filter((one) => !others.has(one.server_id));
};

const choose = async (
  deps: Pick<Deps, 'db' | 'host' | 'history'>,
  entry_id: string,
  decide: (entry: OutboxEntry) => Promise<Partial<CreateNotes> | null>,
): Promise<Result<null>> => {
  const { db } = deps;
  const done = await changeQueue(
    deps,
    ({ near_misses }) => [near_misses],
    async () => {
      const entry = await db.entries.get(entry_id);
      if (entry?.state !== 'parked' || entry.last_problem?.kind !== 'unsure') return false;
      const patch = await decide(entry);
      if (patch === null) return false;
      await db.entries.update(entry_id, {
        state: 'waiting',
        strikes: 0,
        next_try_at: null,
        last_problem: null,
        checkpoint: { ...entry.checkpoint, ...patch },
      });
      return true;
    },
  );
  if (!done.ok) return done;
  return done.value ? ok(null) : fail({ kind: 'conflict', status: 409, messages: [] });
};

/** "It is this one": the entry ends with that record, its photos follow. `conflict`: another report is that record by now. */
export const pickRecord = (
  deps: Pick<Deps, 'db' | 'host' | 'history'>,
  entry_id: string,
  server_id: number,
): Promise<Result<null>> =>
  choose(deps, entry_id, async (entry) => {
    const others = await taken({ db: deps.db, entry }, [server_id]);
    return others.has(server_id) ? null : { server_id };
  });

/** "Send it as a new one": none of those shown is it, now and after another lost answer. */
export const sendAsNew = (
  deps: Pick<Deps, 'db' | 'host' | 'history'>,
  entry_id: string,
): Promise<Result<null>> =>
  choose(deps, entry_id, async (entry) => ({
    as_new: true,
    restored: false,
    exported: false,
    sent_from: null,
    sent_to: null,
    candidates: [],
    not_it: [
      ...(nearMiss.create.read(entry)?.checkpoint.not_it ?? []),
      ...kept(entry).map((one) => one.server_id),
    ],
  }));
