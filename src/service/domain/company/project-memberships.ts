/**
 * The rules of project memberships (decisions §7). Only reference users, who have neither login nor vendor, can be added and
 * removed here. All other members are only listed.
 */
import type { ProjectMembership } from '../../../contract/rest/project-memberships.ts';
import { stampChange } from '../../store/engine/change-clock.ts';
import * as store from '../../store/project-memberships.ts';
import { recordsOf, type ProjectContext } from '../context.ts';
import { followedPage, followingOf, type FollowQuery } from '../following.ts';
import { pageOf, type Page } from '../page.ts';
import { invalid, notFound } from '../problem.ts';

const record = recordsOf('Project Memberships');

export const listMemberships = (
  context: ProjectContext,
  query: FollowQuery,
): Promise<Page<ProjectMembership>> => {
  const { db } = context;
  const following = followingOf(query);
  const view = (rows: readonly store.MembershipRow[]) =>
    rows.map(({ id, party_id, project_id }) => ({ id, party_id, project_id }));
  return following === null
    ? pageOf(query, {
        count: () => store.countMemberships(db, context),
        rows: (slice) => store.listMemberships(db, context, slice),
        view,
      })
    : followedPage(query, {
        ...store.followMemberships(db, context, following),
        rows: (ids) => store.listMembershipsById(db, context, ids),
        view,
      });
};

const stampOf = ({ db, company_id, now }: ProjectContext): Promise<number> =>
  stampChange(db, company_id, now);

const NO_REFERENCE =
  'is no reference user: who has a login or a vendor is not added or removed here';

/** Reasons why these parties cannot be added, at most 20. */
const obstacles = async (
  context: ProjectContext,
  party_ids: readonly number[],
): Promise<string[]> => {
  const known = await store.findParties(context.db, context, party_ids);
  const messages: string[] = [];
  for (const id of party_ids) {
    const party = known.get(id);
    if (!party) messages.push(`${id} does not exist in this company or project`);
    else if (party.reference_user !== 1) messages.push(`${id} ${NO_REFERENCE}`);
    if (messages.length >= 20) break;
  }
  return messages;
};

/** Adds all parties that are not members yet, or none on an error. @throws Refusal 422 on `field` */
const add = async (
  context: ProjectContext,
  party_ids: readonly number[],
  field: string,
): Promise<number[]> => {
  const messages = await obstacles(context, party_ids);
  if (messages.length > 0) throw invalid({ [field]: messages });
  const added = await store.insertMemberships(
    context.db,
    {
      company_id: context.company_id,
      project_id: context.project_id,
      created_at: context.now,
      updated_at: await stampOf(context),
    },
    party_ids,
  );
  for (const { id } of added) await record(context, id, 'create');
  return added.map(({ party_id }) => party_id);
};

/** @throws Refusal 422, also if the party is already a member */
export const addMember = async (context: ProjectContext, party_id: number): Promise<number[]> => {
  const field = 'project_membership.party_id';
  const added = await add(context, [party_id], field);
  if (added.length === 0) throw invalid({ [field]: [`${party_id} is a member already`] });
  return added;
};

/** Returns only the parties that were not members before. */
export const addMembers = (
  context: ProjectContext,
  party_ids: readonly number[],
): Promise<number[]> => add(context, [...new Set(party_ids)], 'party_ids');

/** @throws Refusal 404 if id and party do not match, 422 if the party is no reference user */
export const removeMember = async (
  context: ProjectContext,
  id: number,
  party_id: number,
): Promise<void> => {
  const { db, company_id, project_id } = context;
  const row = await store.findMembership(db, { company_id, project_id, id });
  if (row?.party_id !== party_id) throw notFound();
  if (row.reference_user !== 1) throw invalid({ party_id: [`${party_id} ${NO_REFERENCE}`] });
  await store.deleteMemberships(db, context, [id], await stampOf(context));
  await record(context, id, 'delete');
};

/** Removes the reference users and reports all other ids as skipped; each id once, in the order of the request. */
export const removeMembers = async (
  context: ProjectContext,
  party_ids: readonly number[],
): Promise<{ readonly processed_ids: number[]; readonly skipped_ids: number[] }> => {
  const asked = [...new Set(party_ids)];
  const members = await store.listReferenceMembers(context.db, context, asked);
  const removed = new Set(members.map(({ party_id }) => party_id));
  await store.deleteMemberships(
    context.db,
    context,
    members.map(({ id }) => id),
    await stampOf(context),
  );
  for (const { id } of members) await record(context, id, 'delete');
  return {
    processed_ids: asked.filter((id) => removed.has(id)),
    skipped_ids: asked.filter((id) => !removed.has(id)),
  };
};
