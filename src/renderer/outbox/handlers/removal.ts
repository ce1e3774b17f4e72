/** Deletes a record of any kind. A record that does not exist (any more) counts as deleted. */
import { fail, ok, type Result } from '../../../contract/problem.ts';

/**
 * @param id null if the server never had the record
 * @param show reads the record, where a deletion that nobody carried out would lose it: an empty 204 has no mark of its sender
 * @returns the id of the deleted record
 */
export const removal = async (
  id: number | null,
  remove: (id: number) => Promise<Result<unknown>>,
  show?: (id: number) => Promise<Result<unknown>>,
): Promise<Result<number | null>> => {
  if (id === null) return ok(null);
  const answer = await remove(id);
  if (!answer.ok) return answer.problem.kind === 'gone' ? ok(id) : answer;
  if (show === undefined) return ok(id);
  const shown = await show(id);
  if (shown.ok) {
    const detail = 'the record is still there after its deletion';
    return fail({ kind: 'broken_reply', status: 204, looks_like: 'wrong_shape', detail });
  }
  return shown.problem.kind === 'gone' ? ok(id) : shown;
};
