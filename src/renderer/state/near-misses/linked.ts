/**
 * Opens the near miss that a mail's link names (decisions §16.7): changes to its project, finds it on this laptop or asks the server.
 */
import type { NearMissAddress } from '../../../contract/near-miss-link.ts';
import { ok, type Problem, type Result } from '../../../contract/problem.ts';
import { putServerCopies } from '../../data/near-misses/refresh-rows.ts';
import { app, type Scope } from '../app.svelte.ts';
import { sites } from '../session/sites.svelte.ts';

/** `moving`: the project changes, and the screen is made again in it. */
export type Opened =
  | { readonly kind: 'found'; readonly key: string }
  | { readonly kind: 'moving' | 'elsewhere' | 'no_project' | 'gone' }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** The link for which the project was changed. A server that refuses the project changes it back, which must not begin again. */
let moved_for: string | null = null;
/** The link to open after signing in. */
let waiting: string | null = null;

/** A link without a project to change to keeps its place until the user connects. Null: forget it. */
export const openAfterSignIn = (key: string | null): void => {
  waiting = key;
};

/** Returns the link to open after signing in, and forgets it. */
export const takeAfterSignIn = (): string | null => {
  const key = waiting;
  waiting = null;
  return key;
};

const changeProject = async (key: string, project_id: number): Promise<Opened> => {
  if (moved_for === key) return { kind: 'no_project' };
  if (sites.find(project_id) === undefined) await sites.refresh();
  const project = sites.find(project_id);
  if (project === undefined)
    return sites.problem === null
      ? { kind: 'no_project' }
      : { kind: 'problem', problem: sites.problem };
  moved_for = key;
  await sites.change(project);
  return { kind: 'moving' };
};

const findHere = async ({ account }: Scope, { id, number }: NearMissAddress) => {
  const row = await app.deps.db.near_misses
    .where('[account+server_id]')
    .equals([account, id])
    .first();
  return row?.full_number === number ? row.key : null;
};

/** Reads the record from the list or the recycle bin. It is `ok` too if the server shows no such record. */
const fetchRecord = async (scope: Scope, id: number): Promise<Result<null>> => {
  const { deps } = app;
  for (const name of ['near_misses.show', 'recycled_near_misses.show'] as const) {
    const asked_at = deps.clock.tick();
    const params = { project_id: scope.project_id, id };
    const answer = await deps.host.request(name, { params }, scope.account);
    if (!answer.ok && answer.problem.kind !== 'gone') return answer;
    if (!answer.ok) continue;
    await putServerCopies(deps, scope, [answer.value.data], asked_at);
    break;
  }
  return ok(null);
};

/** @param again the user asked for another attempt */
export const openLinked = async (
  key: string,
  address: NearMissAddress,
  again = false,
): Promise<Opened> => {
  const { scope } = app;
  if (scope === null || app.session.view?.kind !== 'server') return { kind: 'elsewhere' };
  if (scope.company_id !== address.company_id) return { kind: 'elsewhere' };
  if (again) moved_for = null;
  if (scope.project_id !== address.project_id) return changeProject(key, address.project_id);
  let found = await findHere(scope, address);
  if (found === null) {
    const asked = await fetchRecord(scope, address.id);
    if (!asked.ok) return { kind: 'problem', problem: asked.problem };
    found = await findHere(scope, address);
  }
  if (found === null) return { kind: 'gone' };
  moved_for = null;
  return { kind: 'found', key: found };
};
