/**
 * The rules of attachments of time-and-material entries (decisions §6). An attachment is either a document of the catalog,
 * which keeps its file, or an upload that it takes over, as near misses do.
 */
import type { EntryAttachment } from '../../contract/rest/attachments.ts';
import type { FirstAndCreated } from '../../contract/rest/created-attachments.ts';
import type { TimeAndMaterialEntryAttachmentCreate } from '../../contract/rest/time-and-material-entry-attachments.ts';
import { contentTypeOf } from '../files/content.ts';
import { stampChange } from '../store/engine/change-clock.ts';
import * as store from '../store/time-and-material-entry-attachments.ts';
import { requireOwn } from './access/access.ts';
import { recordsOf, type FilesContext } from './context.ts';
import { withCreated } from './uploads/created-attachments.ts';
import { requireMatch } from './etag.ts';
import { followedPage, followingOf, type FollowQuery } from './following.ts';
import { pageOf, type Page } from './page.ts';
import { invalid, notFound } from './problem.ts';

const BODY = 'time_and_material_entry_attachment';
const IDS = `${BODY}.time_and_material_entry_attachment_ids`;

const record = recordsOf('Time And Material Entry Attachments');

const view = (context: FilesContext, rows: readonly store.AttachmentRow[]): EntryAttachment[] =>
  context.uploads.views(rows, context).map((shown, index) => ({
    ...shown,
    time_and_material_entry_id: rows[index]?.time_and_material_entry_id ?? null,
  }));

/** Constant, because an attachment never changes and ids are never reused. */
const etagOf = (id: number): string => `"${id}"`;

export const listAttachments = (
  context: FilesContext,
  query: FollowQuery,
): Promise<Page<EntryAttachment>> => {
  const { db } = context;
  const following = followingOf(query);
  return following === null
    ? pageOf(query, {
        count: () => store.countAttachments(db, context),
        rows: (slice) => store.listAttachments(db, context, slice),
        view: (rows) => view(context, rows),
      })
    : followedPage(query, {
        ...store.followAttachments(db, context, following),
        // In batches, and a page may name attachments that were deleted since.
        rows: async (ids) => [...(await store.findAttachments(db, context, ids)).values()],
        view: (rows) => view(context, rows),
      });
};

const find = async (context: FilesContext, id: number): Promise<store.AttachmentRow> => {
  const row = (await store.findAttachments(context.db, context, [id])).get(id);
  if (!row) throw notFound();
  return row;
};

export const showAttachment = async (
  context: FilesContext,
  id: number,
): Promise<{ readonly data: EntryAttachment; readonly etag: string }> => {
  const [data] = view(context, [await find(context, id)]);
  if (!data) throw new Error('a row had no view');
  return { data, etag: etagOf(id) };
};

const unknown = (ids: readonly number[], known: (id: number) => boolean): string[] =>
  ids
    .filter((id) => !known(id))
    .slice(0, 20)
    .map((id) => `${id} does not exist in this company or project`);

const unique = <T>(list: readonly T[] | null | undefined): T[] => [...new Set(list ?? [])];

const fromDocument = (row: store.DocumentRow): store.NewAttachment => ({
  document_id: row.id,
  upload_uuid: null,
  stored_file_id: row.stored_file_id,
  filename: row.name,
  content_type: contentTypeOf(row.name, null),
});

/** The named documents, then the documents of the named folders. Checks every id before anything is written. @throws 422 */
const readDocuments = async (
  context: FilesContext,
  body: TimeAndMaterialEntryAttachmentCreate,
  entry_id: number,
): Promise<store.NewAttachment[]> => {
  const { db } = context;
  const [documents, folders] = [unique(body.documents), unique(body.folders)];
  const named = new Map(
    (await store.listDocuments(db, context, 'id', documents)).map((row) => [row.id, row]),
  );
  const known = await store.listFolders(db, context, folders);
  const inside = await store.listDocuments(db, context, 'folder_id', folders);
  const errors: Record<string, string[]> = {
    [`${BODY}.documents`]: unknown(documents, (id) => named.has(id)),
    [`${BODY}.folders`]: unknown(folders, (id) => known.has(id)),
  };
  if (!(await store.entryExists(db, context, entry_id)))
    errors['time_and_material_entry_id'] = ['does not exist in this project'];
  const wrong = Object.entries(errors).filter(([, messages]) => messages.length > 0);
  if (wrong.length > 0) throw invalid(Object.fromEntries(wrong));
  return [
    ...documents.flatMap((id) => named.get(id) ?? []),
    ...folders.flatMap((id) => inside.filter((row) => row.folder_id === id)),
  ].map(fromDocument);
};

