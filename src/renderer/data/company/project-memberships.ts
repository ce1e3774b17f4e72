/**
 * Edits and reads the members of a project. Every change is one operation in the project's lane of members, then the
 * host's journal, then the result, so it works the same offline.
 */
import { fail, ok, type Result } from '../../../contract/problem.ts';
import {
  BULK_REMOVE_MAX,
  type ProjectMembership,
} from '../../../contract/rest/project-memberships.ts';
import { traitsOf } from '../../operations/operation.ts';
import { membership as queued } from '../../operations/queued.ts';
import { dropOperation } from '../../outbox/queue/enqueue.ts';
import { provablyNotSent } from '../../outbox/queue/operation-life.ts';
import { changeQueue } from '../../outbox/queue/change.ts';
import { enqueueIn, type Place } from '../near-misses/pending-operations.ts';
import type { Deps, MembershipRow } from '../db/db.ts';
import { membersLane, type MemberView, showMembers } from './membership-rows.ts';
import { mirror } from '../db/mirror.ts';
import type { RefreshScope } from '../near-misses/refresh-rows.ts';

const noTables = () => [];

/** liveQuery: members with pending changes applied. */
export const listMembers = async (
  { db }: Pick<Deps, 'db'>,
  { account, project_id }: Place,
): Promise<readonly MemberView[]> => {
  const rows = await db.memberships
    .where('[account+project_id+party_id]')
    .between([account, project_id, -Infinity], [account, project_id, Infinity])
    .toArray();
  const lane = membersLane(account, project_id);
  return showMembers(rows, await db.operations.where('lane').equals(lane).sortBy('seq'));
};

/** `about`: the label of the pending operation, a person's name or a count. */
export const addMembers = (
  deps: Deps,
  { account, company_id, project_id }: RefreshScope,
  party_ids: readonly number[],
  about: string,
): Promise<Result<null>> =>
  changeQueue(deps, noTables, async (change) => {
    const base = { key: membersLane(account, project_id), company_id, project_id, about };
    const [only] = party_ids;
    const made =
      party_ids.length === 1 && only !== undefined
        ? queued.create({ ...base, party_id: only })
        : queued.bulkAdd({ ...base, party_ids: [...party_ids] });
    await enqueueIn(deps, change, account, made);
    return null;
  });

/**
 * Number of requests for removing this many people: the API processes 1,000 per request and ignores the rest
 * (reference: Limits).
 */
export const removalRequests = (people: number): number => Math.ceil(people / BULK_REMOVE_MAX);

/** @param about labels a request by its number of people */
export const removeMembers = (
  deps: Deps,
  { account, company_id, project_id }: RefreshScope,
  members: readonly MemberView[],
  about: (people: number) => string,
): Promise<Result<null>> =>
  changeQueue(deps, noTables, async (change) => {
    const base = { key: membersLane(account, project_id), company_id, project_id };
    const [only] = members;
    if (members.length === 1 && only !== undefined) {
      const { party_id, server_id } = only;
      const made = queued.delete({ ...base, party_id, server_id, about: about(1) });
      await enqueueIn(deps, change, account, made);
      return null;
    }
    for (let at = 0; at < members.length; at += BULK_REMOVE_MAX) {
      const party_ids = members.slice(at, at + BULK_REMOVE_MAX).map(({ party_id }) => party_id);
      const about_these = about(party_ids.length);
      const made = queued.bulkRemove({ ...base, party_ids, about: about_these });
      await enqueueIn(deps, change, account, made);
    }
    return null;
  });

/**
 * Cancels the last pending change of a member, if its operation is for this person alone and was never sent. `conflict`:
 * the server may have it, or the operation includes others.
 */
export const takeBackMember = async (deps: Deps, member: MemberView): Promise<Result<null>> => {
  const done = await changeQueue(deps, noTables, async (change) => {
    const last = member.waiting.at(-1);
    const operation = last === undefined ? undefined : await deps.db.operations.get(last.id);
    const facts = traitsOf(operation?.kind ?? '');
    const alone = facts?.record === 'membership' && !facts.many;
    if (operation === undefined || !alone || !provablyNotSent(operation)) return false;
    await dropOperation(deps.db, change, operation);
    return true;
  });
  if (!done.ok) return done;
  return done.value ? ok(null) : fail({ kind: 'conflict', status: 409, messages: [] });
};

export const refreshMembers = async (
  deps: Deps,
  { account, project_id }: Place,
): Promise<Result<null>> => {
  const { memberships } = deps.db;
  const keyOf = (party_id: number): [string, number, number] => [account, project_id, party_id];
  const done = await mirror<ProjectMembership, MembershipRow>(deps, {
    table: memberships,
    ask: (query) =>
      deps.host.request('project_memberships.list', { params: { project_id }, query }, account),
    known: async (copies) => {
      const rows = await memberships.bulkGet(copies.map(({ party_id }) => keyOf(party_id ?? 0)));
      return rows.filter((row) => row !== undefined);
    },
    idOf: ({ party_id }) => party_id ?? null,
    rowIdOf: ({ party_id }) => party_id,
    rowOf: ({ id, party_id }, _had, seen_at) => ({
      account,
      project_id,
      party_id: party_id ?? 0,
      server_id: id,
      seen_at,
    }),
    held: () =>
      memberships
        .where('[account+project_id+party_id]')
        .between(keyOf(-Infinity), keyOf(Infinity))
        .toArray(),
    drop: (rows) => memberships.bulkDelete(rows.map(({ party_id }) => keyOf(party_id))),
  });
  return done.ok ? ok(null) : done;
};
