/**
 * The rules of near misses: numbering, foreign ids, rich text, custom fields, photos and the recycle bin (decisions §3). Every
 * function uses the connection in its context; for writes this is the transaction.
 */
import type { NearMissAttachment } from '../../../contract/rest/attachments.ts';
import {
  eachField,
  isText,
  lookupFields,
  nearMissFields,
  textFields,
  type FieldName,
  type TextField,
} from '../../../contract/rest/near-miss-fields.ts';
import type {
  NearMiss,
  nearMissCreate,
  NearMissCreate,
  NearMissUpdate,
} from '../../../contract/rest/near-misses.ts';
import { unread } from '../../store/engine/batch.ts';
import { uploadOwner } from '../../store/uploads.ts';
import { stampChange } from '../../store/engine/change-clock.ts';
import { takeIds } from '../../store/engine/ids.ts';
import {
  deleteAttachment,
  insertAttachments,
  listAttachments,
  type AttachmentRow,
} from '../../store/near-misses/near-miss-attachments.ts';
import * as lists from '../../store/near-misses/near-miss-lists.ts';
import * as mentions from '../../store/near-misses/near-miss-references.ts';
import * as store from '../../store/near-misses/near-misses.ts';
import { requireOwn, seesOwnOnly } from '../access/access.ts';
import { requireUpdate, type ReportChange } from '../access/answers.ts';
import { readDefinitions } from '../catalog.ts';
import { recordsOf, type FilesContext } from '../context.ts';
import {
  applyChanges,
  namesCustomFields,
  noFieldChanges,
  readCustomFields,
  type StoredFields,
} from './custom-fields.ts';
import { requireMatch, versionTag } from '../etag.ts';
import { recordMails } from '../mail/mail-events.ts';
import { changedFields, photoChanges, recordHistory } from './near-miss-history.ts';
import { viewNearMiss } from './near-miss-view.ts';
import { invalid, notFound } from '../problem.ts';
import { requireNotHeld } from '../retention/legal-holds.ts';
import { requireNames } from '../retention/anonymised.ts';
import { plainTextOf, sanitizeRichText } from '../rich-text.ts';
import { searchText } from '../search-text.ts';

/** A record and the ETag of this state (decisions §1.7). */
export interface Tagged {
  readonly data: NearMiss;
  readonly etag: string;
}

/** Identifies a record. An `incident_id` that does not match is a 404 (decisions §3.4). */
interface Target {
  readonly id: number;
  readonly incident_id?: number | undefined;
  readonly recycled?: boolean;
}

/** [ours] Adds the fields that prove a photo's bytes (decisions §3.7). */
const viewPhotos = (context: FilesContext, rows: readonly AttachmentRow[]): NearMissAttachment[] =>
  context.uploads.views(rows, context).map((shown, index) => ({
    ...shown,
    sha256: rows[index]?.sha256,
    size: rows[index]?.size,
    upload_uuid: rows[index]?.upload_uuid,
  }));

export const viewWithoutPhotos = async (
  { db, company_id, project_id }: FilesContext,
  rows: readonly lists.NearMissRow[],
): Promise<NearMiss[]> => {
  const definitions = rows.some((row) => row.custom_fields !== '{}')
    ? await readDefinitions(db, { company_id, project_id })
    : new Map<never, never>();
  return rows.map((row) => viewNearMiss(row, definitions));
};

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
  return { data, etag: versionTag(row) };
};

