/** [ours] The rules of a company's records, one record at a time (decisions §11.1-11.4). */
import {
  companyRecordKinds,
  type CompanyRecordKind,
  type CompanyRecordQuery,
} from '../../../contract/rest/company-records.ts';
import type { Access } from '../../../contract/rest/access/levels.ts';
import * as store from '../../store/company-records.ts';
import type { RecordRow } from '../../store/company-records.ts';
import { touchListing } from '../../store/near-misses/incidents.ts';
import type { Db } from '../../store/engine/db.ts';
import { stampChange } from '../../store/engine/change-clock.ts';
import { takeIds } from '../../store/engine/ids.ts';
import { seesProject } from '../access/access.ts';
import { columnsOf, recordKind, viewRecord, type RecordKind } from './company-record-kinds.ts';
import { isSame, judgeRow, readKnown, rowOf } from './company-record-rows.ts';
import { requireMatch, versionTag } from '../etag.ts';
import { followedPage, followingOf } from '../following.ts';
import { pageOf, type Page } from '../page.ts';
import { invalid, notFound, type FieldErrors } from '../problem.ts';
import { refreshSearchTexts } from '../search-text.ts';
import type { UploadPorts } from '../uploads/upload-ports.ts';

export interface RecordsContext {
  /** For writes, the transaction. */
  readonly db: Db;
  readonly company_id: number;
  /** What the caller may do in the company (decisions §12.2). */
  readonly access: Access;
  readonly now: number;
}

/** A create may include a file. */
export interface CreateContext extends RecordsContext {
  readonly user_id: number;
  readonly uploads: UploadPorts;
}

type Body = Readonly<Record<string, unknown>>;

/** A record and the ETag of this state (decisions §1.7). */
export interface TaggedRecord {
  readonly data: Body;
  readonly etag: string;
}

const tagged = (name: CompanyRecordKind, row: RecordRow): TaggedRecord => ({
  data: viewRecord(name, row),
  etag: versionTag(row),
});

export const listRecords = (
  { db, company_id, access }: RecordsContext,
  name: CompanyRecordKind,
  query: CompanyRecordQuery,
): Promise<Page<Body>> => {
  const { active, updated_at: _, ...rest } = query.filters ?? {};
  const { project_ids } = access;
  const filters =
    active === undefined
      ? { ...rest, project_ids }
      : { ...rest, project_ids, active: active === 'true' ? (1 as const) : (0 as const) };
  const kind = recordKind(name);
  const view = (rows: readonly RecordRow[]) => rows.map((row) => viewRecord(name, row));
  const following = followingOf(query);
  if (following !== null)
    return followedPage(query, {
      ...store.followRecords(db, kind, company_id, filters, following),
      rows: (ids) => store.findRecordsBy(db, kind, company_id, 'id', ids),
      view,
    });
  return pageOf(query, {
    count: () => store.countRecords(db, kind, company_id, filters),
    rows: (slice) => store.listRecords(db, kind, company_id, filters, slice),
    view,
  });
};

const find = async (
  { db, company_id, access }: RecordsContext,
  kind: RecordKind,
  id: number,
): Promise<RecordRow> => {
  const row = await store.findRecord(db, kind, company_id, id);
  if (!row) throw notFound();
  const project_id = kind.kind === 'projects' ? row.id : row['project_id'];
  if (typeof project_id === 'number' && !seesProject(access, project_id)) throw notFound();
  return row;
};

/** @throws Refusal 404 */
export const showRecord = async (
  context: RecordsContext,
  name: CompanyRecordKind,
  id: number,
): Promise<TaggedRecord> => tagged(name, await find(context, recordKind(name), id));

/** Throws the errors of a row under the body's field names. @throws Refusal 422 */
const refuse = ({ one }: RecordKind, errors: FieldErrors): void => {
  const named = Object.entries(errors).map(([field, messages]) => [`${one}.${field}`, messages]);
  if (named.length > 0) throw invalid(Object.fromEntries(named) as FieldErrors);
};

/** Updates the search texts of near misses after a name changed. */
export const followNames = async (
  { db, company_id }: RecordsContext,
  { searched }: RecordKind,
  ids: readonly number[],
): Promise<void> => {
  if (searched !== null && ids.length > 0) await refreshSearchTexts(db, company_id, searched, ids);
};

/** A person with another login sees other private incidents (decisions §4.5): they come again to readers of the lists. */
export const followLogins = async (
  { db, company_id }: RecordsContext,
  { of_users }: RecordKind,
  changes: readonly (readonly [had: RecordRow, row: RecordRow])[],
): Promise<void> => {
  const changed = changes.filter(([had, row]) => of_users.some((name) => had[name] !== row[name]));
  const [first] = changed;
  if (first === undefined) return;
  const ids = changed.map(([, row]) => row.id);
  await touchListing(db, company_id, ids, first[1].updated_at);
};

/** Takes over the upload of a new document. Empty if the body names none. @throws Refusal 422 */
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
  const updated_at = await stampChange(db, company_id, now);
  const row = rowOf(kind, null, said, { company_id, id, now, updated_at });
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
  requireMatch(if_match, versionTag(had));
  const said = columnsOf(kind, body);
  if (isSame(had, said)) return tagged(name, had);
  const updated_at = await stampChange(db, company_id, now);
  const row = rowOf(kind, had, said, { company_id, id, now, updated_at });
  refuse(kind, judgeRow(kind, await readKnown(db, kind, company_id, [said], [id]), had, row));
  await store.updateRecord(db, kind, row);
  await followLogins(context, kind, [[had, row]]);
  if (row[kind.name] !== had[kind.name]) await followNames(context, kind, [id]);
  return tagged(name, row);
};

export const insideOf = (name: CompanyRecordKind, body: unknown): Body =>
  (body as Readonly<Record<string, Body>>)[companyRecordKinds[name].one] ?? {};
