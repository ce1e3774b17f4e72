/**
 * One row of a company's own records as it would be, judged beside the others (decisions §11.4). What the rules must know of the
 * database is read for many bodies at once, and follows what was written since.
 */
import {
  findPointedAt,
  findRecordsBy,
  foldedColumn,
  type RecordRow,
  type Value,
} from '../store/company-records.ts';
import type { Db } from '../store/db.ts';
import { findUserLogins } from '../store/users.ts';
import type { RecordKind } from './company-record-kinds.ts';
import type { FieldErrors } from './problem.ts';

/** Columns as bodies say them. */
export type Columns = Readonly<Record<string, Value>>;

export interface Known {
  /** Rows with this value in the column; names are compared as folded. */
  readonly with: (column: string, value: Value | undefined) => readonly RecordRow[];
  readonly hasProject: (id: Value) => boolean;
  /** The project that alone has the folder, null where all have it; undefined: there is no such folder. */
  readonly projectOfFolder: (id: Value) => number | null | undefined;
  /** Is it the login of a user of the company? */
  readonly isUsers: (login: Value | undefined) => boolean;
  /** From now on the row is like this. */
  readonly put: (row: RecordRow) => void;
}

const isSaid = (value: Value | undefined): value is string | number =>
  value !== undefined && value !== null && value !== '';

const saidIn = (said: readonly Columns[], column: string): (string | number)[] => [
  ...new Set(said.map((columns) => columns[column]).filter(isSaid)),
];

/** Reads what the rules need for these bodies. @param ids of records that they mean */
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

/** Of a new record, or of one that there is: its columns with what the body says. */
export const rowOf = (
  kind: RecordKind,
  had: RecordRow | null,
  said: Columns,
  made: { readonly company_id: number; readonly id: number; readonly now: number },
): RecordRow => {
  if (had) return { ...had, ...said, version: had.version + 1, updated_at: made.now } as RecordRow;
  const { company_id, id, now } = made;
  const common = { company_id, id, origin_id: null, active: 1, version: 1 };
  return { ...common, created_at: now, updated_at: now, ...kind.defaults, ...said } as RecordRow;
};

/** Does a body change nothing of it? */
export const isSame = (had: RecordRow, said: Columns): boolean =>
  Object.entries(said).every(([column, value]) => had[column] === value);

const judgeFolder = (known: Known, row: RecordRow): FieldErrors => {
  const of = known.projectOfFolder(row['folder_id'] ?? null);
  if (of === undefined) return { folder_id: ['does not exist in this company'] };
  return of === null || of === row['project_id'] ? {} : { folder_id: ['is of another project'] };
};

/** What is wrong with the row as it would be, by field; of a record that there is, only what changes is judged. */
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
