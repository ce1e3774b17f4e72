/**
 * Sends members of a project (reference: Project memberships; decisions §7). Adding a member returns the party without
 * its membership, so the membership's id comes with the next refresh.
 */
import { ok } from '../../../../contract/problem.ts';
import type { Place } from '../../../data/near-misses/pending-operations.ts';
import type { SpotterDb } from '../../../data/db/db.ts';
import { memberIds } from '../../../data/company/membership-server.ts';
import { noRows, type Handler } from '../handler.ts';
import { mayBeDouble } from '../plain-server.ts';
import { removal } from '../removal.ts';

/** Stores the members inside the settling transaction. The ids of new memberships come with the next refresh. */
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

/** The outcome of a bulk write, for the members' screen. */
export interface MembersOutcome {
  readonly done: readonly number[];
  /** Removal: skipped members. Adding: those who were members already. */
  readonly left: readonly number[];
}

/**
 * If an earlier attempt may have succeeded, a server without keys is asked first, because it refuses existing members.
 */
export const membershipCreateOperation: Handler<'membership.create', readonly number[]> = {
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
      idempotency_key: context.operation.id,
    });
    return answer.ok ? ok([party_id]) : answer;
  },

  async settle({ project_id }, added, { db, operation, seen_at }) {
    await putMembers(db, { account: operation.account, project_id }, added, seen_at);
    return [];
  },
};

/** Asks for the membership's id if this laptop does not know it. */
export const membershipDeleteOperation: Handler<'membership.delete', number | null> = {
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
        idempotency_key: context.operation.id,
      }),
    );
  },

  async settle({ project_id, party_id }, _done, { db, operation }) {
    await dropMembers(db, { account: operation.account, project_id }, [party_id]);
    return [];
  },
};

/**
 * Adds many members in one request, all or none. The answer omits existing members, so that a second attempt is
 * harmless.
 */
export const membershipBulkAddOperation: Handler<'membership.bulk_add', readonly number[]> = {
  rows: noRows,

  async send({ project_id, party_ids }, { host, operation }) {
    const answer = await host.request('project_memberships.bulk_add', {
      params: { project_id },
      body: { party_ids },
      idempotency_key: operation.id,
    });
    return answer.ok ? ok(answer.value.data) : answer;
  },

  async settle({ key, project_id, party_ids }, added, { db, operation, seen_at }) {
    const { account } = operation;
    await putMembers(db, { account, project_id }, party_ids, seen_at);
    const left = party_ids.filter((id) => !added.includes(id));
    await db.outcomes.put({
      operation_id: operation.id,
      account,
      project_id,
      lane: key,
      kind: operation.kind,
      at: seen_at,
      data: { done: added, left } satisfies MembersOutcome,
    });
    return [];
  },
};

/**
 * Removes many members in one request: at most 1,000, because the API ignores the rest (reference: Limits). Skipped
 * members stay, as far as this laptop knows, until the next refresh.
 */
export const membershipBulkRemoveOperation: Handler<'membership.bulk_remove', MembersOutcome> = {
  rows: noRows,

  async send({ company_id, project_id, party_ids }, { host, operation }) {
    const answer = await host.request('project_memberships.bulk_remove', {
      params: { company_id: String(company_id), project_id: String(project_id) },
      body: { party_ids },
      idempotency_key: operation.id,
    });
    if (!answer.ok) return answer;
    const { processed_ids, skipped_ids } = answer.value.data.data;
    return ok({ done: processed_ids, left: skipped_ids });
  },

  async settle({ key, project_id }, outcome, { db, operation, seen_at }) {
    const { account } = operation;
    await dropMembers(db, { account, project_id }, outcome.done);
    await db.outcomes.put({
      operation_id: operation.id,
      account,
      project_id,
      lane: key,
      kind: operation.kind,
      at: seen_at,
      data: outcome,
    });
    return [];
  },
};
