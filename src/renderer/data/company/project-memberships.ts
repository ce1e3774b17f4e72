/**
 * Members of a project: who is in as this laptop knows it, who comes and who goes. Every change is one entry of the project's
 * lane of members, then the host's journal, then the answer: it works the same with no network.
 */
import { fail, ok, type Result } from '../../../contract/problem.ts';
import {
  BULK_REMOVE_MAX,
  type ProjectMembership,
} from '../../../contract/rest/project-memberships.ts';
import { factsOf } from '../../entries/entry.ts';
import { membership as queued } from '../../entries/queued.ts';
import { dropEntry } from '../../outbox/enqueue.ts';
import { neverDone } from '../../outbox/entry-life.ts';
import { changeQueue } from '../../outbox/change.ts';
import { enqueueIn, type Place } from '../waiting-entries.ts';
import type { Deps, MembershipRow } from '../db.ts';
import { membersLane, type MemberView, showMembers } from './membership-rows.ts';
import { mirror } from '../mirror.ts';
import type { RefreshScope } from '../refresh.ts';

const noTables = () => [];

/** liveQuery: members with what waits on top. */
export const listMembers = async (
  { db }: Pick<Deps, 'db'>,
  { account, project_id }: Place,
): Promise<readonly MemberView[]> => {
  const rows = await db.memberships
    .where('[account+project_id+party_id]')
    .between([account, project_id, -Infinity], [account, project_id, Infinity])
    .toArray();
  const lane = membersLane(account, project_id);
  return showMembers(rows, await db.entries.where('lane').equals(lane).sortBy('seq'));
};

/** `about`: what is said of it while it waits: the person's name, or how many. */
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

/** Requests that a removal of so many takes: the API processes 1,000 of each and ignores the rest (reference: Limits). */
export const removalRequests = (people: number): number => Math.ceil(people / BULK_REMOVE_MAX);

/** `about` of each request: of how many people it is. */
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
 * Takes back what waits for one person, where it is an entry of this person alone that was never sent. `conflict`: the server may
 * have it, or others are in the same request.
 */
export const takeBackMember = async (deps: Deps, member: MemberView): Promise<Result<null>> => {
  const done = await changeQueue(deps, noTables, async (change) => {
    const last = member.waiting.at(-1);
    const entry = last === undefined ? undefined : await deps.db.entries.get(last.id);
    const facts = factsOf(entry?.kind ?? '');
    const alone = facts?.record === 'membership' && !facts.many;
    if (entry === undefined || !alone || !neverDone(entry)) return false;
    await dropEntry(deps.db, change, entry);
    return true;
  });
  if (!done.ok) return done;
  return done.value ? ok(null) : fail({ kind: 'conflict', status: 409, messages: [] });
};

/** Brings the members up to date. */
export const refreshMembers = async (
  deps: Deps,
  { account, project_id }: Place,
): Promise<Result<null>> => {
  const { memberships } = deps.db;
  const keyOf = (party_id: number): [string, number, number] => [account, project_id, party_id];
  const done = await mirror<ProjectMembership, MembershipRow>(deps, {
    table: memberships,
    ask: (query) =>
      deps.host.request('project_memberships.list', { params: { project_id }, query }),
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
