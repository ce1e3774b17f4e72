/** Keeps the results of bulk writes until a person has seen them. */
import type { Deps, OutcomeRow } from '../db/db.ts';

/** liveQuery: results not dismissed yet, newest first. */
export const listOutcomes = async ({ db }: Pick<Deps, 'db'>, lane: string): Promise<OutcomeRow[]> =>
  (await db.outcomes.where('lane').equals(lane).toArray()).sort((a, b) => b.at - a.at);

export const forgetOutcome = ({ db }: Pick<Deps, 'db'>, operation_id: string): Promise<void> =>
  db.outcomes.delete(operation_id);