/**
 * Attaches documents, folders and uploads, in this order. If nothing is new, the response shows the attachment of the first
 * upload (decisions §5.7).
 */
export const createAttachments = async (
  context: FilesContext,
  time_and_material_entry_id: number,
  body: TimeAndMaterialEntryAttachmentCreate,
): Promise<FirstAndCreated> => {
  const { db, company_id, project_id, user_id, now } = context;
  const documents = await readDocuments(context, body, time_and_material_entry_id);
  const upload_uuids = unique(body.upload_uuids);
  if (documents.length + upload_uuids.length === 0)
    throw invalid({ [BODY]: ['must name a document, a folder with documents, or an upload'] });
  const uploads = await context.uploads.associate(db, {
    company_id,
    user_id,
    upload_uuids,
    now,
    record: { type: 'time_and_material_entry', id: time_and_material_entry_id },
    field: `${BODY}.upload_uuids`,
  });
  const where = { company_id, project_id, time_and_material_entry_id };
  const times = { created_at: now, updated_at: await stampChange(db, company_id, now) };
  const created = await store.insertAttachments(db, { ...where, ...times, created_by: user_id }, [
    ...documents,
    ...uploads.map(({ upload_uuid, stored_file_id, filename, content_type }) => ({
      upload_uuid,
      stored_file_id,
      filename,
      content_type,
      document_id: null,
    })),
  ]);
  for (const { id } of created) await record(context, id, 'create');
  const first =
    created[0] ?? (await store.findAttachmentOfUpload(db, where, upload_uuids[0] ?? ''));
  if (!first) throw new Error('an upload belongs to an entry that has no attachment of it');
  const [shown, ...all] = view(context, [first, ...created]);
  if (!shown) throw new Error('a row had no view');
  return withCreated(shown, all);
};

/** Releases the upload of each attachment. A document keeps its file. */
const remove = async (
  context: FilesContext,
  rows: readonly store.AttachmentRow[],
): Promise<void> => {
  const { db, company_id, now } = context;
  for (const { created_by } of rows) requireOwn(context, 'change_work', [created_by]);
  await store.deleteAttachments(
    db,
    context,
    rows.map(({ id }) => id),
    await stampChange(db, company_id, now),
  );
  for (const { id, upload_uuid } of rows) {
    if (upload_uuid !== null) await context.uploads.release(db, { company_id, upload_uuid });
    await record(context, id, 'delete');
  }
};

export const deleteAttachment = async (
  context: FilesContext,
  id: number,
  if_match: string | undefined,
): Promise<EntryAttachment> => {
  const row = await find(context, id);
  requireMatch(if_match, etagOf(id));
  await remove(context, [row]);
  const [data] = view(context, [row]);
  if (!data) throw new Error('a row had no view');
  return data;
};

/** Deletes all of them, or none if an id is unknown. @throws Refusal 422 */
export const deleteAttachments = async (
  context: FilesContext,
  asked: readonly number[],
): Promise<EntryAttachment[]> => {
  const ids = unique(asked);
  const found = await store.findAttachments(context.db, context, ids);
  const messages = unknown(ids, (id) => found.has(id));
  if (messages.length > 0) throw invalid({ [IDS]: messages });
  const rows = ids.flatMap((id) => found.get(id) ?? []);
  await remove(context, rows);
  return view(context, rows);
};
