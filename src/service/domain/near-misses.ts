/**
 * The rules of near misses: numbering, foreign ids, rich text, custom fields, photos and the recycle bin
 * (decisions §3). Every function runs inside the transaction its context carries.
 */
import type { NearMissAttachment } from '../../contract/rest/attachments.ts';
import {
  DESCRIPTION_MAX_BYTES,
  type NearMiss,
  type NearMissCreate,
  type NearMissUpdate,
} from '../../contract/rest/near-misses.ts';
import { unread } from '../store/gather.ts';
import { takeIds } from '../store/ids.ts';
import {
  deleteAttachment,
  insertAttachments,
  listAttachments,
  type AttachmentRow,
} from '../store/near-miss-attachments.ts';
import * as lists from '../store/near-miss-lists.ts';
import * as mentions from '../store/near-miss-mentions.ts';
import * as store from '../store/near-misses.ts';
import { readDefinitions } from './catalog.ts';
import { recordsOf, type FilesContext } from './context.ts';
import {
  applyChanges,
  namesCustomFields,
  noFieldChanges,
  readCustomFields,
  type StoredFields,
} from './custom-fields.ts';
import { requireMatch, versionTag } from './etag.ts';
import { viewNearMiss } from './near-miss-view.ts';
import { invalid, notFound } from './problem.ts';
import { plainTextOf, sanitizeRichText } from './rich-text.ts';
import { searchText } from './search-text.ts';

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

/** Records as they are answered, but for their photos. */
export const viewWithoutPhotos = async (
  { db, company_id, project_id }: FilesContext,
  rows: readonly lists.NearMissRow[],
): Promise<NearMiss[]> => {
  const definitions = rows.some((row) => row.custom_fields !== '{}')
    ? await readDefinitions(db, { company_id, project_id })
    : new Map<never, never>();
  return rows.map((row) => viewNearMiss(row, definitions));
};

/** The photos of these records, by record. */
export const photosOf = async (
  context: FilesContext,
  ids: readonly number[],
): Promise<ReadonlyMap<number, NearMissAttachment[]>> => {
  const rows = await listAttachments(context.db, context.company_id, ids);
  return new Map([...rows].map(([id, photos]) => [id, viewPhotos(context, photos)]));
};

const tagged = async (context: FilesContext, row: lists.NearMissRow): Promise<Tagged> => {
  const [view] = await viewWithoutPhotos(context, [row]);
  if (!view) throw new Error('a row had no view');
  const photos = row.attachment_count > 0 ? await photosOf(context, [row.id]) : null;
  const data = { ...view, attachments: photos?.get(row.id) ?? [] };
  return { data, etag: versionTag(row.id, row.version) };
};

const find = async (context: FilesContext, target: Target): Promise<lists.NearMissRow> => {
  const row = await lists.findNearMiss(
    context.db,
    {
      company_id: context.company_id,
      project_id: context.project_id,
      user_id: context.user_id,
      recycled: target.recycled ?? false,
      incident_id: target.incident_id,
    },
    target.id,
  );
  if (!row) throw notFound();
  return row;
};

export const showNearMiss = async (context: FilesContext, target: Target): Promise<Tagged> =>
  tagged(context, await find(context, target));

type Foreign = Partial<Record<lists.ForeignColumn, mentions.Mentioned | null>>;

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

const foreignColumns = Object.keys(lists.foreignColumns) as lists.ForeignColumn[];

/**
 * Judges everything a body may change, and refuses with all that is wrong at once (decisions §1.3, §3.2, §3.3).
 * @param had the record that there is: what it was answered with may be sent back, although `&amp;` is longer than `&`; null: none yet
 */
const readChanges = async (
  context: FilesContext,
  body: NearMissUpdate,
  had: Pick<lists.NearMissRow, 'description' | 'custom_fields'> | null,
): Promise<Changes> => {
  const { db, company_id, project_id } = context;
  const errors: Record<string, readonly string[]> = {};
  const description = body.description ?? '';
  if (
    description !== had?.description &&
    Buffer.byteLength(description, 'utf8') > DESCRIPTION_MAX_BYTES
  )
    errors['near_miss.description'] = [`must have at most ${DESCRIPTION_MAX_BYTES} bytes`];
  const foreign: Foreign = {};
  const read = async (place: lists.ForeignColumn): Promise<void> => {
    const id = body[place];
    if (id === undefined) return;
    const row =
      id === null ? null : await mentions.findMentioned(db, { company_id, project_id, place, id });
    foreign[place] = row;
    if (id !== null && !row)
      errors[`near_miss.${place}`] = ['does not exist in this company or project'];
  };
  await Promise.all(foreignColumns.map(read));
  const custom = namesCustomFields(body)
    ? readCustomFields(
        body,
        await readDefinitions(db, { company_id, project_id }),
        had && (JSON.parse(had.custom_fields) as StoredFields),
      )
    : noFieldChanges;
  Object.assign(errors, custom.errors);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return { foreign, description: readDescription(body.description), custom: custom.changes };
};

/** What a change makes of a record: its columns, and what an answer shows beside them. */
const changed = (
  { foreign, description, custom }: Changes,
  stored: StoredFields,
): Partial<lists.NearMissRow> => ({
  ...Object.fromEntries(
    foreignColumns.flatMap((column) => {
      const row = foreign[column];
      return row === undefined ? [] : Object.entries(mentions.shownOf(column, row));
    }),
  ),
  ...(description === null
    ? {}
    : { description: description.html, description_plain_text: description.text }),
  custom_fields: JSON.stringify(applyChanges(stored, custom)),
});

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

