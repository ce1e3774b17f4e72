/** Photos that wait because nothing says where this server takes them: tried again once something does. */
import { ok, type Result } from '../../contract/problem.ts';
import type { Deps } from '../data/db.ts';
import { retryNow } from './queue.ts';

/** Answers how many there were. */
export const retryPlaceless = async (deps: Deps, account: string): Promise<Result<number>> => {
  const waiting = await deps.db.entries
    .where('[account+seq]')
    .between([account, -Infinity], [account, Infinity])
    .and((entry) => entry.state === 'parked' && entry.last_problem?.kind === 'no_photo_place')
    .primaryKeys();
  const retried = await retryNow(deps, waiting);
  return retried.ok ? ok(waiting.length) : retried;
};
