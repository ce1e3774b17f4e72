/**
 * The plans of a project (decisions §17) and their pictures. The list and every picture that was seen stay on this laptop, so that a
 * pin can be set without a network. Changes work online only: they are made at a desk, with files of many megabytes.
 */
import { ulid } from 'ulid';
import { ok, type Result } from '../../../contract/problem.ts';
import { everyRow } from '../../../contract/rest/protocol/every-page.ts';
import type {
  Plan,
  PlanCreate,
  PlanDrawing,
  PlanPicture,
  PlanRevision,
  PlanUpdate,
} from '../../../contract/rest/plans/plans.ts';
import type { Deps } from '../db/db.ts';
import { sortPlans } from '../model/pin.ts';
import { fetchWhole } from '../photos/photos.ts';

interface Where {
  readonly account: string;
  readonly project_id: number;
}
type Asks = Pick<Deps, 'host' | 'db' | 'clock'>;

/** Plans that are read of a page. Each may have many revisions. */
const PAGE = 100;

const keep = async ({ db, clock }: Asks, where: Where, plans: readonly Plan[]): Promise<void> => {
  const { account, project_id } = where;
  await db.plans.put({ account, project_id, plans: sortPlans(plans), read_at: clock.now() });
};

/** Reads the plans. A server without plans has none. */
export const refreshPlans = async (deps: Asks, where: Where): Promise<Result<readonly Plan[]>> => {
  const { account, project_id } = where;
  const answer = await everyRow<Plan>(PAGE, (query) =>
    deps.host.request('plans.list', { params: { project_id }, query }, account),
  );
  if (answer.ok) await keep(deps, where, answer.value);
  else if (answer.problem.kind === 'gone') await keep(deps, where, []);
  return answer;
};

/** liveQuery: the plans as they were last read; undefined if they never were. */
export const plansOf = async (
  { db }: Pick<Deps, 'db'>,
  { account, project_id }: Where,
): Promise<readonly Plan[] | undefined> => (await db.plans.get([account, project_id]))?.plans;

const kept = async (
  deps: Asks,
  where: Where,
  change: (plans: readonly Plan[]) => readonly Plan[],
): Promise<void> => keep(deps, where, change((await plansOf(deps, where)) ?? []));

const putPlan = async (
  deps: Asks,
  where: Where,
  answer: Result<{ readonly data: Plan }>,
): Promise<Result<Plan>> => {
  if (!answer.ok) return answer;
  const plan = answer.value.data;
  await kept(deps, where, (plans) => [...plans.filter(({ id }) => id !== plan.id), plan]);
  return ok(plan);
};

export const createPlan = async (
  deps: Asks,
  where: Where,
  plan: PlanCreate,
): Promise<Result<Plan>> => {
  const { account, project_id } = where;
  const input = { params: { project_id }, body: { plan }, idempotency_key: ulid() };
  return putPlan(deps, where, await deps.host.request('plans.create', input, account));
};

export const addRevision = async (
  deps: Asks,
  where: Where,
  id: number,
  revision: PlanDrawing,
): Promise<Result<Plan>> => {
  const { account, project_id } = where;
  const input = { params: { project_id, id }, body: { revision }, idempotency_key: ulid() };
  return putPlan(deps, where, await deps.host.request('plan_revisions.create', input, account));
};

export const changePlan = async (
  deps: Asks,
  where: Where,
  id: number,
  plan: PlanUpdate,
): Promise<Result<Plan>> => {
  const { account, project_id } = where;
  const input = { params: { project_id, id }, body: { plan }, idempotency_key: ulid() };
  return putPlan(deps, where, await deps.host.request('plans.update', input, account));
};

export const deletePlan = async (deps: Asks, where: Where, id: number): Promise<Result<null>> => {
  const { account, project_id } = where;
  const input = { params: { project_id, id }, idempotency_key: ulid() };
  const answer = await deps.host.request('plans.delete', input, account);
  if (!answer.ok && answer.problem.kind !== 'gone') return answer;
  await kept(deps, where, (plans) => plans.filter((one) => one.id !== id));
  return ok(null);
};

/** Pictures of plans on this laptop; those used longest ago are deleted first. */
const PICTURES_MAX = 150;

const pictureKey = (account: string, sha256: string): string => `${account} ${sha256}`;

/** A picture from this laptop, else from the server. */
export const planPicture = async (
  deps: Asks,
  { account, project_id }: Where,
  plan_id: number,
  picture: PlanPicture,
): Promise<Result<Blob>> => {
  const { db, host, clock } = deps;
  const key = pictureKey(account, picture.sha256);
  const had = await db.plan_pictures.get(key);
  if (had) {
    void db.plan_pictures.update(key, { used_at: clock.now() }).catch(() => undefined);
    return ok(had.picture);
  }
  const file = {
    project_id,
    near_miss_id: null,
    plan_id,
    attachment_id: picture.id,
    variant: 'full',
  } as const;
  const got = await fetchWhole({ host }, file, {});
  if (!got.ok) return got;
  await db.transaction('rw', db.plan_pictures, async () => {
    await db.plan_pictures.put({ key, picture: got.value, used_at: clock.now() });
    const over = (await db.plan_pictures.count()) - PICTURES_MAX;
    if (over > 0) await db.plan_pictures.orderBy('used_at').limit(over).delete();
  });
  return got;
};

/** The smallest picture that is at least so wide; the largest if none is. */
export const pictureFor = (
  { pictures }: Pick<PlanRevision, 'pictures'>,
  width: number,
): PlanPicture | undefined => pictures.find((picture) => picture.width >= width) ?? pictures.at(-1);
