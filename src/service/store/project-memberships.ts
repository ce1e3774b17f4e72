/** Project memberships in SQL (decisions §7). */
import type { Db } from './engine/db.ts';
import { takeIds } from './engine/ids.ts';
import { followedList, bury, goneFrom, type Following } from './engine/following.ts';
import { countOf, newestFirst, type Slice } from './engine/newest-first.ts';
import type { Database } from './engine/schema.ts';

export type MembershipRow = Database['project_memberships'];

interface Where {
  readonly company_id: number;
  readonly project_id: number;
}

/** Values per statement: databases limit them. */
const BATCH = 1000;

const batches = <T>(all: readonly T[]): (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / BATCH) }, (_, index) =>
    all.slice(index * BATCH, (index + 1) * BATCH),
  );

const matching = (db: Db, where: Where) =>
  db
    .selectFrom('project_memberships as m')
    .where('m.company_id', '=', where.company_id)
    .where('m.project_id', '=', where.project_id);

export const countMemberships = (db: Db, where: Where): Promise<number> =>
  countOf(matching(db, where));

/** All members, including inactive users and vendors. */
export const listMemberships = (db: Db, where: Where, slice: Slice): Promise<MembershipRow[]> =>
  newestFirst(matching(db, where).selectAll(), slice);

const tombsOf = ({ company_id, project_id }: Where) => ({
  company_id,
  list: `project_memberships/${project_id}`,
});

/** [ours] The list as a reader follows it. */
export const followMemberships = (db: Db, where: Where, following: Following) =>
  followedList(
    db,
    { records: matching(db, where), prefix: 'm.', gone: goneFrom(tombsOf(where), following) },
    following,
  );

export const listMembershipsById = (
  db: Db,
  where: Where,
  ids: readonly number[],
): Promise<MembershipRow[]> =>
  matching(db, where)
    .selectAll()
    .where('m.id', 'in', [...ids])
    .execute();

const withParty = (db: Db, where: Where) =>
  matching(db, where)
    .innerJoin('parties as p', (on) =>
      on.onRef('p.company_id', '=', 'm.company_id').onRef('p.id', '=', 'm.party_id'),
    )
    .select(['m.id', 'm.party_id', 'p.reference_user']);

export type MemberRow = Awaited<ReturnType<ReturnType<typeof withParty>['execute']>>[number];

export const findMembership = (
  db: Db,
  where: Where & { readonly id: number },
): Promise<MemberRow | undefined> =>
  withParty(db, where).where('m.id', '=', where.id).executeTakeFirst();

/** The reference users among these parties that are members. */
export const listReferenceMembers = async (
  db: Db,
  where: Where,
  party_ids: readonly number[],
): Promise<MemberRow[]> => {
  const found: MemberRow[] = [];
  for (const some of batches(party_ids))
    found.push(
      ...(await withParty(db, where)
        .where('p.reference_user', '=', 1)
        .where('m.party_id', 'in', some)
        .orderBy('m.id')
        .execute()),
    );
  return found;
};

/** Finds the parties that the project knows, by id. Stops after the first batch with an unknown party. */
export const findParties = async (
  db: Db,
  where: Where,
  party_ids: readonly number[],
): Promise<ReadonlyMap<number, { readonly reference_user: number }>> => {
  const found = new Map<number, { readonly reference_user: number }>();
  for (const some of batches(party_ids)) {
    const rows = await db
      .selectFrom('parties')
      .select(['id', 'reference_user'])
      .where('company_id', '=', where.company_id)
      .where((eb) => eb.or([eb('project_id', 'is', null), eb('project_id', '=', where.project_id)]))
      .where('id', 'in', some)
      .execute();
    for (const { id, reference_user } of rows) found.set(id, { reference_user });
    if (rows.length < some.length) break;
  }
  return found;
};

/** Adds the parties that are not members yet. Returns the new memberships in the order of the request. */
export const insertMemberships = async (
  tx: Db,
  where: Where & { readonly created_at: number; readonly updated_at: number },
  party_ids: readonly number[],
): Promise<Pick<MembershipRow, 'id' | 'party_id'>[]> => {
  const { company_id, project_id, created_at, updated_at } = where;
  const added: Pick<MembershipRow, 'id' | 'party_id'>[] = [];
  for (const some of batches(party_ids)) {
    const first = await takeIds(tx, 'project_memberships', some.length);
    const rows = await tx
      .insertInto('project_memberships')
      .values(
        some.map((party_id, index) => ({
          company_id,
          project_id,
          party_id,
          created_at,
          updated_at,
          id: first + index,
        })),
      )
      .onConflict((on) => on.columns(['company_id', 'project_id', 'party_id']).doNothing())
      .returning(['id', 'party_id'])
      .execute();
    added.push(...rows.sort((a, b) => a.id - b.id));
  }
  return added;
};

/** @param at the stamp of the change */
export const deleteMemberships = async (
  tx: Db,
  where: Where,
  ids: readonly number[],
  at: number,
): Promise<void> => {
  for (const some of batches(ids))
    await tx
      .deleteFrom('project_memberships')
      .where('company_id', '=', where.company_id)
      .where('id', 'in', some)
      .execute();
  await bury(tx, tombsOf(where), ids, at);
};
