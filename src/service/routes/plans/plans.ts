/** [ours] Plans of a project (decisions §17). */
import type { PlanDrawing, planEndpoints } from '../../../contract/rest/plans/plans.ts';
import * as rules from '../../domain/plans.ts';
import { filesContext } from '../context.ts';
import type { Call, HandlersOf } from '../handler.ts';

type PlanEndpoint = keyof typeof planEndpoints;

/** Reads what the uploads are, before the transaction. */
const read = async (
  { app, db, company_id, user }: Call<'plans.create'> | Call<'plan_revisions.create'>,
  drawing: PlanDrawing,
): Promise<rules.ReadFiles> => {
  const owner = { company_id, user_id: user.id };
  await app.uploads.settle(owner, rules.uuidsOf(drawing));
  return rules.readFiles(db, app.uploads.files, owner, drawing);
};

export const planHandlers: HandlersOf<PlanEndpoint> = {
  'plans.list': (call) => rules.listPlans(filesContext(call), call.query),
  'plans.create': {
    prepare: async (call) => {
      const files = await read(call, call.body.plan);
      return (inside) => rules.createPlan(filesContext(inside), inside.body.plan, files);
    },
  },
  'plans.show': (call) => rules.showPlan(filesContext(call), call.params.id),
  'plans.update': (call) =>
    rules.updatePlan(filesContext(call), call.params.id, call.body.plan, call.if_match),
  'plans.delete': async (call) => {
    await rules.deletePlan(filesContext(call), call.params.id, call.if_match);
    return { data: undefined };
  },
  'plan_revisions.create': {
    prepare: async (call) => {
      const files = await read(call, call.body.revision);
      return (inside) => {
        const { params, body, if_match } = inside;
        return rules.createRevision(
          filesContext(inside),
          params.id,
          body.revision,
          files,
          if_match,
        );
      };
    },
  },
};
