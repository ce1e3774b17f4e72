/**
 * The rules of each kind of record that a company keeps itself, as one table (decisions §11). A field of the API is the column of the
 * same name; how it is read and shown is said once for all kinds.
 */
import { companyRecordKinds, type CompanyRecordKind } from '../../contract/rest/company-records.ts';
import { sortKey } from '../../contract/fold.ts';
import {
  foldedColumn,
  type RecordRow,
  type RecordTable,
  type Value,
} from '../store/company-records.ts';
import { wireTime } from './near-miss-view.ts';
import type { FieldErrors } from './problem.ts';
import type { NamedBy } from './search-text.ts';

export interface RecordKind extends RecordTable {
  /** The object of its bodies. */
  readonly one: string;
  /** What a new one holds in the columns that are its own, where its body is silent; a column that must be said is not here. */
  readonly defaults: Readonly<Record<string, Value>>;
  /** Columns that must be said of a new one. */
  readonly required: readonly string[];
  /** Columns that stay as they were created, because what is kept elsewhere rests on them. */
  readonly fixed: readonly string[];
  /** Columns of which no two records have the same value, unless it is empty. */
  readonly unique: readonly string[];
  /** Columns by which a record may be a user of the company: then they stay as they are, for private incidents rest on them. */
  readonly of_users: readonly string[];
  /** The column of near misses that points at it: they are found by its name. */
  readonly searched: NamedBy | null;
  /** What is wrong with a row as it would be. */
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
  // Who has a login and a vendor comes with the users, not here (reference: Project memberships).
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

/** Fields of a body that are no columns. */
const NO_COLUMN: ReadonlySet<string> = new Set(['id', 'upload_uuid']);

const valueOf = (column: string, value: unknown): Value => {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (Array.isArray(value)) return JSON.stringify(value);
  // A person may have no login, and the column has no null.
  return column === 'login' && value === null ? '' : (value as Value);
};

/** The columns that a body says. */
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

/** Fields that are not their column's value as it is. */
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

/** A row as it is answered: the fields that the contract shows of its kind. */
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
