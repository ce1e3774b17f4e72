/**
 * Writes near misses together with their derived data: numbers, counts and the search index. The rules are in
 * domain/near-misses/near-misses.ts.
 */
import { sql } from 'kysely';
import { eachField, lookupFields, textFields } from '../../../contract/rest/near-miss-fields.ts';
import type { Db } from '../engine/db.ts';
import { gathered } from '../engine/batch.ts';
import { insertMany, jsonRows, written, type KindsOf } from '../engine/bulk-sql.ts';
import { countChanges } from './near-miss-counts.ts';
import { dropText, indexTexts } from './near-miss-search.ts';
import { prepared } from '../engine/prepared.ts';
import type { Database } from '../engine/schema.ts';

/** The data that a near miss takes from its incident: its number, and the columns that responses show. */
interface IncidentPart {
  readonly number: number;
  readonly incident_number: number;
  readonly incident_title: string;
  readonly incident_private: number;
  readonly created_by: number | null;
}

interface InIncident {
  readonly company_id: number;
  readonly project_id: number;
  readonly incident_id: number;
}

const placeOf = ({ company_id, project_id, incident_id }: InIncident): string =>
  [company_id, project_id, incident_id].join(' ');

const countUp = prepared((tx: Db, { wanted }: { readonly wanted: string }) =>
  written(
    tx,
    sql<InIncident & Omit<IncidentPart, 'number'> & { readonly last: number }>`
      update incidents set last_near_miss_number = last_near_miss_number + r.wanted
      from ${jsonRows(tx, wanted, { company_id: 'bigint', project_id: 'bigint', incident_id: 'bigint', wanted: 'bigint' })}
      where incidents.company_id = r.company_id and incidents.project_id = r.project_id
        and incidents.id = r.incident_id
      returning incidents.company_id, incidents.project_id, incidents.id as incident_id,
        last_near_miss_number as last, number as incident_number, title as incident_title,
        private as incident_private, created_by`,
  ),
);

/** Reserves the next near-miss number of an incident. Null if the project has no such incident. */
export const takeNearMissNumber = gathered(
  async (tx, wheres: readonly InIncident[]): Promise<readonly (IncidentPart | null)[]> => {
    const places = new Map<string, InIncident & { wanted: number }>();
    for (const where of wheres) {
      const place = places.get(placeOf(where)) ?? { ...where, wanted: 0 };
      place.wanted += 1;
      places.set(placeOf(where), place);
    }
    const rows = await countUp(tx, { wanted: JSON.stringify([...places.values()]) });
    const counted = new Map(rows.map((row) => [placeOf(row), row]));
    return wheres.map((where) => {
      const [place, row] = [places.get(placeOf(where)), counted.get(placeOf(where))];
      if (!row || !place) return null;
      const number = row.last - place.wanted + 1;
      place.wanted -= 1;
      return { ...row, number };
    });
  },
);

const kinds = {
  company_id: 'bigint',
  id: 'bigint',
  project_id: 'bigint',
  incident_id: 'bigint',
  number: 'bigint',
  recordable: 'integer',
  ...eachField(lookupFields, () => 'bigint' as const),
  created_by: 'bigint',
  created_at: 'bigint',
  updated_at: 'bigint',
  deleted_at: 'bigint',
  version: 'bigint',
  attachment_count: 'integer',
  comment_count: 'integer',
  custom_fields: 'text',
  description: 'text',
  description_plain_text: 'text',
  ...eachField(textFields, () => 'text' as const),
  created_with: 'text',
  anonymised_at: 'bigint',
  erased_at: 'bigint',
  search: 'text',
} as const satisfies KindsOf<'near_misses'>;

const insertRows = insertMany('near_misses', kinds);

type Stored = Database['near_misses'];

/** Also updates the search index and the counts. The statements are sent at once, in this order. */
export const insertNearMisses = async (tx: Db, rows: readonly Stored[]): Promise<void> => {
  const changes = rows.map(({ company_id, project_id, deleted_at }) => ({
    company_id,
    project_id,
    ...(deleted_at === null ? { active: 1, recycled: 0 } : { active: 0, recycled: 1 }),
  }));
  await Promise.all([insertRows(tx, rows), indexTexts(tx, rows), countChanges(tx, changes)]);
};

