/**
 * Who a token belongs to on a server, and what it may work on: asked, never kept here. Works on a server without `/me`
 * (decisions §4.4), where the token's fingerprint stands for its user.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { sessionView } from '../contract/host.ts';
import { fail, ok, type Problem, type Result } from '../contract/problem.ts';
import type { Me } from '../contract/rest/me.ts';
import type { Api, Target } from './request.ts';

/** What `session.json` keeps: everything but the token. */
export const storedSchema = sessionView
  .pick({ kind: true, address: true, account: true, company: true, project: true, user: true })
  .extend({ version: z.literal(1), signed_out: z.boolean() });
export type Stored = z.infer<typeof storedSchema>;

/** An upload nobody has: asks a server without `/me` whether a token counts, without knowing a project. */
const NO_UPLOAD = '00000000-0000-4000-8000-000000000000';

const badField = (name: 'project_id' | 'company_id', message: string): Result<never> =>
  fail({
    kind: 'bad_input',
    messages: [message],
    fields: { [name]: [message] },
    fault: name === 'project_id' ? 'project_unknown' : 'company_unknown',
  });

/** Names a token without telling it: for an account on a server that cannot say who the user is. */
const fingerprint = (token: string): string =>
  `token-${createHash('sha256').update(`spotter account ${token}`).digest('hex').slice(0, 16)}`;

/** `gone`, or a 405: the server lacks this addition of ours. */
export const isMissing = (problem: Problem): boolean =>
  problem.kind === 'gone' || (problem.kind === 'refused' && problem.status === 405);

/** `heard`: what the server's clock said, milliseconds since the epoch. */
export const createIdentity = (api: Api, heard: (serverTime: number | null) => void) => {
  const whoIs = async (target: Target): Promise<Result<Me | null>> => {
    const answer = await api.call(target, 'me.show', { params: {} });
    if (answer.ok) {
      heard(answer.value.server_time);
      return ok(answer.value.data);
    }
    return isMissing(answer.problem) ? ok(null) : answer;
  };

  /** Does the token count, on a server that lacks `/me`? Any answer but a refusal of the token says yes. */
  const tokenCounts = async (target: Target): Promise<Result<null>> => {
    const probe = await api.call(target, 'uploads.show', {
      params: { company_id: target.company_id, uuid: NO_UPLOAD },
    });
    if (probe.ok || isMissing(probe.problem)) return ok(null);
    // Of a server of another make, in words of its own.
    const { problem } = probe;
    return problem.kind === 'broken_reply' && problem.status === 404 ? ok(null) : probe;
  };

  /** A project as this token sees it; `bad_input` where it is not there. */
  const findProject = async (
    target: Target,
    me: Me | null,
    projectId: number,
  ): Promise<Result<{ id: number; name: string }>> => {
    const missing = `There is no project ${projectId} for this token in company ${target.company_id}.`;
    if (me) {
      const found = me.projects.find(
        (project) => project.id === projectId && project.company_id === target.company_id,
      );
      return found ? ok({ id: found.id, name: found.name }) : badField('project_id', missing);
    }
    const asked = await api.call(target, 'near_misses.list', {
      params: { project_id: projectId },
      query: { per_page: 1 },
    });
    if (asked.ok) return ok({ id: projectId, name: '' });
    return asked.problem.kind === 'gone' ? badField('project_id', missing) : asked;
  };

  const findCompany = (me: Me | null, companyId: number) => {
    if (!me) return ok({ id: companyId, name: '' });
    const found = me.companies.find((company) => company.id === companyId);
    return found
      ? ok({ id: found.id, name: found.name })
      : badField('company_id', `This token's user does not belong to company ${companyId}.`);
  };

  /** Everything about a server, a token, a company and a project that the session keeps; the token is not in it. */
  const describe = async (
    kind: 'this_laptop' | 'own_firm' | 'server',
    target: Target,
    projectId: number,
  ): Promise<Result<Stored>> => {
    const me = await whoIs(target);
    if (!me.ok) return me;
    const company = findCompany(me.value, target.company_id);
    if (!company.ok) return company;
    const project = await findProject(target, me.value, projectId);
    if (!project.ok) return project;
    const user = me.value?.user ?? null;
    const laptop = kind === 'own_firm' ? 'own-firm' : 'this-laptop';
    const server = kind === 'server' ? target.base : laptop;
    const who = user ? String(user.id) : kind === 'server' ? fingerprint(target.token) : 'me';
    return ok({
      version: 1,
      kind,
      address: kind === 'server' ? target.base : null,
      account: `${server}/${target.company_id}/${who}`,
      company: company.value,
      project: project.value,
      user,
      signed_out: false,
    });
  };

  return { whoIs, tokenCounts, findProject, describe };
};
