/**
 * Finds out whether this server stores idempotency keys (decisions §1.5). No response says so, but a server has all of
 * our extension or none: one with the catalog has the keys. The result is cached while the window is open, because the
 * catalog is a large row.
 */
import { ok, type Result } from '../../../contract/problem.ts';
import type { SpotterDb } from '../../data/db/db.ts';
import { isKeyOver } from '../queue/operation-life.ts';
import type { SendContext } from './handler.ts';

interface OfAccount extends Pick<SendContext, 'db'> {
  readonly operation: Pick<SendContext['operation'], 'account'>;
}

const known = new WeakMap<SpotterDb, Map<string, boolean>>();

const memory = (db: SpotterDb): Map<string, boolean> => {
  const had = known.get(db) ?? new Map<string, boolean>();
  known.set(db, had);
  return had;
};

/** The locally known answer, or null. Makes no request. */
export const keepsKeys = async (
  { db, operation }: OfAccount,
  project_id: number,
): Promise<boolean | null> => {
  const name = `${project_id} ${operation.account}`;
  const had = memory(db).get(name);
  if (had !== undefined) return had;
  const source = (await db.catalogs.get([operation.account, project_id]))?.source;
  if (source === undefined) return null;
  memory(db).set(name, source === 'server');
  return source === 'server';
};

/** Like `keepsKeys`, but asks the server if this laptop does not know. */
export const askKeepsKeys = async (
  context: OfAccount & Pick<SendContext, 'host'>,
  project_id: number,
): Promise<Result<boolean>> => {
  const here = await keepsKeys(context, project_id);
  if (here !== null) return ok(here);
  const answer = await context.host.request('catalog.show', { params: { project_id } });
  if (!answer.ok && answer.problem.kind !== 'gone') return answer;
  memory(context.db).set(`${project_id} ${context.operation.account}`, answer.ok);
  return ok(answer.ok);
};

/** True if the server may have executed the operation unnoticed and would execute it again (outbox promise 2). */
export const mayBeDouble = async (
  context: SendContext,
  project_id: number,
): Promise<Result<boolean>> => {
  const { attempts, checkpoint } = context.operation;
  const unknown = attempts > 1 || checkpoint.restored === true || checkpoint.exported === true;
  if (!unknown) return ok(false);
  if (isKeyOver(context.operation, context.clock.now())) return ok(true);
  const keeps = await askKeepsKeys(context, project_id);
  return keeps.ok ? ok(!keeps.value) : keeps;
};
