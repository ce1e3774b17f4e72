/**
 * The rules of files on time-and-material entries (decisions §6). An attachment is either a document of the catalog, whose file
 * stays the document's, or an upload, which it takes over as near misses do.
 */
import type { EntryAttachment } from '../../contract/rest/attachments.ts';
import type { FirstAndCreated } from '../../contract/rest/created-attachments.ts';
import type { TimeAndMaterialEntryAttachmentCreate } from '../../contract/rest/time-and-material-entry-attachments.ts';
import { contentTypeOf } from '../files/content.ts';
import * as store from '../store/time-and-material-entry-attachments.ts';
import { recordsOf, type FilesContext } from './context.ts';
import { withCreated } from './created-attachments.ts';
import { requireMatch, versionTag } from './etag.ts';
import { pageOf, type Page, type Paged } from './page.ts';
import { invalid, notFound } from './problem.ts';

const BODY = 'time_and_material_entry_attachment';
const IDS = `${BODY}.time_and_material_entry_attachment_ids`;

const record = recordsOf('Time And Material Entry Attachments');

const view = (context: FilesContext, rows: readonly store.AttachmentRow[]): EntryAttachment[] =>
  context.uploads.views(rows, context).map((shown, index) => ({
    ...shown,
    time_and_material_entry_id: rows[index]?.time_and_material_entry_id ?? null,
  }));

/** Nothing of an attachment ever changes but that it goes. */
const etagOf = (id: number): string => versionTag(id, 1);

export const listAttachments = (
  context: FilesContext,
  query: Paged,
): Promise<Page<EntryAttachment>> =>
  pageOf(query, {
    count: () => store.countAttachments(context.db, context),
    rows: (slice) => store.listAttachments(context.db, context, slice),
    view: (rows) => view(context, rows),
  });

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

/** Documents as named, then those of the folders as named; every id is checked before anything is written. @throws 422 */
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

/** What is asked for, in order: an upload that this entry already has is the attachment it became (decisions §5.7). */
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
  const created = await store.insertAttachments(db, { ...where, created_at: now }, [
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

/** An upload's bytes go with its attachment; a document keeps its own. */
const remove = async (
  context: FilesContext,
  rows: readonly store.AttachmentRow[],
): Promise<void> => {
  const { db, company_id } = context;
  await store.deleteAttachments(
    db,
    context,
    rows.map(({ id }) => id),
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

/** All of them, or none when one is unknown. @throws Refusal 422 */
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
