/**
 * The rules of near misses: numbering, foreign ids, rich text, custom fields, photos and the recycle bin
 * (decisions §3). Every function runs inside the transaction its context carries.
 */
import type { NearMissAttachment } from '../../contract/rest/attachments.ts';
import {
  DESCRIPTION_MAX_BYTES,
  parseRange,
  type NearMiss,
  type NearMissCreate,
  type NearMissListQuery,
  type NearMissSortField,
  type NearMissUpdate,
} from '../../contract/rest/near-misses.ts';
import { foldAll } from '../store/fold.ts';
import { takeIds } from '../store/ids.ts';
import {
  deleteAttachment,
  insertAttachments,
  listAttachments,
  type AttachmentRow,
} from '../store/near-miss-attachments.ts';
import * as store from '../store/near-misses.ts';
import { readDefinitions } from './catalog.ts';
import { recordsOf, type FilesContext } from './context.ts';
import { applyChanges, readCustomFields, type StoredFields } from './custom-fields.ts';
import { requireMatch, versionTag } from './etag.ts';
import { viewNearMiss } from './near-miss-view.ts';
import { pageOf, type Page } from './page.ts';
import { invalid, notFound } from './problem.ts';
import { plainTextOf, sanitizeRichText } from './rich-text.ts';

/** A record and the ETag of exactly this state of it (decisions §1.7). */
export interface Tagged {
  readonly data: NearMiss;
  readonly etag: string;
}

/** Which record, and from where: `incident_id` that does not match is a 404 (decisions §3.4). */
interface Target {
  readonly id: number;
  readonly incident_id?: number | undefined;
  readonly recycled?: boolean;
}

/** [ours] A photo shows more than the attachments of other records: what proves its bytes (decisions §3.7). */
const viewPhotos = (context: FilesContext, rows: readonly AttachmentRow[]): NearMissAttachment[] =>
  context.uploads.views(rows, context).map((shown, index) => ({
    ...shown,
    sha256: rows[index]?.sha256,
    size: rows[index]?.size,
    upload_uuid: rows[index]?.upload_uuid,
  }));

const view = async (
  context: FilesContext,
  rows: readonly store.NearMissRow[],
): Promise<NearMiss[]> => {
  const { db, company_id, project_id } = context;
  const definitions = await readDefinitions(db, { company_id, project_id });
  const withPhotos = rows.filter((row) => row.attachment_count > 0).map((row) => row.id);
  const photos = await listAttachments(db, company_id, withPhotos);
  return rows.map((row) =>
    viewNearMiss(
      row,
      definitions,
      row.attachment_count > 0 ? viewPhotos(context, photos.get(row.id) ?? []) : [],
    ),
  );
};

const tagged = async (context: FilesContext, row: store.NearMissRow): Promise<Tagged> => {
  const [data] = await view(context, [row]);
  if (!data) throw new Error('a row had no view');
  return { data, etag: versionTag(row.id, row.version) };
};

const find = async (context: FilesContext, target: Target): Promise<store.NearMissRow> => {
  const row = await store.findNearMiss(
    context.db,
    {
      company_id: context.company_id,
      project_id: context.project_id,
      recycled: target.recycled ?? false,
      incident_id: target.incident_id,
    },
    target.id,
  );
  if (!row) throw notFound();
  return row;
};

const idFilters = [
  'affected_company_id',
  'affected_party_id',
  'affected_person_id',
  'harm_source_id',
  'work_activity_id',
] as const;

const readFilters = (filters: NearMissListQuery['filters']): store.Filters => {
  const range = filters?.created_at === undefined ? null : parseRange(filters.created_at);
  const equipment = filters?.managed_equipment_id;
  return {
    ids: [
      ...idFilters.flatMap((column) => {
        const any_of = filters?.[column];
        return any_of === undefined ? [] : [{ column, any_of }];
      }),
      ...(equipment === undefined
        ? []
        : [{ column: 'managed_equipment_id' as const, any_of: [equipment] }]),
    ],
    created_from: range?.from ?? null,
    created_to: range?.to ?? null,
    text: filters?.query === undefined || filters.query === '' ? null : filters.query,
  };
};

