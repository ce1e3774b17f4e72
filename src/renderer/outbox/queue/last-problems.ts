/** Lists the last problems of pending operations, for the diagnostics. */
import type { Problem } from '../../../contract/problem.ts';
import type { Deps } from '../../data/db/db.ts';

/** liveQuery: the last problem of each operation that has one, from at most 1,000 operations. */
export const lastProblems = async (
  { db }: Pick<Deps, 'db'>,
  account: string,
): Promise<readonly Problem[]> => {
  const operations = await db.operations
    .where('[account+seq]')
    .between([account, -Infinity], [account, Infinity])
    .limit(1_000)
    .toArray();
  return operations.flatMap(({ last_problem }) => last_problem ?? []);
};
