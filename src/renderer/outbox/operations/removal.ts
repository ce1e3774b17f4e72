/** A deletion, of whatever kind: what is not there (any more) is what was wanted. */
import { ok, type Result } from '../../../contract/problem.ts';

/**
 * Answers the id of what is gone now.
 * @param id null: the server never had it
 */
export const removal = async (
  id: number | null,
  remove: (id: number) => Promise<Result<unknown>>,
): Promise<Result<number | null>> => {
  if (id === null) return ok(null);
  const answer = await remove(id);
  return answer.ok || answer.problem.kind === 'gone' ? ok(id) : answer;
};