const find = async (context: FilesContext, target: Target): Promise<lists.NearMissRow> => {
  const row = await lists.findNearMiss(
    context.db,
    {
      company_id: context.company_id,
      project_id: context.project_id,
      user_id: context.user_id,
      recycled: target.recycled ?? false,
      own: seesOwnOnly(context.access),
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
  readonly texts: Partial<Record<TextField, string>>;
  readonly custom: ReadonlyMap<number, string | null>;
}

const readDescription = (description: string | null | undefined): Changes['description'] => {
  if (description === undefined) return null;
  const html = sanitizeRichText(description ?? '');
  return { html, text: plainTextOf(html) };
};

/** The plain text fields that the body has. */
const readTexts = (body: NearMissUpdate): Changes['texts'] =>
  Object.fromEntries(
    Object.entries(body)
      .filter(([name, value]) => isText(name) && value !== undefined)
      .map(([name, value]) => [name, value ?? '']),
  );

/**
 * Validates a body and reports all errors at once (decisions §1.3, §3.2, §3.3).
 * @param had the existing record, or null. Its description may be sent back unchanged even if escaping made it too long
 * (`&amp;` for `&`).
 */
const readChanges = async (
  context: FilesContext,
  body: NearMissUpdate,
  had: Pick<lists.NearMissRow, 'description' | 'custom_fields'> | null,
): Promise<Changes> => {
  const { db, company_id, project_id } = context;
  const errors: Record<string, readonly string[]> = {};
  const description = body.description ?? '';
  const { maxBytes } = nearMissFields.description;
  if (description !== had?.description && Buffer.byteLength(description, 'utf8') > maxBytes)
    errors['near_miss.description'] = [`must have at most ${maxBytes} bytes`];
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
  await Promise.all(lookupFields.map(read));
  const custom = namesCustomFields(body)
    ? readCustomFields(
        body,
        await readDefinitions(db, { company_id, project_id }),
        had && (JSON.parse(had.custom_fields) as StoredFields),
      )
    : noFieldChanges;
  Object.assign(errors, custom.errors);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return {
    foreign,
    description: readDescription(body.description),
    texts: readTexts(body),
    custom: custom.changes,
  };
};

/** The columns that a change sets, and the joined columns that a response shows. */
const changed = (
  { foreign, description, texts, custom }: Changes,
  stored: StoredFields,
): Partial<lists.NearMissRow> => ({
  ...Object.fromEntries(
    lookupFields.flatMap((column) => {
      const row = foreign[column];
      return row === undefined ? [] : Object.entries(mentions.shownOf(column, row));
    }),
  ),
  ...(description === null
    ? {}
    : { description: description.html, description_plain_text: description.text }),
  ...texts,
  custom_fields: JSON.stringify(applyChanges(stored, custom)),
});

/** Returns the names of the files that are new on the record. */
const attach = async (
  context: FilesContext,
  near_miss_id: number,
  upload_uuids: readonly string[] | undefined,
): Promise<readonly string[]> => {
  if (!upload_uuids || upload_uuids.length === 0) return [];
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
  return files.map(({ filename }) => filename);
};

const record = recordsOf('Near Misses');

const blank = {
  recordable: 0,
  deleted_at: null,
  anonymised_at: null,
  erased_at: null,
  version: 1,
  attachment_count: 0,
  comment_count: 0,
  custom_fields: '{}',
  description: '',
  description_plain_text: '',
  ...eachField(textFields, () => ''),
  ...Object.fromEntries(
    lookupFields.flatMap((column) => Object.entries(mentions.shownOf(column, null))),
  ),
};

const noSuchIncident = () =>
  invalid({ 'near_miss.incident_id': ['does not exist in this project'] });

/** The caller, as `created_by` shows it (decisions §3.8). */
type Author = NonNullable<NearMiss['created_by']>;

/**
 * Concurrent creates share their queries (store/engine/batch.ts), so every query that needs no earlier result is issued in the same
 * tick.
 */
export const createNearMiss = async (
  context: FilesContext,
  body: NearMissCreate,
  author: Author,
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
  const [incident, id, event_id, updated_at] = await Promise.all([
    store.takeNearMissNumber(db, where),
    takeIds(db, 'near_misses'),
    takeIds(db, 'events'),
    stampChange(db, company_id, now),
  ]);
  if (incident === null) throw noSuchIncident();
  const row = {
    ...blank,
    ...incident,
    id,
    created_at: now,
    updated_at,
    ...changed(changes, {}),
    creator_id: creator === null ? null : incident.created_by,
    creator_name: creator?.name ?? null,
    creator_login: creator?.login ?? null,
    author_id: author.id,
    author_name: author.name,
    author_login: author.login,
  } as lists.NearMissRow;
  const own = { company_id, project_id, created_by: user_id, created_with: context.client };
  const made = { ...row, ...own, search: searchText(row) };
  const inserted = store.insertNearMiss(db, store.storedOf(made));
  if (!body.upload_uuids?.length) {
    await unread(db, Promise.all([inserted, record(context, id, 'create', event_id)]));
    await recordMails(context, row, null);
    return tagged(context, row);
  }
  await inserted;
  const photos = (await attach(context, id, body.upload_uuids)).length;
  await store.countAttachments(db, { company_id, id }, photos);
  await record(context, id, 'create', event_id);
  await recordMails(context, row, null);
  return tagged(context, { ...row, attachment_count: photos });
};

/** The columns that an update compares and writes. */
const written = [
  ...lookupFields,
  ...textFields,
  'description',
  'description_plain_text',
  'custom_fields',
  'attachment_count',
] as const;
type Written = (typeof written)[number];

/** The keys of a body beside the table of fields, each handled by name. One that is handled nowhere does not compile. */
({ incident_id: true, upload_uuids: true }) satisfies Record<
  Exclude<keyof typeof nearMissCreate.shape, FieldName>,
  true
>;

const callerIn = (context: FilesContext) => ({
  ...context,
  login: context.user.login,
  name: context.user.name,
});

/** The fields that an update would change, besides photos. */
const changeOf = (row: lists.NearMissRow, values: Partial<lists.NearMissRow>): ReportChange => {
  const had = JSON.parse(row.custom_fields) as StoredFields;
  const next = JSON.parse(values.custom_fields ?? row.custom_fields) as StoredFields;
  const named = new Set([...Object.keys(had), ...Object.keys(next)]);
  return {
    author_id: row.author_id,
    had,
    fields: [...named].filter((id) => had[id] !== next[id]),
    others: written.some(
      (column) =>
        column !== 'custom_fields' &&
        column !== 'attachment_count' &&
        values[column] !== undefined &&
        values[column] !== row[column],
    ),
  };
};

export const updateNearMiss = async (
  context: FilesContext,
  target: Target,
  body: NearMissUpdate,
  if_match: string | undefined,
): Promise<Tagged> => {
  const { db, company_id, project_id, now } = context;
  const row = await find(context, target);
  requireMatch(if_match, versionTag(row));
  const changes = await readChanges(context, body, row);
  const values = changed(changes, JSON.parse(row.custom_fields) as StoredFields);
  await requireUpdate(callerIn(context), changeOf(row, values));
  const photos = await attach(context, row.id, body.upload_uuids);
  const next = {
    ...row,
    ...values,
    attachment_count: row.attachment_count + photos.length,
    version: row.version + 1,
  };
  // An update without changes creates no version and no event.
  if (written.every((column) => next[column] === row[column])) return tagged(context, row);
  requireNames(row);
  const updated_at = await stampChange(db, company_id, now);
  await store.updateNearMiss(
    db,
    { company_id, project_id, id: row.id },
    {
      ...(Object.fromEntries(written.map((column) => [column, next[column]])) as Pick<
        lists.NearMissRow,
        Written
      >),
      updated_at,
      search: searchText(next),
    },
  );
  await recordHistory(context, row.id, updated_at, 'updated', [
    ...changedFields(row, next),
    ...photoChanges(photos, 'added'),
  ]);
  await record(context, row.id, 'update');
  await recordMails(context, { ...next, updated_at }, row.custom_fields);
  return tagged(context, { ...next, updated_at });
};

/** Moves a near miss into the recycle bin (decisions §3.5). */
export const recycleNearMiss = async (
  context: FilesContext,
  target: Target,
  if_match: string | undefined,
): Promise<void> => {
  const { db, company_id, project_id, now } = context;
  const row = await find(context, target);
  requireOwn(context, 'change_work', [row.author_id]);
  requireMatch(if_match, versionTag(row));
  await requireNotHeld(db, { company_id, near_miss_id: row.id }, 'delete');
  const updated_at = await stampChange(db, company_id, now);
  await store.recycleNearMiss(
    db,
    { company_id, project_id, id: row.id },
    {
      deleted_at: now,
      updated_at,
    },
  );
  await recordHistory(context, row.id, updated_at, 'recycled');
  await record(context, row.id, 'delete');
};

/** Restores a near miss. Webhooks receive an `update` (decisions §9.2). */
export const restoreNearMiss = async (
  context: FilesContext,
  target: Target,
  if_match: string | undefined,
): Promise<Tagged> => {
  const { db, company_id, project_id, now } = context;
  const row = await find(context, { ...target, recycled: true });
  requireOwn(context, 'change_work', [row.author_id]);
  requireMatch(if_match, versionTag(row));
  const updated_at = await stampChange(db, company_id, now);
  await store.recycleNearMiss(
    db,
    { company_id, project_id, id: row.id },
    {
      deleted_at: null,
      updated_at,
    },
  );
  await recordHistory(context, row.id, updated_at, 'restored');
  await record(context, row.id, 'update');
  return tagged(context, await find(context, { id: row.id }));
};

/** [ours] Removes one photo (decisions §3.7). */
export const removeAttachment = async (
  context: FilesContext,
  target: Target,
  attachment_id: number,
  if_match: string | undefined,
): Promise<void> => {
  const { db, company_id, project_id, now } = context;
  const row = await find(context, target);
  requireMatch(if_match, versionTag(row));
  await requireNotHeld(db, { company_id, near_miss_id: row.id }, 'remove_photo');
  const removed = await deleteAttachment(db, {
    company_id,
    near_miss_id: row.id,
    id: attachment_id,
  });
  if (!removed) throw notFound();
  const owner = await uploadOwner(db, company_id, removed.upload_uuid);
  requireOwn(context, 'change_work', [row.author_id, owner]);
  await context.uploads.release(db, { company_id, upload_uuid: removed.upload_uuid });
  const updated_at = await stampChange(db, company_id, now);
  await store.updateNearMiss(
    db,
    { company_id, project_id, id: row.id },
    { attachment_count: row.attachment_count - 1, updated_at },
  );
  const gone = photoChanges([removed.filename], 'removed');
  await recordHistory(context, row.id, updated_at, 'updated', gone);
  await record(context, row.id, 'update');
};
