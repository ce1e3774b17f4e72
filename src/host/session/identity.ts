/**
 * Looks up who a token belongs to on a server, and what it may access. Stores nothing. On a server without `/me` (decisions
 * §4.4), the token's fingerprint identifies its user.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { sessionView } from '../../contract/host.ts';
import { level, type Level } from '../../contract/rest/access/levels.ts';
import { fail, ok, type Problem, type Result } from '../../contract/problem.ts';
import type { Me } from '../../contract/rest/me.ts';
import { normaliseAddress } from '../http/address.ts';
import type { Api, Target } from '../http/request.ts';

/** The content of `session.json`: everything but the token. */
export const storedSchema = sessionView
  .pick({
    kind: true,
    address: true,
    account: true,
    company: true,
    project: true,
    user: true,
    level: true,
    signed_in_with: true,
  })
  .extend({
    version: z.literal(1),
    signed_out: z.boolean(),
    /** The user of the sample data; null: its admin. */
    sample_user: level.nullable().default(null),
  });
export type Stored = z.infer<typeof storedSchema>;

/** What `describe` cannot ask the server for. */
interface Described {
  readonly signed_in_with?: string | null | undefined;
  readonly sample_user?: Level | null;
}

/** UUID of no upload. Requesting it tests a token on a server without `/me`, with no project known. */
const NO_UPLOAD = '00000000-0000-4000-8000-000000000000';

const badField = (name: 'project_id' | 'company_id', message: string): Result<never> =>
  fail({
    kind: 'bad_input',
    messages: [message],
    fields: { [name]: [message] },
    fault: name === 'project_id' ? 'project_unknown' : 'company_unknown',
  });

/** Identifies a token without revealing it. Used in the account name on a server that cannot identify its user. */
const fingerprint = (token: string): string =>
  `token-${createHash('sha256').update(`spotter account ${token}`).digest('hex').slice(0, 16)}`;

/** True if the server lacks this extension of ours: `gone`, or a 405. */
export const isMissing = (problem: Problem): boolean =>
  problem.kind === 'gone' || (problem.kind === 'refused' && problem.status === 405);

/** @param heard receives the server's time, in milliseconds since the epoch */
export const createIdentity = (api: Api, heard: (serverTime: number | null) => void) => {
  const whoIs = async (target: Target): Promise<Result<Me | null>> => {
    const answer = await api.call(target, 'me.show', { params: {} });
    if (answer.ok) {
      heard(answer.value.server_time);
      return ok(answer.value.data);
    }
    return isMissing(answer.problem) ? ok(null) : answer;
  };

  /** Tests a token on a server that lacks `/me`. Any response but a refusal of the token counts as valid. */
  const tokenCounts = async (target: Target): Promise<Result<null>> => {
    const probe = await api.call(target, 'uploads.show', {
      params: { company_id: target.company_id, uuid: NO_UPLOAD },
    });
    if (probe.ok || isMissing(probe.problem)) return ok(null);
    // Another implementation may send its 404 in a foreign format.
    const { problem } = probe;
    return problem.kind === 'broken_reply' && problem.status === 404 ? ok(null) : probe;
  };

  /** The project as this token sees it. `bad_input` if it is not accessible. */
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
    if (!me) return ok({ id: companyId, name: '', level: null });
    const found = me.companies.find((company) => company.id === companyId);
    return found
      ? ok({ id: found.id, name: found.name, level: found.level ?? null })
      : badField('company_id', `This token's user does not belong to company ${companyId}.`);
  };

  /** Builds the session record for a server, a token, a company and a project. Does not include the token. */
  const describe = async (
    kind: 'this_laptop' | 'local_company' | 'server',
    target: Target,
    projectId: number,
    { signed_in_with = null, sample_user = null }: Described = {},
  ): Promise<Result<Stored>> => {
    const me = await whoIs(target);
    if (!me.ok) return me;
    const company = findCompany(me.value, target.company_id);
    if (!company.ok) return company;
    const project = await findProject(target, me.value, projectId);
    if (!project.ok) return project;
    const user = me.value?.user ?? null;
    const { level, ...named } = company.value;
    const laptop = kind === 'local_company' ? 'local-company' : 'this-laptop';
    const server = kind === 'server' ? target.base : laptop;
    const who = user ? String(user.id) : kind === 'server' ? fingerprint(target.token) : 'me';
    return ok({
      version: 1,
      kind,
      address: kind === 'server' ? target.base : null,
      account: `${server}/${target.company_id}/${who}`,
      company: named,
      project: project.value,
      user,
      level,
      signed_in_with,
      signed_out: false,
      sample_user,
    });
  };

  /** Tries an address and a token before anything is stored. `me` is null on a server without `/me`. */
  const tryServer = async (
    address: string,
    token: string,
    companyId: number,
  ): Promise<Result<{ address: string; me: Me | null }>> => {
    const base = normaliseAddress(address);
    if (!base.ok) return base;
    const target = { base: base.value, token: token.trim(), company_id: companyId };
    const me = await whoIs(target);
    if (!me.ok) return me;
    if (me.value === null) {
      const counts = await tokenCounts(target);
      if (!counts.ok) return counts;
    }
    return ok({ address: base.value, me: me.value });
  };

  return { whoIs, tokenCounts, findProject, describe, tryServer };
};
export type Identity = ReturnType<typeof createIdentity>;