const readSort = (sort: NearMissListQuery['sort']): store.Order | null => {
  if (sort === undefined) return null;
  const descending = sort.startsWith('-');
  return { field: (descending ? sort.slice(1) : sort) as NearMissSortField, descending };
};

/** Active records, or those in the recycle bin (decisions §2, §3.5). */
export const listNearMisses = (
  context: FilesContext,
  query: NearMissListQuery,
  recycled: boolean,
): Promise<Page<NearMiss>> => {
  const { company_id, project_id } = context;
  const scope = { company_id, project_id, recycled, incident_id: query.incident_id };
  const filters = readFilters(query.filters);
  const order = readSort(query.sort);
  return pageOf(query, {
    count: () => store.countNearMisses(context.db, scope, filters),
    rows: (slice) => store.listNearMisses(context.db, scope, filters, order, slice),
    view: (rows) => view(context, rows),
  });
};

export const showNearMiss = async (context: FilesContext, target: Target): Promise<Tagged> =>
  tagged(context, await find(context, target));

type Foreign = Partial<Record<store.ForeignColumn, number | null>>;

interface Changes {
  readonly foreign: Foreign;
  readonly description: { readonly html: string; readonly text: string } | null;
  readonly custom: ReadonlyMap<number, string | null>;
}

const readDescription = (description: string | null | undefined): Changes['description'] => {
  if (description === undefined) return null;
  const html = sanitizeRichText(description ?? '');
  return { html, text: plainTextOf(html) };
};

const foreignColumns = Object.keys(store.foreignColumns) as store.ForeignColumn[];

/** Judges everything a body may change, and refuses with all that is wrong at once (decisions §1.3, §3.2, §3.3). */
const readChanges = async (context: FilesContext, body: NearMissUpdate): Promise<Changes> => {
  const { db, company_id, project_id } = context;
  const errors: Record<string, readonly string[]> = {};
  if (Buffer.byteLength(body.description ?? '', 'utf8') > DESCRIPTION_MAX_BYTES)
    errors['near_miss.description'] = [`must have at most ${DESCRIPTION_MAX_BYTES} bytes`];
  const foreign: Foreign = {};
  for (const column of foreignColumns) {
    const id = body[column];
    if (id === undefined) continue;
    foreign[column] = id;
    const where = { company_id, project_id, id: id ?? 0 };
    if (id !== null && !(await store.lookupExists(db, store.foreignColumns[column], where)))
      errors[`near_miss.${column}`] = ['does not exist in this company or project'];
  }
  const definitions = await readDefinitions(db, { company_id, project_id });
  const custom = readCustomFields(body, definitions);
  Object.assign(errors, custom.errors);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return { foreign, description: readDescription(body.description), custom: custom.changes };
};

/** The text that `filters[query]` looks into (decisions §2.4). */
const searchText = (row: store.NearMissRow): string =>
  foldAll([
    row.incident_title,
    row.description_plain_text,
    row.number,
    `${row.incident_number}-${row.number}`,
    row.affected_company_name,
    row.affected_party_name,
    row.affected_person_name,
    row.managed_equipment_name,
    row.work_activity_name,
    row.harm_source_name,
  ]);

const attach = async (
  context: FilesContext,
  near_miss_id: number,
  upload_uuids: readonly string[] | undefined,
): Promise<number> => {
  if (!upload_uuids || upload_uuids.length === 0) return 0;
  const { db, company_id, user_id, now } = context;
  const files = await context.uploads.associate(db, {
    company_id,
    user_id,
    record: { type: 'near_miss', id: near_miss_id },
    upload_uuids: [...new Set(upload_uuids)],
    field: 'near_miss.upload_uuids',
    now,
  });
  await insertAttachments(db, { company_id, near_miss_id, created_at: now }, files);
  return files.length;
};

const record = recordsOf('Near Misses');

/** Reads the record back as joined, and writes the search text that follows from it. */
const finish = async (context: FilesContext, id: number): Promise<Tagged> => {
  const row = await find(context, { id });
  await store.writeSearchText(context.db, { company_id: context.company_id, id }, searchText(row));
  return tagged(context, row);
};

