/**
 * The rules of each kind of company record, as one table (decisions §11). A field of the API maps to the column of the same
 * name; reading and rendering are shared by all kinds.
 */
import {
  companyRecordKinds,
  type CompanyRecordKind,
} from '../../../contract/rest/company-records.ts';
import { sortKey } from '../../../contract/text/fold.ts';
import {
  foldedColumn,
  type RecordRow,
  type RecordTable,
  type Value,
} from '../../store/company-records.ts';
import { wireTime } from '../near-misses/near-miss-view.ts';
import type { FieldErrors } from '../problem.ts';
import type { NamedBy } from '../search-text.ts';

export interface RecordKind extends RecordTable {
  /** The key of its object in request bodies. */
  readonly one: string;
  /** Defaults of a new record for this kind's columns. Required columns have none. */
  readonly defaults: Readonly<Record<string, Value>>;
  readonly required: readonly string[];
  /** Columns that cannot change after creation, because data elsewhere depends on them. */
  readonly fixed: readonly string[];
  /** Columns with unique values; empty values may repeat. */
  readonly unique: readonly string[];
  /**
   * Columns that may identify a user of the company. If so they cannot change, because access to private incidents depends on
   * them.
   */
  readonly of_users: readonly string[];
  /** The near-miss column that references the record, if near misses are found by its name. */
  readonly searched: NamedBy | null;
  /** Validates the row as it would be stored. */
  readonly judge: (row: RecordRow) => FieldErrors;
}

const kind = (
  name: CompanyRecordKind,
  own: Partial<Omit<RecordKind, 'kind' | 'one'>> = {},
): RecordKind => ({
  kind: name,
  one: companyRecordKinds[name].one,
  name: 'name',
  defaults: { project_id: null },
  required: ['name'],
  fixed: ['project_id'],
  unique: [],
  of_users: [],
  searched: null,
  judge: () => ({}),
  ...own,
});

const judgeChoices = ({ data_type, options }: RecordRow): FieldErrors => {
  const none = options === '[]';
  if (data_type === 'select' && none) return { options: ['must name the choices of a select'] };
  return data_type !== 'select' && !none ? { options: ['are for a select only'] } : {};
};

const kinds: Readonly<Record<CompanyRecordKind, RecordKind>> = {
  projects: kind('projects', { defaults: { last_incident_number: 0 }, fixed: [] }),
  people: kind('people', {
    defaults: { project_id: null, login: '' },
    unique: ['login'],
    of_users: ['login'],
    searched: 'affected_person_id',
  }),
  // Parties with a login and a vendor come from the users, not from here (reference: Project memberships).
  parties: kind('parties', {
    defaults: { project_id: null, reference_user: 1 },
    searched: 'affected_party_id',
  }),
  vendors: kind('vendors'),
  affected_companies: kind('affected_companies', { searched: 'affected_company_id' }),
  managed_equipment: kind('managed_equipment', { searched: 'managed_equipment_id' }),
  harm_sources: kind('harm_sources', {
    defaults: { project_id: null, global: 0 },
    searched: 'harm_source_id',
  }),
  work_activities: kind('work_activities', {
    defaults: { project_id: null, global: 0 },
    searched: 'work_activity_id',
  }),
  time_and_material_entries: kind('time_and_material_entries'),
  folders: kind('folders'),
  documents: kind('documents', {
    defaults: { project_id: null, folder_id: null, stored_file_id: null },
  }),
  custom_field_definitions: kind('custom_field_definitions', {
    name: 'label',
    defaults: { project_id: null, options: '[]', required: 0 },
    required: ['label', 'data_type'],
    fixed: ['project_id', 'data_type'],
    judge: judgeChoices,
  }),
};

export const recordKind = (name: CompanyRecordKind): RecordKind => kinds[name];

/** Body fields that are not columns. */
const NO_COLUMN: ReadonlySet<string> = new Set(['id', 'upload_uuid']);

const valueOf = (column: string, value: unknown): Value => {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (Array.isArray(value)) return JSON.stringify(value);
  // A person may have no login, but the column is not nullable.
  return column === 'login' && value === null ? '' : (value as Value);
};

export const columnsOf = (
  table: RecordTable,
  body: Readonly<Record<string, unknown>>,
): Readonly<Record<string, Value>> => {
  const said = Object.entries(body).filter(
    ([field, value]) => value !== undefined && !NO_COLUMN.has(field),
  );
  const columns: Record<string, Value> = Object.fromEntries(
    said.map(([field, value]) => [field, valueOf(field, value)]),
  );
  const name = columns[table.name];
  if (typeof name === 'string') columns[foldedColumn(table)] = sortKey(name);
  return columns;
};

const isOne = (column: string) => (row: RecordRow) => row[column] === 1;

/** Fields with an API value that differs from the column's value. */
const readers: Readonly<Record<string, (row: RecordRow) => unknown>> = {
  active: isOne('active'),
  required: isOne('required'),
  global: isOne('global'),
  reference_user: isOne('reference_user'),
  created_at: (row) => wireTime(row.created_at),
  updated_at: (row) => wireTime(row.updated_at),
  options: (row) => JSON.parse(String(row['options'])) as unknown,
  has_file: (row) => row['stored_file_id'] !== null,
};

/** A row in its response form: the fields that the contract shows of its kind. */
export const viewRecord = (
  name: CompanyRecordKind,
  row: RecordRow,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.keys(companyRecordKinds[name].shown.shape).map((field) => {
      const read = readers[field];
      return [field, read ? read(row) : row[field]];
    }),
  );