/** Keeps only the columns of the table. */
export const storedOf = (row: Stored): Stored =>
  Object.fromEntries(
    Object.keys(kinds).map((name) => [name, row[name as keyof Stored]]),
  ) as unknown as Stored;

export const insertNearMiss = gathered(async (tx, rows: readonly Stored[]) => {
  await insertNearMisses(tx, rows);
  return [];
});

interface Which {
  readonly company_id: number;
  readonly project_id: number;
  readonly id: number;
}

/** Every change increments the version. */
const change = async (
  tx: Db,
  where: Which,
  values: Partial<Omit<Stored, 'company_id' | 'id' | 'version'>>,
): Promise<void> => {
  await tx
    .updateTable('near_misses')
    .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
    .where('company_id', '=', where.company_id)
    .where('id', '=', where.id)
    .execute();
};

export const updateNearMiss = async (
  tx: Db,
  where: Which,
  values: Partial<
    Omit<Stored, 'company_id' | 'id' | 'project_id' | 'incident_id' | 'deleted_at' | 'version'>
  >,
): Promise<void> => {
  await change(tx, where, values);
  const { search } = values;
  if (search !== undefined) await indexTexts(tx, [{ ...where, search }]);
};

/** Like `updateNearMiss`, with all columns. Those that say which record it is stay the same. */
export const anonymiseNearMiss = async (tx: Db, where: Which, row: Stored): Promise<void> => {
  const { company_id: _company, id: _id, version: _version, ...values } = row;
  await updateNearMiss(tx, where, values);
};

export const recycleNearMiss = async (
  tx: Db,
  where: Which,
  times: { readonly deleted_at: number | null; readonly updated_at: number },
): Promise<void> => {
  await change(tx, where, times);
  const moved = times.deleted_at === null ? -1 : 1;
  const { company_id, project_id } = where;
  await countChanges(tx, [{ company_id, project_id, active: -moved, recycled: moved }]);
};

const writeSearch = prepared((tx: Db, { rows }: { readonly rows: string }) =>
  written(
    tx,
    sql`update near_misses set search = r.search
      from ${jsonRows(tx, rows, { company_id: 'bigint', id: 'bigint', search: 'text' })}
      where near_misses.company_id = r.company_id and near_misses.id = r.id`,
  ),
);

/** Updates search texts without a new version, because the text is derived data. */
export const writeSearchTexts = async (
  tx: Db,
  company_id: number,
  texts: readonly Pick<Stored, 'id' | 'project_id' | 'search'>[],
): Promise<void> => {
  await writeSearch(tx, {
    rows: JSON.stringify(texts.map(({ id, search }) => ({ company_id, id, search }))),
  });
  await indexTexts(tx, texts);
};

/** Moves the near misses of incidents to a new place in the order of changes, because other people see them now. */
export const touchNearMisses = async (
  tx: Db,
  company_id: number,
  incident_ids: readonly number[],
  updated_at: number,
): Promise<void> => {
  if (incident_ids.length === 0) return;
  await tx
    .updateTable('near_misses')
    .set({ updated_at })
    .where('company_id', '=', company_id)
    .where('incident_id', 'in', [...incident_ids])
    .execute();
};

/** Sets the number of photos that a record is created with. They belong to its first version. */
export const countAttachments = async (
  tx: Db,
  where: { readonly company_id: number; readonly id: number },
  attachment_count: number,
): Promise<void> => {
  await tx
    .updateTable('near_misses')
    .set({ attachment_count })
    .where('company_id', '=', where.company_id)
    .where('id', '=', where.id)
    .execute();
};

/** Deletes a recycled record for good, with its history. Its attachments must be gone. */
export const deleteNearMiss = async (tx: Db, where: Which): Promise<void> => {
  const { company_id, project_id, id } = where;
  await tx
    .deleteFrom('near_miss_history')
    .where('company_id', '=', company_id)
    .where('near_miss_id', '=', id)
    .execute();
  await tx
    .deleteFrom('near_misses')
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .execute();
  await dropText(tx, id);
  await countChanges(tx, [{ company_id, project_id, active: 0, recycled: -1 }]);
};
