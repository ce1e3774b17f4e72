/** [ours] /me (decisions §4.3), users, tokens, enrolment codes and shifts (decisions §12). */
import type { enrolmentEndpoints } from '../../../contract/rest/access/enrolment.ts';
import type { shiftEndpoints } from '../../../contract/rest/access/shifts.ts';
import type { tokenEndpoints } from '../../../contract/rest/access/tokens.ts';
import type { userEndpoints } from '../../../contract/rest/access/users.ts';
import { showMe } from '../../domain/me.ts';
import * as enrolment from '../../domain/access/enrolment.ts';
import { refuseAccount } from '../../domain/access/service-accounts.ts';
import * as shifts from '../../domain/access/shifts.ts';
import * as tokens from '../../domain/access/tokens.ts';
import * as users from '../../domain/access/users.ts';
import { recordAct, type Act } from '../../domain/evidence/admin-acts.ts';
import { actorOf } from '../context.ts';
import type { Call, HandlersOf } from '../handler.ts';

type AccessEndpoint =
  | 'me.show'
  | keyof typeof userEndpoints
  | keyof typeof tokenEndpoints
  | keyof typeof enrolmentEndpoints
  | keyof typeof shiftEndpoints;

/** What users do with their own tokens is no administrative act, unless they administer the company. */
const recordOwnToken = async (
  call: Call<'my_tokens.create' | 'my_tokens.delete'>,
  act: Act['act'],
  details: Act['details'] & object,
): Promise<void> => {
  const { db, user, access } = call;
  if (access.level !== 'admin') return;
  await recordAct(db, actorOf(call), { act, about_user_id: user.id, details });
};

export const accessHandlers: HandlersOf<AccessEndpoint> = {
  'me.show': (call) => showMe(call.db, call),
  'company_users.list': ({ db, company_id, query }) => users.listUsers(db, company_id, query),
  'company_users.create': (call) => users.createUser(call.db, actorOf(call), call.body.user),
  'company_users.show': ({ db, company_id, params }) => users.showUser(db, company_id, params.id),
  'company_users.update': (call) =>
    users.updateUser(call.db, actorOf(call), call.params.id, call.body.user, call.if_match),
  'my_tokens.list': ({ db, company_id, user, token, query }) =>
    tokens.listOwnTokens(db, { company_id, user_id: user.id }, token, query),
  'my_tokens.create': async (call) => {
    const { db, company_id, user, access, token, body, now } = call;
    await refuseAccount(db, user.id);
    const of = { company_id, user_id: user.id };
    const asking = { asking: token, level: access.level };
    const data = await tokens.createToken(db, of, asking, body.token, now);
    await recordOwnToken(call, 'token_created', { token_id: data.id, level: data.level });
    return { data };
  },
  'my_tokens.delete': async (call) => {
    const { db, company_id, user, params, token } = call;
    await tokens.revokeOwnToken(db, { company_id, user_id: user.id }, token, params.id);
    await recordOwnToken(call, 'token_revoked', { token_id: params.id });
    return { data: undefined };
  },
  'user_tokens.list': ({ db, company_id, params, query }) =>
    tokens.listTokensOfUser(db, { company_id, user_id: params.user_id }, query),
  'user_tokens.delete': async (call) => {
    const { db, company_id, params } = call;
    const { user_id, id } = params;
    await tokens.revokeTokenOfUser(db, { company_id, user_id }, id);
    const details = { token_id: id };
    await recordAct(db, actorOf(call), { act: 'token_revoked', about_user_id: user_id, details });
    return { data: undefined };
  },
  'enrolment_codes.list': ({ db, company_id, now, query }) =>
    enrolment.listCodes(db, company_id, now, query),
  'enrolment_codes.create': {
    prepare: async (call) => {
      const { app, company_id, user, token, body, now } = call;
      const insert = await enrolment.createCode({
        company_id,
        user_id: body.enrolment_code.user_id,
        author: user,
        asking: token,
        now,
        window: app.options['enrolment-window'],
      });
      return async ({ db }) => {
        const data = await insert(db);
        const details = { code_id: data.id };
        const about_user_id = data.user.id;
        await recordAct(db, actorOf(call), {
          act: 'enrolment_code_created',
          about_user_id,
          details,
        });
        return { data };
      };
    },
  },
  'enrolment_codes.delete': async (call) => {
    const { db, company_id, params } = call;
    await enrolment.withdrawCode(db, company_id, params.id);
    const details = { code_id: params.id };
    await recordAct(db, actorOf(call), { act: 'enrolment_code_withdrawn', details });
    return { data: undefined };
  },
  'enrolments.create': {
    prepare: async ({ body, now }) => {
      const take = await enrolment.enrol(body.enrolment, now);
      return async ({ db }) => ({ data: await take(db) });
    },
  },
  'shifts.list': ({ db, company_id, params, query }) =>
    shifts.listShifts(db, { company_id, project_id: params.project_id }, query),
  'shifts.create': async ({ db, company_id, params, user, now, app }) => {
    const where = { company_id, project_id: params.project_id };
    const times = { now, length: app.options['shift-length'] };
    return { data: await shifts.takeOverShift(db, where, user, times) };
  },
};
