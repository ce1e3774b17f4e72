/**
 * Confirms a 401 or 403 with `/me`, because a proxy may have answered instead of the server. A confirmed 401 signs the
 * session out and leaves the queue as it is. A refused token is probed again at intervals.
 */
import { z } from 'zod';
import { fail, type Problem, type Result } from '../../contract/problem.ts';
import { codeOf } from '../lib/log.ts';
import type { Target } from '../http/request.ts';
import { isMissing, type Identity } from './identity.ts';
import { isHere, type SessionState } from './session-state.ts';
import type { Renewal } from './sign-in/renewal.ts';
import type { Session, SessionParts } from './session-types.ts';

/** A response that includes the server's time. */
const timed = z.object({ server_time: z.number() });

const isForbidden = (problem: Problem): problem is Extract<Problem, { kind: 'refused' }> =>
  problem.kind === 'refused' && problem.status === 403;

/** Minimum interval between retries of a refused token, in milliseconds. */
const ASK_AGAIN_MS = 30_000;

/** Something other than the server answered, or the server no longer responds. */
const unconfirmed = (status: number): Problem => ({
  kind: 'broken_reply',
  status,
  looks_like: 'garbage',
  detail: 'the server itself did not confirm it',
});

export const createRefusals = (
  state: SessionState,
  { tokenCounts }: Identity,
  { api, services, clock, log }: SessionParts,
  { renew }: Renewal,
) => {
  let askedAgainAt = -Infinity;

  /** Ignores a refused token that was replaced meanwhile. */
  const refused = (used: Target): Promise<void> =>
    state.inTurn(async () => {
      if (state.stored.signed_out || state.stored.kind === null || state.refusedToken !== null)
        return;
      const service = isHere(state.stored.kind)
        ? await services[state.stored.kind].running()
        : null;
      const current = service?.ok ? service.value.token : state.token;
      if (current !== used.token) return;
      log({ level: 'warn', message: 'the server refused the token: signed out' });
      state.refusedToken = used.token;
      askedAgainAt = clock.monotonic();
      state.changed();
    });

  /** Pending `/me` requests by target. Concurrent callers share one. */
  const questions = new Map<string, Promise<Result<unknown>>>();
  const askMe = (used: Target): Promise<Result<unknown>> => {
    const key = `${used.base} ${used.company_id} ${used.token}`;
    const asked =
      questions.get(key) ??
      api
        .call(used, 'me.show', { params: {} })
        .then(async (answer) =>
          !answer.ok && isMissing(answer.problem) ? tokenCounts(used) : answer,
        )
        .finally(() => questions.delete(key));
    questions.set(key, asked);
    return asked;
  };

  /** True if the server itself answers the list that every server has. Then it may lack another address. */
  const answersMainList = async (used: Target): Promise<boolean> => {
    const project_id = state.stored.project?.id;
    if (project_id === undefined) return false;
    const query = { per_page: 1 };
    return (await api.call(used, 'near_misses.list', { params: { project_id }, query })).ok;
  };

  const believe: Session['believe'] = async (used, result) => {
    if (result.ok) {
      const { data } = timed.safeParse(result.value);
      state.note(data?.server_time ?? null);
      return result;
    }
    const { problem } = result;
    const forbidden = isForbidden(problem);
    const lacks = problem.kind === 'gone' && problem.unconfirmed === true;
    if (problem.kind !== 'signed_out' && !forbidden && !lacks) return result;
    if (lacks) {
      const { status, messages } = problem;
      return (await answersMainList(used))
        ? fail({ kind: 'gone', status, messages })
        : fail(unconfirmed(status));
    }
    const me = await askMe(used);
    if (!me.ok && me.problem.kind === 'signed_out') {
      if (state.grant === null) {
        await refused(used);
        return me;
      }
      // The request was refused, so it may be sent again with the new bearer, or with the one that replaced it meanwhile.
      const renewed = await renew(used.token);
      return renewed.ok ? fail({ kind: 'busy', retry_after_ms: 0 }) : renewed;
    }
    const asked = me.ok ? null : me.problem;
    if (asked !== null && isForbidden(asked))
      return fail({ kind: 'no_access', messages: asked.messages });
    if (me.ok && forbidden) return result;
    return fail(unconfirmed(forbidden ? 403 : 401));
  };

  const askAgain: Session['askAgain'] = () => {
    const again = state.refusedToken;
    // A sign-in that could not be renewed needs its user.
    if (
      again === null ||
      state.grant !== null ||
      state.stored.kind === null ||
      state.stored.company === null
    )
      return;
    if (clock.monotonic() - askedAgainAt < ASK_AGAIN_MS) return;
    askedAgainAt = clock.monotonic();
    const { kind, address, company } = state.stored;
    const used = async (): Promise<Target | null> => {
      if (!isHere(kind)) return { base: address ?? '', token: again, company_id: company.id };
      const service = await services[kind].running();
      return service.ok
        ? { base: service.value.url, token: service.value.token, company_id: company.id }
        : null;
    };
    const heal = async (): Promise<void> => {
      const target = await used();
      if (target === null || !(await askMe(target)).ok) return;
      await state.inTurn(async () => {
        if (state.refusedToken !== again) return;
        state.refusedToken = null;
        log({ level: 'warn', message: 'the server takes the token again: signed in' });
        state.changed();
      });
    };
    void heal().catch((error: unknown) =>
      log({ level: 'error', message: 'session', code: codeOf(error) }),
    );
  };

  return { believe, askAgain };
};
