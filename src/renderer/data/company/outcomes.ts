/** What a bulk write of the company's came to, kept until somebody has looked at it. */
import type { Deps, OutcomeRow } from '../db.ts';

/** liveQuery: outcomes not yet put away, the newest first. */
export const listOutcomes = async ({ db }: Pick<Deps, 'db'>, lane: string): Promise<OutcomeRow[]> =>
  (await db.outcomes.where('lane').equals(lane).toArray()).sort((a, b) => b.at - a.at);

export const forgetOutcome = ({ db }: Pick<Deps, 'db'>, entry_id: string): Promise<void> =>
  db.outcomes.delete(entry_id);
