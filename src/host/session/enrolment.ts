/**
 * Exchanges an enrolment code for a token (decisions §12.5). A server accepts a code once, so its token stays in memory until the
 * session is connected with it: choosing the project, or a broken connection meanwhile, costs no second code. No window sees it.
 */
import { hostname } from 'node:os';
import { readEnrolmentCode } from '../../contract/rest/access/enrolment.ts';
import { fail, ok, type InputFault, type Problem, type Result } from '../../contract/problem.ts';
import type { Me } from '../../contract/rest/me.ts';
import { normaliseAddress } from '../http/address.ts';
import type { Api, Target } from '../http/request.ts';
import { isMissing, type Identity } from './identity.ts';

const badCode = (fault: InputFault, message: string): Result<never> =>
  fail({ kind: 'bad_input', messages: [message], fields: { code: [message] }, fault });

/** A server without our extension refuses the request for its missing token, or does not know the address. */
const faultOf = (problem: Problem): Result<never> => {
  if (isMissing(problem) || problem.kind === 'signed_out')
    return badCode('code_unsupported', 'The server has no enrolment codes.');
  return problem.kind === 'refused' && problem.fields['enrolment.code'] !== undefined
    ? badCode('code_refused', 'The server refused the code.')
    : fail(problem);
};

export const createEnrolments = (api: Api, { whoIs }: Identity) => {
  let last: { readonly code: string; readonly target: Target } | null = null;

  const exchange = async (address: string, typed: string): Promise<Result<Target>> => {
    const base = normaliseAddress(address);
    if (!base.ok) return base;
    const code = readEnrolmentCode(typed);
    if (code === null) return badCode('code_unreadable', 'This is no enrolment code.');
    if (last?.code === code && last.target.base === base.value) return ok(last.target);
    const name = hostname().trim().slice(0, 255);
    const nobody = { base: base.value, token: '', company_id: 0 };
    const answer = await api.call(nobody, 'enrolments.create', {
      params: {},
      body: { enrolment: { code, ...(name === '' ? {} : { name }) } },
    });
    if (!answer.ok) return faultOf(answer.problem);
    const { token, company } = answer.value.data;
    last = { code, target: { base: base.value, token, company_id: company.id } };
    return ok(last.target);
  };

  const enrol = async (
    address: string,
    code: string,
  ): Promise<Result<{ address: string; company_id: number; me: Me | null }>> => {
    const target = await exchange(address, code);
    if (!target.ok) return target;
    const me = await whoIs(target.value);
    const { base, company_id } = target.value;
    return me.ok ? ok({ address: base, company_id, me: me.value }) : me;
  };

  return { exchange, enrol, forget: () => void (last = null) };
};
export type Enrolments = ReturnType<typeof createEnrolments>;
