/**
 * What the operations on a company's own records share: whether an earlier try may have been executed unseen, on a server that
 * would do it twice.
 */
import { ok, type Result } from '../../../contract/problem.ts';
import type { SendContext } from './operation.ts';
import { askKeepsKeys } from './plain-server.ts';

/** May the server have done it already without our knowing, and would it do it again (outbox promise 2)? */
export const mayBeDouble = async (
  context: SendContext,
  project_id: number,
): Promise<Result<boolean>> => {
  const { attempts, checkpoint } = context.entry;
  const unknown = attempts > 1 || checkpoint.restored === true || checkpoint.exported === true;
  if (!unknown) return ok(false);
  const keeps = await askKeepsKeys(context, project_id);
  return keeps.ok ? ok(!keeps.value) : keeps;
};