export const createNearMiss = async (
  context: FilesContext,
  body: NearMissCreate,
): Promise<Tagged> => {
  const { db, company_id, project_id, now } = context;
  const changes = await readChanges(context, body);
  const number = await store.takeNearMissNumber(db, {
    company_id,
    project_id,
    incident_id: body.incident_id,
  });
  if (number === null)
    throw invalid({ 'near_miss.incident_id': ['does not exist in this project'] });
  const id = await takeIds(db, 'near_misses');
  await store.insertNearMiss(db, {
    company_id,
    id,
    project_id,
    incident_id: body.incident_id,
    number,
    recordable: 0,
    affected_company_id: null,
    affected_party_id: null,
    affected_person_id: null,
    harm_source_id: null,
    work_activity_id: null,
    managed_equipment_id: null,
    ...changes.foreign,
    created_by: context.user_id,
    created_at: now,
    updated_at: now,
    deleted_at: null,
    version: 1,
    attachment_count: 0,
    custom_fields: JSON.stringify(applyChanges({}, changes.custom)),
    description: changes.description?.html ?? '',
    description_plain_text: changes.description?.text ?? '',
    search: '',
  });
  const photos = await attach(context, id, body.upload_uuids);
  if (photos > 0) await store.countAttachments(db, { company_id, id }, photos);
  await record(context, id, 'create');
  return finish(context, id);
};

export const updateNearMiss = async (
  context: FilesContext,
  target: Target,
  body: NearMissUpdate,
  if_match: string | undefined,
): Promise<Tagged> => {
  const { db, company_id, now } = context;
  const row = await find(context, target);
  requireMatch(if_match, versionTag(row.id, row.version));
  const changes = await readChanges(context, body);
  const photos = await attach(context, row.id, body.upload_uuids);
  const { description } = changes;
  const touched =
    photos > 0 ||
    description !== null ||
    changes.custom.size > 0 ||
    Object.keys(changes.foreign).length > 0;
  if (!touched) return tagged(context, row);
  await store.updateNearMiss(
    db,
    { company_id, id: row.id },
    {
      ...changes.foreign,
      ...(description === null
        ? {}
        : { description: description.html, description_plain_text: description.text }),
      custom_fields: JSON.stringify(
        applyChanges(JSON.parse(row.custom_fields) as StoredFields, changes.custom),
      ),
      attachment_count: row.attachment_count + photos,
      updated_at: now,
    },
  );
  await record(context, row.id, 'update');
  return finish(context, row.id);
};

/** Into the recycle bin (decisions §3.5). */
export const recycleNearMiss = async (
  context: FilesContext,
  target: Target,
  if_match: string | undefined,
): Promise<void> => {
  const { db, company_id, now } = context;
  const row = await find(context, target);
  requireMatch(if_match, versionTag(row.id, row.version));
  await store.updateNearMiss(db, { company_id, id: row.id }, { deleted_at: now, updated_at: now });
  await record(context, row.id, 'delete');
};

/** Out of it again: an `update` to whoever listens (decisions §9.2). */
export const restoreNearMiss = async (
  context: FilesContext,
  target: Target,
  if_match: string | undefined,
): Promise<Tagged> => {
  const { db, company_id, now } = context;
  const row = await find(context, { ...target, recycled: true });
  requireMatch(if_match, versionTag(row.id, row.version));
  await store.updateNearMiss(db, { company_id, id: row.id }, { deleted_at: null, updated_at: now });
  await record(context, row.id, 'update');
  return tagged(context, await find(context, { id: row.id }));
};

/** [ours] Takes one photo off (decisions §3.7). */
export const removeAttachment = async (
  context: FilesContext,
  target: Target,
  attachment_id: number,
  if_match: string | undefined,
): Promise<void> => {
  const { db, company_id, now } = context;
  const row = await find(context, target);
  requireMatch(if_match, versionTag(row.id, row.version));
  const removed = await deleteAttachment(db, {
    company_id,
    near_miss_id: row.id,
    id: attachment_id,
  });
  if (!removed) throw notFound();
  await context.uploads.release(db, { company_id, upload_uuid: removed.upload_uuid });
  await store.updateNearMiss(
    db,
    { company_id, id: row.id },
    { attachment_count: row.attachment_count - 1, updated_at: now },
  );
  await record(context, row.id, 'update');
};
