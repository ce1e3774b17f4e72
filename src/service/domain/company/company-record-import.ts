/**
 * [ours] Imports many records of one kind, all or none (decisions §11.5). Rows come in batches, so a file of any length needs the
 * memory of one batch. Every invalid row is reported with its place. A row matches the record with its id, else its origin_id,
 * else its name.
 */
import {
  companyRecordKinds,
  type CompanyRecordKind,
} from '../../../contract/rest/company-records.ts';
import {
  foldedColumn,
  insertRecords,
  updateRecord,
  type RecordRow,
} from '../../store/company-records.ts';
import { stampChange } from '../../store/engine/change-clock.ts';
import { takeIds } from '../../store/engine/ids.ts';
import { columnsOf, recordKind, type RecordKind } from './company-record-kinds.ts';
import {
  isSame,
  judgeRow,
  readKnown,
  rowOf,
  type Columns,
  type Known,
} from './company-record-rows.ts';
import { followLogins, followNames, type RecordsContext } from './company-records.ts';
import {
  readImportRow,
  type Import,
  type ImportCounts,
  type ImportRow,
  type ReportErrors,
} from '../import-rows.ts';
import type { FieldErrors } from '../problem.ts';

interface Read {
  readonly place: string;
  readonly id: number | null;
  readonly said: Columns;
}

interface Unread {
  readonly place: string;
  readonly errors: FieldErrors;
}

const parse = (kind: RecordKind, row: ImportRow): Read | Unread => {
  const parsed = readImportRow(companyRecordKinds[kind.kind].row, row);
  if ('errors' in parsed) return { place: row.place, errors: parsed.errors };
  const { id } = parsed.data as { readonly id?: number };
  return { place: row.place, id: id ?? null, said: columnsOf(kind, parsed.data) };
};

type Meant = { readonly had: RecordRow | null } | { readonly errors: FieldErrors };

/** Among records with the same name: the exact spelling, else the active one. */
const onlyOf = (
  rows: readonly RecordRow[],
  column: string,
  name: unknown,
): readonly RecordRow[] => {
  const exact = rows.filter((row) => row[column] === name);
  const close = exact.length > 0 ? exact : rows;
  const active = close.filter((row) => row.active === 1);
  return active.length === 1 ? active : close;
};

/** The record that a row matches; null if the row creates one. */
const meantBy = (kind: RecordKind, known: Known, { id, said }: Read): Meant => {
  if (id !== null) {
    const [had] = known.with('id', id);
    return had ? { had } : { errors: { id: ['not found'] } };
  }
  const origin = said['origin_id'] ?? null;
  const [byOrigin] = known.with('origin_id', origin);
  if (byOrigin) return { had: byOrigin };
  const folded = foldedColumn(kind);
  const project = said['project_id'] ?? null;
  const byName = known
    .with(folded, said[folded])
    .filter((row) => (row['project_id'] ?? null) === project)
    // A record with a different origin_id is another record of the other system.
    .filter((row) => origin === null || row.origin_id === null);
  const [had, ...others] = onlyOf(byName, kind.name, said[kind.name]);
  if (others.length > 0)
    return {
      errors: { [kind.name]: ['is that of several records: say which by id or origin_id'] },
    };
  return { had: had ?? null };
};

/** The id of a row that creates a record, and the stamp of the change. */
type Fresh = Readonly<Record<'id' | 'updated_at', number>>;

interface Batch {
  readonly created: RecordRow[];
  readonly updated: [had: RecordRow, row: RecordRow][];
  readonly renamed: number[];
  unchanged: number;
}

/** Imports the rows in batches. */
export const recordImport = (
  context: RecordsContext,
  name: CompanyRecordKind,
  bad: ReportErrors,
): Import => {
  const { db, company_id, now } = context;
  const kind = recordKind(name);
  /** Place of the row that matched each record. */
  const places = new Map<number, string>();
  const counts = { created: 0, updated: 0, unchanged: 0 };

  const settle = (known: Known, read: Read, fresh: Fresh, batch: Batch): void => {
    const meant = meantBy(kind, known, read);
    if ('errors' in meant) return bad(read.place, meant.errors);
    const { had } = meant;
    const before = had && places.get(had.id);
    if (before) return bad(read.place, { [kind.name]: [`means the same record as ${before}`] });
    const row = rowOf(kind, had, read.said, { company_id, now, ...fresh });
    const errors = judgeRow(kind, known, had, row);
    if (Object.keys(errors).length > 0) return bad(read.place, errors);
    places.set(row.id, read.place);
    if (had && isSame(had, read.said)) {
      batch.unchanged += 1;
      return;
    }
    known.put(row);
    if (had) batch.updated.push([had, row]);
    else batch.created.push(row);
    if (had && had[kind.name] !== row[kind.name]) batch.renamed.push(row.id);
  };

  const write = async (batch: Batch): Promise<void> => {
    await insertRecords(db, kind, batch.created);
    for (const [, row] of batch.updated) await updateRecord(db, kind, row);
    await followLogins(context, kind, batch.updated);
    await followNames(context, kind, batch.renamed);
    counts.created += batch.created.length;
    counts.updated += batch.updated.length;
    counts.unchanged += batch.unchanged;
  };

  return {
    add: async (rows: readonly ImportRow[]): Promise<void> => {
      const parsed = rows.map((row) => parse(kind, row));
      const read = parsed.filter((one): one is Read => !('errors' in one));
      const ids = read.flatMap(({ id }) => (id === null ? [] : [id]));
      const said = read.map((one) => one.said);
      const known = await readKnown(db, kind, company_id, said, ids);
      // Reserves one id per row. A dry run and invalid rows leave gaps.
      const first = await takeIds(db, name, rows.length);
      const batch: Batch = { created: [], updated: [], renamed: [], unchanged: 0 };
      const updated_at = await stampChange(db, company_id, now);
      for (const [index, one] of parsed.entries())
        if ('errors' in one) bad(one.place, one.errors);
        else settle(known, one, { id: first + index, updated_at }, batch);
      await write(batch);
    },
    counts: (): ImportCounts => counts,
  };
};
