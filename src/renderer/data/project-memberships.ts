/**
 * Members of a project: who is in as this laptop knows it, who comes and who goes. Every change is one entry of the project's
 * lane of members, then the host's journal, then the answer: it works the same with no network.
 */
import { fail, ok, type Result } from '../../contract/problem.ts';
import { BULK_REMOVE_MAX } from '../../contract/rest/project-memberships.ts';
import { factsOf } from '../entries/entry.ts';
import { membership as queued } from '../entries/queued.ts';
import { dropEntry } from '../outbox/enqueue.ts';
import { neverDone } from '../outbox/entry.ts';
import { changeQueue, enqueueIn, type Place } from './company-change.ts';
import type { Deps } from './db.ts';
import { membersLane, type MemberView, showMembers } from './membership-rows.ts';
import { memberIds } from './membership-server.ts';
import type { RefreshScope } from './refresh.ts';

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

/** Brings the members up to date: a whole list takes the place of the one before, but for what was written here meanwhile. */
export const refreshMembers = async (
  deps: Deps,
  { account, project_id }: Place,
): Promise<Result<null>> => {
  const { db, clock } = deps;
  const started_at = clock.tick();
  const members = await memberIds(deps, project_id);
  if (!members.ok) return members;
  await db.transaction('rw', db.memberships, async () => {
    const seen_at = clock.tick();
    const here = await db.memberships
      .where('[account+project_id+party_id]')
      .between([account, project_id, -Infinity], [account, project_id, Infinity])
      .toArray();
    const newer = new Set(
      here.filter((row) => row.seen_at > started_at).map(({ party_id }) => party_id),
    );
    const gone = here.filter(
      ({ party_id }) => !members.value.has(party_id) && !newer.has(party_id),
    );
    await db.memberships.bulkDelete(
      gone.map((row): [string, number, number] => [account, project_id, row.party_id]),
    );
    await db.memberships.bulkPut(
      [...members.value].map(([party_id, server_id]) => ({
        account,
        project_id,
        party_id,
        server_id,
        seen_at,
      })),
    );
  });
  return ok(null);
};
