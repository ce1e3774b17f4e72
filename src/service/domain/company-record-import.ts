/**
 * [ours] Many records of one kind at once, all of them or none (decisions §11.5). Rows come in batches, so that a file of any length
 * needs the memory of one; every bad row is told, by its place. A row means the record of its id, else of its origin_id, else of its name.
 */
import { companyRecordKinds, type CompanyRecordKind } from '../../contract/rest/company-records.ts';
import {
  foldedColumn,
  insertRecords,
  updateRecord,
  type RecordRow,
} from '../store/company-records.ts';
import { takeIds } from '../store/ids.ts';
import { columnsOf, recordKind, type RecordKind } from './company-record-kinds.ts';
import {
  isSame,
  judgeRow,
  readKnown,
  rowOf,
  type Columns,
  type Known,
} from './company-record-rows.ts';
import { followNames, type RecordsContext } from './company-records.ts';
import {
  readImportRow,
  type Import,
  type ImportCounts,
  type ImportRow,
  type TellBad,
} from './import-rows.ts';
import type { FieldErrors } from './problem.ts';

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

/** Of several with the name: the one written exactly so, else the one that is still offered. */
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

/** Which record a row means; none: it is a new one. */
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
    // Known to the other system under another id: not this one.
    .filter((row) => origin === null || row.origin_id === null);
  const [had, ...others] = onlyOf(byName, kind.name, said[kind.name]);
  if (others.length > 0)
    return {
      errors: { [kind.name]: ['is that of several records: say which by id or origin_id'] },
    };
  return { had: had ?? null };
};

/** What is written at the end of a batch. */
interface Batch {
  readonly created: RecordRow[];
  readonly updated: RecordRow[];
  readonly renamed: number[];
  unchanged: number;
}

/** The rows of one import, a batch at a time. */
export const recordImport = (
  context: RecordsContext,
  name: CompanyRecordKind,
  bad: TellBad,
): Import => {
  const { db, company_id, now } = context;
  const kind = recordKind(name);
  /** Each record that a row has meant, and where. */
  const places = new Map<number, string>();
  const counts = { created: 0, updated: 0, unchanged: 0 };

  const settle = (known: Known, read: Read, fresh: number, batch: Batch): void => {
    const meant = meantBy(kind, known, read);
    if ('errors' in meant) return bad(read.place, meant.errors);
    const { had } = meant;
    const before = had && places.get(had.id);
    if (before) return bad(read.place, { [kind.name]: [`means the same record as ${before}`] });
    const row = rowOf(kind, had, read.said, { company_id, id: fresh, now });
    const errors = judgeRow(kind, known, had, row);
    if (Object.keys(errors).length > 0) return bad(read.place, errors);
    places.set(row.id, read.place);
    if (had && isSame(had, read.said)) {
      batch.unchanged += 1;
      return;
    }
    known.put(row);
    (had ? batch.updated : batch.created).push(row);
    if (had && had[kind.name] !== row[kind.name]) batch.renamed.push(row.id);
  };

  const write = async (batch: Batch): Promise<void> => {
    await insertRecords(db, kind, batch.created);
    for (const row of batch.updated) await updateRecord(db, kind, row);
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
      // One for each row, used or not: what a dry run and a bad row took is a gap.
      const first = await takeIds(db, name, rows.length);
      const batch: Batch = { created: [], updated: [], renamed: [], unchanged: 0 };
      for (const [index, one] of parsed.entries())
        if ('errors' in one) bad(one.place, one.errors);
        else settle(known, one, first + index, batch);
      await write(batch);
    },
    counts: (): ImportCounts => counts,
  };
};
