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
import type { HandlersOf } from '../handler.ts';

type AccessEndpoint =
  | 'me.show'
  | keyof typeof userEndpoints
  | keyof typeof tokenEndpoints
  | keyof typeof enrolmentEndpoints
  | keyof typeof shiftEndpoints;

export const accessHandlers: HandlersOf<AccessEndpoint> = {
  'me.show': (call) => showMe(call.db, call),
  'company_users.list': ({ db, company_id, query }) => users.listUsers(db, company_id, query),
  'company_users.create': ({ db, company_id, body, now }) =>
    users.createUser(db, company_id, body.user, now),
  'company_users.show': ({ db, company_id, params }) => users.showUser(db, company_id, params.id),
  'company_users.update': ({ db, company_id, params, body, if_match, now }) =>
    users.updateUser(db, company_id, params.id, body.user, { now, if_match }),
  'my_tokens.list': ({ db, company_id, user, token, query }) =>
    tokens.listOwnTokens(db, { company_id, user_id: user.id }, token, query),
  'my_tokens.create': async ({ db, company_id, user, access, token, body, now }) => {
    await refuseAccount(db, user.id);
    const of = { company_id, user_id: user.id };
    const asking = { asking: token, level: access.level };
    return { data: await tokens.createToken(db, of, asking, body.token, now) };
  },
  'my_tokens.delete': async ({ db, company_id, user, params, token }) => {
    await tokens.revokeOwnToken(db, { company_id, user_id: user.id }, token, params.id);
    return { data: undefined };
  },
  'user_tokens.list': ({ db, company_id, params, query }) =>
    tokens.listTokensOfUser(db, { company_id, user_id: params.user_id }, query),
  'user_tokens.delete': async ({ db, company_id, params }) => {
    await tokens.revokeTokenOfUser(db, { company_id, user_id: params.user_id }, params.id);
    return { data: undefined };
  },
  'enrolment_codes.list': ({ db, company_id, now, query }) =>
    enrolment.listCodes(db, company_id, now, query),
  'enrolment_codes.create': {
    prepare: async ({ app, company_id, user, token, body, now }) => {
      const insert = await enrolment.createCode({
        company_id,
        user_id: body.enrolment_code.user_id,
        author: user,
        asking: token,
        now,
        window: app.options['enrolment-window'],
      });
      return async ({ db }) => ({ data: await insert(db) });
    },
  },
  'enrolment_codes.delete': async ({ db, company_id, params }) => {
    await enrolment.withdrawCode(db, company_id, params.id);
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
