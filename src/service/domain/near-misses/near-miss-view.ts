/** A near miss in its response form: an allow-list, built field by field (reference: Near miss; decisions §3.1, §3.6). */
import { eachField, textFields } from '../../../contract/rest/near-miss-fields.ts';
import type { NearMiss } from '../../../contract/rest/near-misses.ts';
import type { NearMissRow } from '../../store/near-misses/near-miss-lists.ts';
import { viewCustomFields, type Definitions, type StoredFields } from './custom-fields.ts';

const WRITTEN_MAX = 5000;
const written = new Map<number, string>();

/** Formats a time for the wire. Results are cached, because every row of a list repeats the same lookup times. */
export const wireTime = (ms: number): string => {
  let text = written.get(ms);
  if (text === undefined) {
    if (written.size >= WRITTEN_MAX) written.clear();
    text = new Date(ms).toISOString();
    written.set(ms, text);
  }
  return text;
};
export const wireTimeOrNull = (ms: number | null): string | null =>
  ms === null ? null : wireTime(ms);

const named = (id: number | null, name: string | null) => (id === null ? null : { id, name });

const person = (id: number | null, name: string | null, login: string | null) =>
  id === null ? null : { id, name, login };

const lookup = (
  id: number | null,
  row: {
    readonly name: string | null;
    readonly active: number | null;
    readonly global: number | null;
    readonly created_at: number | null;
    readonly updated_at: number | null;
  },
) =>
  id === null
    ? null
    : {
        id,
        name: row.name,
        active: row.active === 1,
        global: row.global === 1,
        created_at: wireTimeOrNull(row.created_at),
        updated_at: wireTimeOrNull(row.updated_at),
      };

const isAnonymised = ({ anonymised_at }: NearMissRow): boolean => typeof anonymised_at === 'number';

/** The complete response. Leaving out a field of the contract does not compile. */
type WholeNearMiss = { readonly [N in keyof Required<NearMiss>]: Exclude<NearMiss[N], undefined> };

/** Renders no photos, because their addresses expire (near-misses.ts). */
export const viewNearMiss = (row: NearMissRow, definitions: Definitions): WholeNearMiss => ({
  id: row.id,
  number: row.number,
  full_number: `${row.incident_number}-${row.number}`,
  incident_id: row.incident_id,
  recordable: row.recordable === 1,
  type: 'near_miss',
  incident_title: row.incident_title,
  incident_private: row.incident_private === 1,
  summary: row.harm_source_name ?? '',
  description_plain_text: row.description_plain_text,
  description: row.description,
  ...eachField(textFields, (name) => row[name]),
  affected_company: named(row.affected_company_id, row.affected_company_name),
  created_at: wireTime(row.created_at),
  deleted_at: wireTimeOrNull(row.deleted_at),
  managed_equipment: named(row.managed_equipment_id, row.managed_equipment_name),
  incident_created_by: isAnonymised(row)
    ? null
    : person(row.creator_id, row.creator_name, row.creator_login),
  updated_at: wireTime(row.updated_at),
  work_activity: lookup(row.work_activity_id, {
    name: row.work_activity_name,
    active: row.work_activity_active,
    global: row.work_activity_global,
    created_at: row.work_activity_created_at,
    updated_at: row.work_activity_updated_at,
  }),
  affected_party: named(row.affected_party_id, row.affected_party_name),
  affected_person: person(
    row.affected_person_id,
    row.affected_person_name,
    row.affected_person_login,
  ),
  harm_source: lookup(row.harm_source_id, {
    name: row.harm_source_name,
    active: row.harm_source_active,
    global: row.harm_source_global,
    created_at: row.harm_source_created_at,
    updated_at: row.harm_source_updated_at,
  }),
  custom_fields:
    row.custom_fields === '{}'
      ? {}
      : viewCustomFields(JSON.parse(row.custom_fields) as StoredFields, definitions),
  created_by: isAnonymised(row)
    ? null
    : { id: row.author_id, name: row.author_name, login: row.author_login },
  anonymised_at: wireTimeOrNull(row.anonymised_at ?? null),
  erased_at: wireTimeOrNull(row.erased_at ?? null),
  comment_count: row.comment_count,
  // The last field, because it is rendered for each response (page.ts).
  attachments: [],
});
