/** Deletes a record of any kind. A record that does not exist (any more) counts as deleted. */
import { ok, type Result } from '../../../contract/problem.ts';

/**
 * @param id null if the server never had the record
 * @returns the id of the deleted record
 */
export const removal = async (
  id: number | null,
  remove: (id: number) => Promise<Result<unknown>>,
): Promise<Result<number | null>> => {
  if (id === null) return ok(null);
  const answer = await remove(id);
  return answer.ok || answer.problem.kind === 'gone' ? ok(id) : answer;
};
