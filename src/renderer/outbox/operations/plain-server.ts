/**
 * Does this server remember idempotency keys (decisions §1.5)? No answer says so, but the additions come together: one that
 * has the catalog has the keys. What is known is kept for the window's life, because the catalog is a large row.
 */
import { ok, type Result } from '../../../contract/problem.ts';
import type { SpotterDb } from '../../data/db.ts';
import type { SendContext } from './operation.ts';

interface OfAccount extends Pick<SendContext, 'db'> {
  readonly entry: Pick<SendContext['entry'], 'account'>;
}

const known = new WeakMap<SpotterDb, Map<string, boolean>>();

const memory = (db: SpotterDb): Map<string, boolean> => {
  const had = known.get(db) ?? new Map<string, boolean>();
  known.set(db, had);
  return had;
};

/** As far as this laptop knows, null where it does not. Costs no request. */
export const keepsKeys = async (
  { db, entry }: OfAccount,
  project_id: number,
): Promise<boolean | null> => {
  const name = `${project_id} ${entry.account}`;
  const had = memory(db).get(name);
  if (had !== undefined) return had;
  const source = (await db.catalogs.get([entry.account, project_id]))?.source;
  if (source === undefined) return null;
  memory(db).set(name, source === 'server');
  return source === 'server';
};

/** The same; where this laptop does not know, the server is asked. */
export const askKeepsKeys = async (
  context: OfAccount & Pick<SendContext, 'host'>,
  project_id: number,
): Promise<Result<boolean>> => {
  const here = await keepsKeys(context, project_id);
  if (here !== null) return ok(here);
  const answer = await context.host.request('catalog.show', { params: { project_id } });
  if (!answer.ok && answer.problem.kind !== 'gone') return answer;
  memory(context.db).set(`${project_id} ${context.entry.account}`, answer.ok);
  return ok(answer.ok);
};

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
