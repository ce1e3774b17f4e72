/** [ours] The rules of what a company keeps itself, one record at a time (decisions §11.1-11.4). */
import {
  companyRecordKinds,
  type CompanyRecordKind,
  type CompanyRecordQuery,
} from '../../contract/rest/company-records.ts';
import * as store from '../store/company-records.ts';
import type { RecordRow } from '../store/company-records.ts';
import type { Db } from '../store/db.ts';
import { takeIds } from '../store/ids.ts';
import { columnsOf, recordKind, viewRecord, type RecordKind } from './company-record-kinds.ts';
import { isSame, judgeRow, readKnown, rowOf } from './company-record-rows.ts';
import { requireMatch, versionTag } from './etag.ts';
import { pageOf, type Page } from './page.ts';
import { invalid, notFound, type FieldErrors } from './problem.ts';
import { refreshSearchTexts } from './search-text.ts';
import type { UploadPorts } from './upload-ports.ts';

export interface RecordsContext {
  /** Where a rule writes, the write's transaction. */
  readonly db: Db;
  readonly company_id: number;
  readonly now: number;
}

/** A create may bring a file. */
export interface CreateContext extends RecordsContext {
  readonly user_id: number;
  readonly uploads: UploadPorts;
}

type Body = Readonly<Record<string, unknown>>;

/** A record and the ETag of exactly this state of it (decisions §1.7). */
export interface TaggedRecord {
  readonly data: Body;
  readonly etag: string;
}

const tagged = (name: CompanyRecordKind, row: RecordRow): TaggedRecord => ({
  data: viewRecord(name, row),
  etag: versionTag(row.id, row.version),
});

export const listRecords = (
  { db, company_id }: RecordsContext,
  name: CompanyRecordKind,
  query: CompanyRecordQuery,
): Promise<Page<Body>> => {
  const { active, ...rest } = query.filters ?? {};
  const filters =
    active === undefined
      ? rest
      : { ...rest, active: active === 'true' ? (1 as const) : (0 as const) };
  const kind = recordKind(name);
  return pageOf(query, {
    count: () => store.countRecords(db, kind, company_id, filters),
    rows: (slice) => store.listRecords(db, kind, company_id, filters, slice),
    view: (rows) => rows.map((row) => viewRecord(name, row)),
  });
};

const find = async (
  { db, company_id }: RecordsContext,
  kind: RecordKind,
  id: number,
): Promise<RecordRow> => {
  const row = await store.findRecord(db, kind, company_id, id);
  if (!row) throw notFound();
  return row;
};

/** @throws Refusal 404 */
export const showRecord = async (
  context: RecordsContext,
  name: CompanyRecordKind,
  id: number,
): Promise<TaggedRecord> => tagged(name, await find(context, recordKind(name), id));

/** The errors of a row, named as the body names its fields. @throws Refusal 422 */
const refuse = ({ one }: RecordKind, errors: FieldErrors): void => {
  const named = Object.entries(errors).map(([field, messages]) => [`${one}.${field}`, messages]);
  if (named.length > 0) throw invalid(Object.fromEntries(named) as FieldErrors);
};

/** After names changed: near misses are found by the new ones. */
export const followNames = async (
  { db, company_id }: RecordsContext,
  { searched }: RecordKind,
  ids: readonly number[],
): Promise<void> => {
  if (searched !== null && ids.length > 0) await refreshSearchTexts(db, company_id, searched, ids);
};

/** The stored file of the upload that a document is made of; nothing where the body names none. @throws Refusal 422 */
const takeFile = async (
  context: CreateContext,
  id: number,
  body: Body,
): Promise<Readonly<Record<string, store.Value>>> => {
  const { db, company_id, user_id, now } = context;
  const uuid = body['upload_uuid'];
  if (typeof uuid !== 'string') return {};
  const [taken] = await context.uploads.associate(db, {
    company_id,
    user_id,
    record: { type: 'document', id },
    upload_uuids: [uuid],
    field: 'document.upload_uuid',
    now,
  });
  if (!taken) throw new Error('a new document had its upload already');
  return { stored_file_id: taken.stored_file_id };
};

/** @throws Refusal 422 */
export const createRecord = async (
  context: CreateContext,
  name: CompanyRecordKind,
  body: Body,
): Promise<TaggedRecord> => {
  const { db, company_id, now } = context;
  const kind = recordKind(name);
  const said = columnsOf(kind, body);
  const id = await takeIds(db, name);
  const row = rowOf(kind, null, said, { company_id, id, now });
  refuse(kind, judgeRow(kind, await readKnown(db, kind, company_id, [said], []), null, row));
  const whole: RecordRow = { ...row, ...(await takeFile(context, id, body)) };
  await store.insertRecords(db, kind, [whole]);
  return tagged(name, whole);
};

/** @throws Refusal 404, 412, 422 */
export const updateRecord = async (
  context: RecordsContext,
  name: CompanyRecordKind,
  id: number,
  body: Body,
  if_match: string | undefined,
): Promise<TaggedRecord> => {
  const { db, company_id, now } = context;
  const kind = recordKind(name);
  const had = await find(context, kind, id);
  requireMatch(if_match, versionTag(id, had.version));
  const said = columnsOf(kind, body);
  if (isSame(had, said)) return tagged(name, had);
  const row = rowOf(kind, had, said, { company_id, id, now });
  refuse(kind, judgeRow(kind, await readKnown(db, kind, company_id, [said], [id]), had, row));
  await store.updateRecord(db, kind, row);
  if (row[kind.name] !== had[kind.name]) await followNames(context, kind, [id]);
  return tagged(name, row);
};

/** What a body of this kind says, out of its object. */
export const insideOf = (name: CompanyRecordKind, body: unknown): Body =>
  (body as Readonly<Record<string, Body>>)[companyRecordKinds[name].one] ?? {};
