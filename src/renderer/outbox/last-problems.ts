/** What the entries that were tried and are still here last heard, for the diagnostics. */
import type { Problem } from '../../contract/problem.ts';
import type { Deps } from '../data/db.ts';

/** liveQuery: one for each entry that has one, at most 1,000. */
export const lastProblems = async (
  { db }: Pick<Deps, 'db'>,
  account: string,
): Promise<readonly Problem[]> => {
  const entries = await db.entries
    .where('[account+seq]')
    .between([account, -Infinity], [account, Infinity])
    .limit(1_000)
    .toArray();
  return entries.flatMap(({ last_problem }) => last_problem ?? []);
};
