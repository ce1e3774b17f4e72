/**
 * Validates one company record, as it would be stored, against the others (decisions §11.4). `Known` caches the data that the
 * rules need for many bodies at once, and tracks later writes.
 */
import {
  findPointedAt,
  findRecordsBy,
  foldedColumn,
  type RecordRow,
  type Value,
} from '../../store/company-records.ts';
import type { Db } from '../../store/engine/db.ts';
import { findUserLogins } from '../../store/users.ts';
import type { RecordKind } from './company-record-kinds.ts';
import type { FieldErrors } from '../problem.ts';

export type Columns = Readonly<Record<string, Value>>;

export interface Known {
  /** Rows with this value in the column. Names are compared in folded form. */
  readonly with: (column: string, value: Value | undefined) => readonly RecordRow[];
  readonly hasProject: (id: Value) => boolean;
  /** The project that owns the folder; null if all projects share it; undefined if there is no such folder. */
  readonly projectOfFolder: (id: Value) => number | null | undefined;
  /** True if a user of the company has this login. */
  readonly isUsers: (login: Value | undefined) => boolean;
  readonly put: (row: RecordRow) => void;
}

const isSaid = (value: Value | undefined): value is string | number =>
  value !== undefined && value !== null && value !== '';

const saidIn = (said: readonly Columns[], column: string): (string | number)[] => [
  ...new Set(said.map((columns) => columns[column]).filter(isSaid)),
];

/** Reads the data that the rules need for these bodies. @param ids of existing records that the bodies update */
export const readKnown = async (
  db: Db,
  kind: RecordKind,
  company_id: number,
  said: readonly Columns[],
  ids: readonly number[],
): Promise<Known> => {
  const columns = ['id', 'origin_id', foldedColumn(kind), ...kind.unique];
  const rows = new Map<number, RecordRow>();
  const index = new Map<string, Set<number>>();
  const keysOf = (row: RecordRow): string[] =>
    columns.flatMap((column) => (isSaid(row[column]) ? [`${column} ${row[column]}`] : []));
  const put = (row: RecordRow): void => {
    const had = rows.get(row.id);
    for (const key of had ? keysOf(had) : []) index.get(key)?.delete(row.id);
    rows.set(row.id, row);
    for (const key of keysOf(row)) index.set(key, (index.get(key) ?? new Set()).add(row.id));
  };
  for (const column of columns) {
    const values = column === 'id' ? ids : saidIn(said, column);
    for (const row of await findRecordsBy(db, kind, company_id, column, values)) put(row);
  }
  const pointed = async (to: 'projects' | 'folders', column: string) => {
    const found = await findPointedAt(db, to, company_id, saidIn(said, column) as number[]);
    return new Map<Value, number | null>(found.map(({ id, project_id }) => [id, project_id]));
  };
  const projects = await pointed('projects', 'project_id');
  const folders = await pointed('folders', 'folder_id');
  const logins = kind.of_users.flatMap((column) =>
    saidIn([...said, ...rows.values()], column).map(String),
  );
  const users = new Set<Value | undefined>(await findUserLogins(db, company_id, logins));
  return {
    with: (column, value) =>
      isSaid(value)
        ? [...(index.get(`${column} ${value}`) ?? [])].flatMap((id) => rows.get(id) ?? [])
        : [],
    hasProject: (id) => projects.has(id),
    projectOfFolder: (id) => folders.get(id),
    isUsers: (login) => users.has(login),
    put,
  };
};

/** Builds the row of a new or an updated record from a body. */
export const rowOf = (
  kind: RecordKind,
  had: RecordRow | null,
  said: Columns,
  made: Readonly<Record<'company_id' | 'id' | 'now' | 'updated_at', number>>,
): RecordRow => {
  if (had)
    return { ...had, ...said, version: had.version + 1, updated_at: made.updated_at } as RecordRow;
  const { company_id, id, now, updated_at } = made;
  const common = { company_id, id, origin_id: null, active: 1, version: 1 };
  return { ...common, created_at: now, updated_at, ...kind.defaults, ...said } as RecordRow;
};

export const isSame = (had: RecordRow, said: Columns): boolean =>
  Object.entries(said).every(([column, value]) => had[column] === value);

const judgeFolder = (known: Known, row: RecordRow): FieldErrors => {
  const of = known.projectOfFolder(row['folder_id'] ?? null);
  if (of === undefined) return { folder_id: ['does not exist in this company'] };
  return of === null || of === row['project_id'] ? {} : { folder_id: ['is of another project'] };
};

/** Validates the resulting row, by field. For an existing record it checks only changed columns. */
export const judgeRow = (
  kind: RecordKind,
  known: Known,
  had: RecordRow | null,
  row: RecordRow,
): FieldErrors => {
  const changed = (column: string): boolean => !had || had[column] !== row[column];
  const errors: Record<string, readonly string[]> = {};
  for (const column of kind.required)
    if (row[column] === undefined) errors[column] = ['is required'];
  for (const column of kind.fixed)
    if (had && changed(column)) errors[column] = ['cannot be changed'];
  for (const column of ['origin_id', ...kind.unique])
    if (changed(column) && known.with(column, row[column]).some(({ id }) => id !== row.id))
      errors[column] = ['is that of another record'];
  for (const column of kind.of_users)
    if (had && changed(column) && [had[column], row[column]].some(known.isUsers))
      errors[column] = ['is how a user of the company signs in, and stays with its person'];
  const project = row['project_id'] ?? null;
  if (!had && project !== null && !known.hasProject(project))
    errors['project_id'] = ['does not exist in this company'];
  if (isSaid(row['folder_id']) && changed('folder_id'))
    Object.assign(errors, judgeFolder(known, row));
  return Object.keys(errors).length > 0 ? errors : kind.judge(row);
};
