/** SQL of the attachments of time-and-material entries, and of the documents and folders they may come from (decisions §6). */
import type { Db } from './engine/db.ts';
import { takeIds } from './engine/ids.ts';
import { followedList, bury, goneFrom, type Following } from './engine/following.ts';
import { countOf, newestFirst, type Slice } from './engine/newest-first.ts';
import type { Database } from './engine/schema.ts';

export type AttachmentRow = Database['time_and_material_entry_attachments'];

export type NewAttachment = Pick<
  AttachmentRow,
  'document_id' | 'upload_uuid' | 'stored_file_id' | 'filename' | 'content_type'
>;

interface Where {
  readonly company_id: number;
  readonly project_id: number;
}

/** Values per statement: databases limit them. */
const BATCH = 1000;

const matching = (db: Db, where: Where) =>
  db
    .selectFrom('time_and_material_entry_attachments')
    .where('company_id', '=', where.company_id)
    .where('project_id', '=', where.project_id);

export const countAttachments = (db: Db, where: Where): Promise<number> =>
  countOf(matching(db, where));

export const listAttachments = (db: Db, where: Where, slice: Slice): Promise<AttachmentRow[]> =>
  newestFirst(matching(db, where).selectAll(), slice);

const tombsOf = ({ company_id, project_id }: Where) => ({
  company_id,
  list: `time_and_material_entry_attachments/${project_id}`,
});

/** [ours] The list as a reader follows it. */
export const followAttachments = (db: Db, where: Where, following: Following) =>
  followedList(
    db,
    { records: matching(db, where), gone: goneFrom(tombsOf(where), following) },
    following,
  );

/** Finds these attachments. Stops after the first batch with a missing one. */
export const findAttachments = async (
  db: Db,
  where: Where,
  ids: readonly number[],
): Promise<ReadonlyMap<number, AttachmentRow>> => {
  const found = new Map<number, AttachmentRow>();
  for (let at = 0; at < ids.length; at += BATCH) {
    const some = ids.slice(at, at + BATCH);
    const rows = await matching(db, where).selectAll().where('id', 'in', some).execute();
    for (const row of rows) found.set(row.id, row);
    if (rows.length < some.length) break;
  }
  return found;
};

export const findAttachmentOfUpload = (
  db: Db,
  where: Where & { readonly time_and_material_entry_id: number },
  upload_uuid: string,
): Promise<AttachmentRow | undefined> =>
  matching(db, where)
    .selectAll()
    .where('time_and_material_entry_id', '=', where.time_and_material_entry_id)
    .where('upload_uuid', '=', upload_uuid)
    .executeTakeFirst();

export const insertAttachments = async (
  tx: Db,
  common: Where &
    Pick<AttachmentRow, 'time_and_material_entry_id' | 'created_at' | 'created_by' | 'updated_at'>,
  files: readonly NewAttachment[],
): Promise<AttachmentRow[]> => {
  const { company_id, project_id, time_and_material_entry_id, created_at, ...rest } = common;
  const { created_by, updated_at } = rest;
  const first =
    files.length === 0 ? 0 : await takeIds(tx, 'time_and_material_entry_attachments', files.length);
  const rows = files.map((file, index): AttachmentRow => ({
    company_id,
    project_id,
    time_and_material_entry_id,
    created_at,
    created_by,
    updated_at,
    ...file,
    id: first + index,
  }));
  for (let at = 0; at < rows.length; at += BATCH)
    await tx
      .insertInto('time_and_material_entry_attachments')
      .values(rows.slice(at, at + BATCH))
      .execute();
  return rows;
};

export const deleteAttachments = async (
  tx: Db,
  where: Where,
  ids: readonly number[],
  deleted_at: number,
): Promise<void> => {
  for (let at = 0; at < ids.length; at += BATCH)
    await tx
      .deleteFrom('time_and_material_entry_attachments')
      .where('company_id', '=', where.company_id)
      .where('project_id', '=', where.project_id)
      .where('id', 'in', ids.slice(at, at + BATCH))
      .execute();
  await bury(tx, tombsOf(where), ids, deleted_at);
};

/** Rows of the whole company or of this project. */
const offered = (
  db: Db,
  table: 'time_and_material_entries' | 'folders' | 'documents',
  where: Where,
) =>
  db
    .selectFrom(table as 'documents')
    .where('company_id', '=', where.company_id)
    .where((eb) => eb.or([eb('project_id', 'is', null), eb('project_id', '=', where.project_id)]));

export const entryExists = async (db: Db, where: Where, id: number): Promise<boolean> =>
  (await offered(db, 'time_and_material_entries', where)
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()) !== undefined;

export const listFolders = async (
  db: Db,
  where: Where,
  ids: readonly number[],
): Promise<ReadonlySet<number>> => {
  if (ids.length === 0) return new Set();
  const rows = await offered(db, 'folders', where).select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
};

export type DocumentRow = Pick<
  Database['documents'],
  'id' | 'name' | 'folder_id' | 'stored_file_id'
>;

export const listDocuments = async (
  db: Db,
  where: Where,
  column: 'id' | 'folder_id',
  ids: readonly number[],
): Promise<DocumentRow[]> =>
  ids.length === 0
    ? []
    : offered(db, 'documents', where)
        .select(['id', 'name', 'folder_id', 'stored_file_id'])
        .where(column, 'in', ids)
        .orderBy('id')
        .execute();