/** A record nobody has said anything about yet. */
const blank = {
  recordable: 0,
  deleted_at: null,
  version: 1,
  attachment_count: 0,
  custom_fields: '{}',
  description: '',
  description_plain_text: '',
  ...mentions.shownOf('affected_company_id', null),
  ...mentions.shownOf('affected_party_id', null),
  ...mentions.shownOf('affected_person_id', null),
  ...mentions.shownOf('harm_source_id', null),
  ...mentions.shownOf('work_activity_id', null),
  ...mentions.shownOf('managed_equipment_id', null),
};

const noSuchIncident = () =>
  invalid({ 'near_miss.incident_id': ['does not exist in this project'] });

/**
 * Creates that run beside each other ask the database together (store/gather.ts): every question that does not need the answer
 * of another is asked in the same turn.
 */
export const createNearMiss = async (
  context: FilesContext,
  body: NearMissCreate,
): Promise<Tagged> => {
  const { db, company_id, project_id, user_id, now } = context;
  const { incident_id } = body;
  const where = { company_id, project_id, incident_id };
  const its = { company_id, project_id, id: incident_id };
  const [changes, creator, hidden] = await Promise.all([
    readChanges(context, body, null),
    mentions.findMentioned(db, { ...its, place: 'incident_id' }),
    mentions.findMentioned(db, { ...its, place: 'hidden_incident_id', user_id }),
  ]);
  if (hidden !== null) throw noSuchIncident();
  const [incident, id, event_id] = await Promise.all([
    store.takeNearMissNumber(db, where),
    takeIds(db, 'near_misses'),
    takeIds(db, 'events'),
  ]);
  if (incident === null) throw noSuchIncident();
  const row = {
    ...blank,
    ...incident,
    id,
    created_at: now,
    updated_at: now,
    ...changed(changes, {}),
    creator_id: creator === null ? null : incident.created_by,
    creator_name: creator?.name ?? null,
    creator_login: creator?.login ?? null,
  } as lists.NearMissRow;
  const made = { ...row, company_id, project_id, created_by: user_id, search: searchText(row) };
  const inserted = store.insertNearMiss(db, store.storedOf(made));
  if (!body.upload_uuids?.length) {
    await unread(db, Promise.all([inserted, record(context, id, 'create', event_id)]));
    return tagged(context, row);
  }
  await inserted;
  const photos = await attach(context, id, body.upload_uuids);
  await store.countAttachments(db, { company_id, id }, photos);
  await record(context, id, 'create', event_id);
  return tagged(context, { ...row, attachment_count: photos });
};

/** What an update may write. */
const written = [
  ...foreignColumns,
  'description',
  'description_plain_text',
  'custom_fields',
  'attachment_count',
] as const;

export const updateNearMiss = async (
  context: FilesContext,
  target: Target,
  body: NearMissUpdate,
  if_match: string | undefined,
): Promise<Tagged> => {
  const { db, company_id, project_id, now } = context;
  const row = await find(context, target);
  requireMatch(if_match, versionTag(row.id, row.version));
  const changes = await readChanges(context, body, row);
  const photos = await attach(context, row.id, body.upload_uuids);
  const next = {
    ...row,
    ...changed(changes, JSON.parse(row.custom_fields) as StoredFields),
    attachment_count: row.attachment_count + photos,
    updated_at: now,
    version: row.version + 1,
  };
  // What is sent as it was moves nothing and tells nobody.
  if (written.every((column) => next[column] === row[column])) return tagged(context, row);
  await store.updateNearMiss(
    db,
    { company_id, project_id, id: row.id },
    {
      ...(Object.fromEntries(foreignColumns.map((column) => [column, next[column]])) as Record<
        lists.ForeignColumn,
        number | null
      >),
      description: next.description,
      description_plain_text: next.description_plain_text,
      custom_fields: next.custom_fields,
      attachment_count: next.attachment_count,
      updated_at: now,
      search: searchText(next),
    },
  );
  await record(context, row.id, 'update');
  return tagged(context, next);
};

/** Into the recycle bin (decisions §3.5). */
export const recycleNearMiss = async (
  context: FilesContext,
  target: Target,
  if_match: string | undefined,
): Promise<void> => {
  const { db, company_id, project_id, now } = context;
  const row = await find(context, target);
  requireMatch(if_match, versionTag(row.id, row.version));
  await store.recycleNearMiss(db, { company_id, project_id, id: row.id }, true, now);
  await record(context, row.id, 'delete');
};

/** Out of it again: an `update` to whoever listens (decisions §9.2). */
export const restoreNearMiss = async (
  context: FilesContext,
  target: Target,
  if_match: string | undefined,
): Promise<Tagged> => {
  const { db, company_id, project_id, now } = context;
  const row = await find(context, { ...target, recycled: true });
  requireMatch(if_match, versionTag(row.id, row.version));
  await store.recycleNearMiss(db, { company_id, project_id, id: row.id }, false, now);
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
  const { db, company_id, project_id, now } = context;
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
    { company_id, project_id, id: row.id },
    { attachment_count: row.attachment_count - 1, updated_at: now },
  );
  await record(context, row.id, 'update');
};
