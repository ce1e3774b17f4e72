/**
 * How members of a project are sent (reference: Project memberships; decisions §7). An adding answers the party and no membership,
 * so that its id comes with the next refresh.
 */
import { ok } from '../../../../contract/problem.ts';
import type { Place } from '../../../data/waiting-entries.ts';
import type { SpotterDb } from '../../../data/db.ts';
import { memberIds } from '../../../data/company/membership-server.ts';
import { noRows, type Operation } from '../operation.ts';
import { mayBeDouble } from '../plain-server.ts';
import { removal } from '../removal.ts';

/** Inside the settling transaction: they are in; their memberships' ids are known with the next refresh. */
const putMembers = async (
  db: SpotterDb,
  { account, project_id }: Place,
  party_ids: readonly number[],
  seen_at: number,
): Promise<void> => {
  const keys = party_ids.map((id): [string, number, number] => [account, project_id, id]);
  const known = await db.memberships.bulkGet(keys);
  await db.memberships.bulkPut(
    party_ids.map((party_id, at) => ({
      account,
      project_id,
      party_id,
      seen_at,
      server_id: known[at]?.server_id ?? null,
    })),
  );
};

const dropMembers = (
  db: SpotterDb,
  { account, project_id }: Place,
  party_ids: readonly number[],
): Promise<void> =>
  db.memberships.bulkDelete(
    party_ids.map((id): [string, number, number] => [account, project_id, id]),
  );

/** What a bulk write came to, as the members' screen tells it. */
export interface MembersOutcome {
  readonly done: readonly number[];
  /** Of a removal: skipped. Of an adding: members already. */
  readonly left: readonly number[];
}

/** Where an earlier try may have done it, a server that keeps no keys is asked first: it refuses who is a member already. */
export const membershipCreateOperation: Operation<'membership.create', readonly number[]> = {
  rows: noRows,

  async send({ project_id, party_id }, context) {
    const double = await mayBeDouble(context, project_id);
    if (!double.ok) return double;
    if (double.value) {
      const members = await memberIds(context, project_id);
      if (!members.ok) return members;
      if (members.value.has(party_id)) return ok([party_id]);
    }
    const answer = await context.host.request('project_memberships.create', {
      params: { project_id },
      body: { project_membership: { party_id } },
      idempotency_key: context.entry.id,
    });
    return answer.ok ? ok([party_id]) : answer;
  },

  async settle({ project_id }, added, { db, entry, seen_at }) {
    await putMembers(db, { account: entry.account, project_id }, added, seen_at);
    return [];
  },
};

/** The membership's id is asked for where this laptop does not know it. */
export const membershipDeleteOperation: Operation<'membership.delete', number | null> = {
  rows: noRows,

  async send({ project_id, party_id, server_id }, context) {
    let id = server_id;
    if (id === null) {
      const members = await memberIds(context, project_id);
      if (!members.ok) return members;
      id = members.value.get(party_id) ?? null;
    }
    return removal(id, (id) =>
      context.host.request('project_memberships.delete', {
        params: { project_id, id },
        query: { party_id },
        idempotency_key: context.entry.id,
      }),
    );
  },

  async settle({ project_id, party_id }, _done, { db, entry }) {
    await dropMembers(db, { account: entry.account, project_id }, [party_id]);
    return [];
  },
};

/**
 * Many in one request. All or none are added; who is a member already is left out of the answer, so that a second try harms
 * nobody.
 */
export const membershipBulkAddOperation: Operation<'membership.bulk_add', readonly number[]> = {
  rows: noRows,

  async send({ project_id, party_ids }, { host, entry }) {
    const answer = await host.request('project_memberships.bulk_add', {
      params: { project_id },
      body: { party_ids },
      idempotency_key: entry.id,
    });
    return answer.ok ? ok(answer.value.data) : answer;
  },

  async settle({ key, project_id, party_ids }, added, { db, entry, seen_at }) {
    const { account } = entry;
    await putMembers(db, { account, project_id }, party_ids, seen_at);
    const left = party_ids.filter((id) => !added.includes(id));
    await db.outcomes.put({
      entry_id: entry.id,
      account,
      project_id,
      lane: key,
      kind: entry.kind,
      at: seen_at,
      data: { done: added, left } satisfies MembersOutcome,
    });
    return [];
  },
};

/**
 * Many out in one request, at most 1,000, for the API ignores the rest (reference: Limits). Whom it skipped stays a member as
 * far as this laptop knows, until the next refresh says otherwise.
 */
export const membershipBulkRemoveOperation: Operation<'membership.bulk_remove', MembersOutcome> = {
  rows: noRows,

  async send({ company_id, project_id, party_ids }, { host, entry }) {
    const answer = await host.request('project_memberships.bulk_remove', {
      params: { company_id: String(company_id), project_id: String(project_id) },
      body: { party_ids },
      idempotency_key: entry.id,
    });
    if (!answer.ok) return answer;
    const { processed_ids, skipped_ids } = answer.value.data.data;
    return ok({ done: processed_ids, left: skipped_ids });
  },

  async settle({ key, project_id }, outcome, { db, entry, seen_at }) {
    const { account } = entry;
    await dropMembers(db, { account, project_id }, outcome.done);
    await db.outcomes.put({
      entry_id: entry.id,
      account,
      project_id,
      lane: key,
      kind: entry.kind,
      at: seen_at,
      data: outcome,
    });
    return [];
  },
};
