/** [ours] Erasures and their places in SQL (decisions §21). */
import { sql } from 'kysely';
import type { Db } from '../engine/db.ts';
import { takeIds } from '../engine/ids.ts';
import { countOf, newestFirst, type Slice } from '../engine/newest-first.ts';
import type { Database } from '../engine/schema.ts';

export interface Which {
  readonly company_id: number;
  readonly id: number;
}

export type ErasureRow = Database['erasures'];
export type ItemRow = Database['erasure_items'];

export const newErasureId = (tx: Db): Promise<number> => takeIds(tx, 'erasures');

export type NewItem = Omit<ItemRow, 'company_id' | 'erasure_id' | 'position'>;

/** @param after the last position so far */
export const insertItems = async (
  tx: Db,
  { company_id, id: erasure_id }: Which,
  items: readonly NewItem[],
  after = -1,
): Promise<void> => {
  const rows = items.map((item, at) => ({
    company_id,
    erasure_id,
    position: after + 1 + at,
    ...item,
  }));
  const BATCH = 500;
  for (let at = 0; at < rows.length; at += BATCH)
    await tx
      .insertInto('erasure_items')
      .values(rows.slice(at, at + BATCH))
      .execute();
};

export const insertErasure = async (
  tx: Db,
  row: ErasureRow,
  items: readonly NewItem[],
): Promise<void> => {
  await tx.insertInto('erasures').values(row).execute();
  await insertItems(tx, row, items);
};

const erasuresOf = (db: Db, company_id: number) =>
  db
    .selectFrom('erasures as e')
    .innerJoin('users as u', 'u.id', 'e.user_id')
    .where('e.company_id', '=', company_id);

const columns = [
  'e.id',
  'e.user_id',
  'e.pseudonym',
  'e.created_at',
  'e.done_at',
  'e.copies_until',
  'u.name as user_name',
  'u.login as user_login',
] as const;

export const countErasures = (db: Db, company_id: number): Promise<number> =>
  countOf(erasuresOf(db, company_id));

export const listErasures = (db: Db, company_id: number, slice: Slice) =>
  newestFirst(erasuresOf(db, company_id).select(columns), slice, 'e');

export type ShownErasure = Awaited<ReturnType<typeof listErasures>>[number];

export const findErasure = (db: Db, { company_id, id }: Which): Promise<ShownErasure | undefined> =>
  erasuresOf(db, company_id).select(columns).where('e.id', '=', id).executeTakeFirst();

export const isPseudonymTaken = async (
  db: Db,
  company_id: number,
  pseudonym: string,
): Promise<boolean> =>
  (await db
    .selectFrom('erasures')
    .select('id')
    .where('company_id', '=', company_id)
    .where('pseudonym', '=', pseudonym)
    .executeTakeFirst()) !== undefined;

/** How many places of each kind and choice ended how. `outcome` null: waiting. */
export const countOutcomes = async (db: Db, company_id: number, ids: readonly number[]) =>
  ids.length === 0
    ? []
    : (
        await db
          .selectFrom('erasure_items')
          .select((eb) => [
            'erasure_id',
            'kind',
            'act',
            'outcome',
            eb.fn.countAll<number>().as('n'),
          ])
          .where('company_id', '=', company_id)
          .where('erasure_id', 'in', [...ids])
          .groupBy(['erasure_id', 'kind', 'act', 'outcome'])
          .execute()
      ).map(({ n, ...row }) => ({ ...row, n: Number(n) }));

const itemsOf = (db: Db, { company_id, id }: Which) =>
  db
    .selectFrom('erasure_items')
    .where('company_id', '=', company_id)
    .where('erasure_id', '=', id)
    .orderBy('position');

/** Places that still hold the name. */
export const listRemained = (db: Db, which: Which, limit: number): Promise<ItemRow[]> =>
  itemsOf(db, which)
    .selectAll()
    .where('outcome', 'is not', null)
    .where('outcome', 'not in', ['done', 'gone'])
    .limit(limit)
    .execute();

export const listItems = (db: Db, which: Which): Promise<ItemRow[]> =>
  itemsOf(db, which).selectAll().execute();

/** The erasures that are not done, of all companies. */
export const listRunning = (db: Db) =>
  db
    .selectFrom('erasures')
    .select(['company_id', 'id', 'user_id', 'pseudonym', 'names'])
    .where('done_at', 'is', null)
    .orderBy('company_id')
    .orderBy('id')
    .execute();

export type RunningErasure = Awaited<ReturnType<typeof listRunning>>[number];

/** Of the items at these positions, those that still wait. */
export const stillWaiting = async (
  tx: Db,
  { company_id, id }: Which,
  positions: readonly number[],
): Promise<ReadonlySet<number>> => {
  const rows = await tx
    .selectFrom('erasure_items')
    .select('position')
    .where('company_id', '=', company_id)
    .where('erasure_id', '=', id)
    .where('outcome', 'is', null)
    .where('position', 'in', [...positions])
    .execute();
  return new Set(rows.map(({ position }) => position));
};

export const setOutcome = async (
  tx: Db,
  { company_id, id }: Which,
  position: number,
  outcome: string,
): Promise<void> => {
  await tx
    .updateTable('erasure_items')
    .set({ outcome })
    .where('company_id', '=', company_id)
    .where('erasure_id', '=', id)
    .where('position', '=', position)
    .execute();
};

/** Paths of which the answers are full of a name. They are kept encrypted. */
export const fullOfNames = (company_id: number): readonly string[] =>
  ['erasures/preview', 'person_copies'].map((path) => `/rest/v1.0/companies/${company_id}/${path}`);

/** Deletes kept answers to these. */
export const forgetPreviews = async (tx: Db, company_id: number): Promise<void> => {
  await tx
    .deleteFrom('idempotency_keys')
    .where('company_id', '=', company_id)
    .where('path', 'in', fullOfNames(company_id))
    .execute();
};

/**
 * Ends an erasure and forgets the names. False if a place waits, if the bytes of a replaced photo could not be deleted yet, or if another
 * process ended it.
 */
export const endErasure = async (
  tx: Db,
  { company_id, id }: Which,
  ended: { readonly done_at: number; readonly copies_until: number | null },
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('erasures')
    .set({ ...ended, names: null })
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .where('done_at', 'is', null)
    .where(
      sql<boolean>`not exists (select 1 from erasure_items i where i.company_id = ${company_id}
        and i.erasure_id = ${id} and i.outcome is null)`,
    )
    .where(
      sql<boolean>`not exists (select 1 from uploads u where u.company_id = ${company_id}
        and u.status = 'deleting' and u.response_filename = '')`,
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};
