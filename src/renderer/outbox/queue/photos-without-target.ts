/** Retries photos that were parked because nothing says where this server takes photos. */
import { ok, type Result } from '../../../contract/problem.ts';
import type { Deps } from '../../data/db/db.ts';
import { retryNow } from './queue.ts';

/** @returns the number of photos that are retried */
export const retryPlaceless = async (deps: Deps, account: string): Promise<Result<number>> => {
  const waiting = await deps.db.operations
    .where('[account+seq]')
    .between([account, -Infinity], [account, Infinity])
    .and(
      (operation) =>
        operation.state === 'parked' && operation.last_problem?.kind === 'no_photo_place',
    )
    .primaryKeys();
  const retried = await retryNow(deps, waiting);
  return retried.ok ? ok(waiting.length) : retried;
};
