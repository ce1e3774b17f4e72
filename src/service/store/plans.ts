/** SQL of plans, their revisions and files (decisions §17). */
import type { Db } from './engine/db.ts';
import { takeIds } from './engine/ids.ts';
import { countOf, newestFirst, type Slice } from './engine/newest-first.ts';
import type { Database } from './engine/schema.ts';

export type PlanRow = Database['plans'];
export type PlanFileRow = Database['plan_files'];

export interface PlanPlace {
  readonly company_id: number;
  readonly project_id: number;
}

const matching = (db: Db, { company_id, project_id }: PlanPlace) =>
  db.selectFrom('plans').where('company_id', '=', company_id).where('project_id', '=', project_id);

export const countPlans = (db: Db, place: PlanPlace): Promise<number> =>
  countOf(matching(db, place));

export const listPlans = (db: Db, place: PlanPlace, slice: Slice): Promise<PlanRow[]> =>
  newestFirst(matching(db, place).selectAll(), slice);

export const findPlan = (db: Db, place: PlanPlace, id: number): Promise<PlanRow | undefined> =>
  matching(db, place).selectAll().where('id', '=', id).executeTakeFirst();

/** Values per statement: databases limit them. */
const BATCH = 1000;

const batched = async <Row>(
  ids: readonly number[],
  read: (some: readonly number[]) => Promise<readonly Row[]>,
): Promise<Row[]> => {
  const all: Row[] = [];
  for (let at = 0; at < ids.length; at += BATCH)
    all.push(...(await read(ids.slice(at, at + BATCH))));
  return all;
};

/** The revisions of these plans with their authors, newest first. */
export const listRevisions = (db: Db, company_id: number, plan_ids: readonly number[]) =>
  batched(plan_ids, (some) =>
    db
      .selectFrom('plan_revisions as r')
      .innerJoin('users as u', 'u.id', 'r.created_by')
      .select(['r.id', 'r.plan_id', 'r.label', 'r.page', 'r.created_at'])
      .select(['u.id as user_id', 'u.name as user_name', 'u.login as user_login'])
      .where('r.company_id', '=', company_id)
      .where('r.plan_id', 'in', some)
      .orderBy('r.id', 'desc')
      .execute(),
  );
export type ShownRevision = Awaited<ReturnType<typeof listRevisions>>[number];

export const listFiles = (
  db: Db,
  company_id: number,
  revision_ids: readonly number[],
): Promise<PlanFileRow[]> =>
  batched(revision_ids, (some) =>
    db
      .selectFrom('plan_files')
      .selectAll()
      .where('company_id', '=', company_id)
      .where('revision_id', 'in', some)
      .orderBy('revision_id')
      .orderBy('position')
      .execute(),
  );

export const insertPlan = async (tx: Db, row: Omit<PlanRow, 'id'>): Promise<PlanRow> => {
  const plan = { ...row, id: await takeIds(tx, 'plans') };
  await tx.insertInto('plans').values(plan).execute();
  return plan;
};

export const updatePlan = async (
  tx: Db,
  { company_id, id }: Pick<PlanRow, 'company_id' | 'id'>,
  set: Partial<PlanRow>,
): Promise<void> => {
  await tx
    .updateTable('plans')
    .set(set)
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .execute();
};

export const insertRevision = async (
  tx: Db,
  row: Omit<Database['plan_revisions'], 'id'>,
  files: readonly Omit<PlanFileRow, 'company_id' | 'revision_id'>[],
): Promise<void> => {
  const id = await takeIds(tx, 'plan_revisions');
  const { company_id } = row;
  await tx
    .insertInto('plan_revisions')
    .values({ ...row, id })
    .execute();
  await tx
    .insertInto('plan_files')
    .values(files.map((file) => ({ ...file, company_id, revision_id: id })))
    .execute();
};

/** Deletes a plan with everything of it. Returns the uploads that no other revision has. */
export const deletePlan = async (
  tx: Db,
  { company_id, id }: Pick<PlanRow, 'company_id' | 'id'>,
): Promise<readonly string[]> => {
  const revisions = await tx
    .selectFrom('plan_revisions')
    .select('id')
    .where('company_id', '=', company_id)
    .where('plan_id', '=', id)
    .execute();
  const ids = revisions.map((row) => row.id);
  const files = await listFiles(tx, company_id, ids);
  for (const table of ['plan_files', 'plan_revisions'] as const)
    await tx
      .deleteFrom(table)
      .where('company_id', '=', company_id)
      .where(table === 'plan_files' ? 'revision_id' : 'id', 'in', ids)
      .execute();
  await tx.deleteFrom('plans').where('company_id', '=', company_id).where('id', '=', id).execute();
  const uuids = [...new Set(files.map(({ upload_uuid }) => upload_uuid))];
  const others = await tx
    .selectFrom('plan_files')
    .select('upload_uuid')
    .where('company_id', '=', company_id)
    .where('upload_uuid', 'in', uuids)
    .execute();
  const used = new Set(others.map(({ upload_uuid }) => upload_uuid));
  return uuids.filter((uuid) => !used.has(uuid));
};
