/**
 * SQL of uploads, their segments and their stored files. The `status` of an upload only moves forward: ready, receiving,
 * complete, associated. Any of them may become deleting (the bytes may be removed) and then deleted. The row stays, so that the
 * response is 410 instead of 404, and so that a clock set back revives nothing (failures S25).
 */
import { sql, type Insertable, type Selectable } from 'kysely';
import type { Db } from './engine/db.ts';
import { insertEvent } from './events.ts';
import { takeIds } from './engine/ids.ts';
import type { Database } from './engine/schema.ts';

export type UploadRow = Selectable<Database['uploads']>;
export type SegmentRow = Selectable<Database['upload_segments']>;
export type StoredFileRow = Selectable<Database['stored_files']>;

const OPEN = ['ready', 'receiving'] as const;
/** Rows per insert: SQLite allows at most 32,766 values in a statement. */
const INSERT_ROWS = 2000;

/**
 * Records an event here and not in domain/: uploads complete in several ways, some without a user, and all of them pass here.
 */
const record = (
  tx: Db,
  upload: Pick<UploadRow, 'company_id' | 'uuid' | 'project_id' | 'owner_id'>,
  event_type: 'create' | 'update' | 'delete',
  created_at: number,
): Promise<void> =>
  insertEvent(tx, {
    company_id: upload.company_id,
    project_id: upload.project_id,
    user_id: upload.owner_id,
    event_type,
    resource_name: 'Company Uploads',
    resource_id: upload.uuid,
    created_at,
  });

export const insertUpload = async (
  tx: Db,
  upload: UploadRow,
  segments: readonly Insertable<Database['upload_segments']>[],
): Promise<void> => {
  await tx.insertInto('uploads').values(upload).execute();
  for (let from = 0; from < segments.length; from += INSERT_ROWS)
    await tx
      .insertInto('upload_segments')
      .values(segments.slice(from, from + INSERT_ROWS))
      .execute();
  await record(tx, upload, 'create', upload.created_at);
};

export const findUpload = (
  db: Db,
  company_id: number,
  uuid: string,
): Promise<UploadRow | undefined> =>
  db
    .selectFrom('uploads')
    .selectAll()
    .where('company_id', '=', company_id)
    .where('uuid', '=', uuid)
    .executeTakeFirst();

export const listSegments = (db: Db, company_id: number, uuid: string): Promise<SegmentRow[]> =>
  db
    .selectFrom('upload_segments')
    .selectAll()
    .where('company_id', '=', company_id)
    .where('upload_uuid', '=', uuid)
    .orderBy('position')
    .execute();

export const findSegment = (
  db: Db,
  company_id: number,
  uuid: string,
  position: number,
): Promise<SegmentRow | undefined> =>
  db
    .selectFrom('upload_segments')
    .selectAll()
    .where('company_id', '=', company_id)
    .where('upload_uuid', '=', uuid)
    .where('position', '=', position)
    .executeTakeFirst();

/** Updates an open upload. False if it is no longer open. */
const moveOpen = async (
  tx: Db,
  company_id: number,
  uuid: string,
  set: Partial<UploadRow>,
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('uploads')
    .set(set)
    .where('company_id', '=', company_id)
    .where('uuid', '=', uuid)
    .where('status', 'in', OPEN)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Records that a segment arrived. False if the upload is no longer open. */
export const receiveSegment = async (
  tx: Db,
  segment: Pick<SegmentRow, 'company_id' | 'upload_uuid' | 'position'>,
  received: { readonly etag: string; readonly storage_key: string; readonly received_at: number },
): Promise<boolean> => {
  const { company_id, upload_uuid, position } = segment;
  if (!(await moveOpen(tx, company_id, upload_uuid, { status: 'receiving' }))) return false;
  await tx
    .updateTable('upload_segments')
    .set(received)
    .where('company_id', '=', company_id)
    .where('upload_uuid', '=', upload_uuid)
    .where('position', '=', position)
    .execute();
  return true;
};

/** Resets a segment that must be sent again. */
export const forgetSegment = async (
  tx: Db,
  { company_id, upload_uuid, position }: SegmentRow,
): Promise<void> => {
  await tx
    .updateTable('upload_segments')
    .set({ etag: null, storage_key: null, received_at: null })
    .where('company_id', '=', company_id)
    .where('upload_uuid', '=', upload_uuid)
    .where('position', '=', position)
    .execute();
};

/** Completes an open upload and creates its stored file. False if it is no longer open. */
export const completeUpload = async (
  tx: Db,
  upload: UploadRow,
  file: Omit<StoredFileRow, 'company_id' | 'id'>,
): Promise<boolean> => {
  const { company_id, uuid } = upload;
  const set = { status: 'complete', completed_at: file.created_at };
  if (!(await moveOpen(tx, company_id, uuid, set))) return false;
  const id = await takeIds(tx, 'stored_files');
  await tx
    .insertInto('stored_files')
    .values({ ...file, company_id, id })
    .execute();
  await tx
    .updateTable('uploads')
    .set({ stored_file_id: id })
    .where('company_id', '=', company_id)
    .where('uuid', '=', uuid)
    .execute();
  await record(tx, upload, 'update', file.created_at);
  return true;
};

export const findStoredFile = (
  db: Db,
  company_id: number,
  id: number,
): Promise<StoredFileRow | undefined> =>
  db
    .selectFrom('stored_files')
    .selectAll()
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .executeTakeFirst();

/** True if the file's upload is complete or associated, not deleted. */
export const isStoredFileKept = async (
  db: Db,
  company_id: number,
  id: number,
): Promise<boolean> => {
  const row = await db
    .selectFrom('uploads')
    .select('status')
    .where('company_id', '=', company_id)
    .where('stored_file_id', '=', id)
    .executeTakeFirst();
  return row?.status === 'complete' || row?.status === 'associated';
};

export const associateUpload = async (
  tx: Db,
  upload: UploadRow,
  record: { readonly type: string; readonly id: number },
  now: number,
): Promise<void> => {
  await tx
    .updateTable('uploads')
    .set({
      status: 'associated',
      associated_type: record.type,
      associated_id: record.id,
      associated_at: now,
    })
    .where('company_id', '=', upload.company_id)
    .where('uuid', '=', upload.uuid)
    .execute();
};

/** From now on requests get 410. The sweeper removes the bytes. */
export const markDeleting = async (tx: Db, company_id: number, uuid: string): Promise<void> => {
  await tx
    .updateTable('uploads')
    .set({ status: 'deleting' })
    .where('company_id', '=', company_id)
    .where('uuid', '=', uuid)
    .where('status', '<>', 'deleted')
    .execute();
};

export type UploadKey = Pick<UploadRow, 'company_id' | 'uuid'>;

/** Expired uploads without an association. */
export const listExpired = (db: Db, now: number, limit: number): Promise<UploadKey[]> =>
  db
    .selectFrom('uploads')
    .select(['company_id', 'uuid'])
    .where('associated_at', 'is', null)
    .where('status', '<>', 'deleted')
    .where('status', '<>', 'deleting')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute();

export const listDeleting = (db: Db, after: string, limit: number): Promise<UploadKey[]> =>
  db
    .selectFrom('uploads')
    .select(['company_id', 'uuid'])
    .where('status', '=', 'deleting')
    .where('uuid', '>', after)
    .orderBy('uuid')
    .limit(limit)
    .execute();

/** Checks the expiry again, because the upload may have been associated since it was listed. */
export const markExpired = async (
  tx: Db,
  { company_id, uuid }: UploadKey,
  now: number,
): Promise<void> => {
  await tx
    .updateTable('uploads')
    .set({ status: 'deleting' })
    .where('company_id', '=', company_id)
    .where('uuid', '=', uuid)
    .where('associated_at', 'is', null)
    .where('expires_at', '<=', now)
    .where('status', '<>', 'deleted')
    .execute();
};

/** Records that the bytes are removed and emits a delete event. False if it was already deleted. */
export const markDeleted = async (
  tx: Db,
  { company_id, uuid }: UploadKey,
  now: number,
): Promise<boolean> => {
  const upload = await tx
    .updateTable('uploads')
    .set({ status: 'deleted' })
    .where('company_id', '=', company_id)
    .where('uuid', '=', uuid)
    .where('status', '=', 'deleting')
    .returning(['company_id', 'uuid', 'project_id', 'owner_id'])
    .executeTakeFirst();
  if (upload) await record(tx, upload, 'delete', now);
  await tx
    .deleteFrom('upload_segments')
    .where('company_id', '=', company_id)
    .where('upload_uuid', '=', uuid)
    .execute();
  return upload !== undefined;
};

/** Uploads that may have leftover files of a request that crashed between file and row. */
export const listOpen = (db: Db, after: string, limit: number): Promise<UploadRow[]> =>
  db
    .selectFrom('uploads')
    .selectAll()
    .where('status', 'in', [...OPEN, 'complete'])
    .where('uuid', '>', after)
    .orderBy('uuid')
    .limit(limit)
    .execute();

/** A storage key is `<uuid>/<part>`. */
const uploadOfKey = sql<string>`substr(storage_key, 1, 36)`;

/**
 * The subset of these uuids that have a row: an upload that is not deleted, or a stored file without one (the demo's
 * documents). Files that arrive after the deletion (a bucket segment, a thumbnail in progress) are orphans.
 */
export const listKnown = async (db: Db, uuids: readonly string[]): Promise<ReadonlySet<string>> => {
  // Filters by company, so that the primary key of uploads applies.
  const companies = db.selectFrom('companies').select('id');
  const [uploads, files] = [
    await db
      .selectFrom('uploads')
      .select(['uuid', 'status'])
      .where('company_id', 'in', companies)
      .where('uuid', 'in', uuids)
      .execute(),
    await db
      .selectFrom('stored_files')
      .select(uploadOfKey.as('uuid'))
      .where('company_id', 'in', companies)
      .where(uploadOfKey, 'in', uuids)
      .execute(),
  ];
  const known = new Set([...uploads, ...files].map(({ uuid }) => uuid));
  for (const { uuid, status } of uploads) if (status === 'deleted') known.delete(uuid);
  return known;
};

export const findState = async (db: Db, name: string): Promise<string | undefined> =>
  (await db.selectFrom('service_state').select('value').where('name', '=', name).executeTakeFirst())
    ?.value;

/** Keeps an existing value. If several processes start together, the first one wins. */
export const keepState = async (tx: Db, name: string, value: string): Promise<void> => {
  await tx
    .insertInto('service_state')
    .values({ name, value })
    .onConflict((on) => on.column('name').doNothing())
    .execute();
};

/** Raises a stored number, but never lowers it. */
export const putLatest = async (tx: Db, name: string, value: number): Promise<void> => {
  await tx
    .insertInto('service_state')
    .values({ name, value: String(value) })
    .onConflict((on) =>
      on
        .column('name')
        .doUpdateSet({ value: String(value) })
        .where(sql<boolean>`cast(service_state.value as bigint) < cast(excluded.value as bigint)`),
    )
    .execute();
};

export const countUploads = async (
  db: Db,
): Promise<readonly { readonly status: string; readonly n: number }[]> =>
  (
    await db
      .selectFrom('uploads')
      .select((eb) => ['status', eb.fn.countAll().as('n')])
      .groupBy('status')
      .execute()
  ).map(({ status, n }) => ({ status, n: Number(n) }));

/** A user's uploads in a company that are announced or sent but not associated. */
export const countWaitingUploads = async (
  db: Db,
  owner: { readonly company_id: number; readonly user_id: number; readonly now: number },
): Promise<{ readonly uploads: number; readonly bytes: number }> => {
  const { uploads, bytes } = await db
    .selectFrom('uploads as u')
    .leftJoin('stored_files as f', (on) =>
      on.onRef('f.company_id', '=', 'u.company_id').onRef('f.id', '=', 'u.stored_file_id'),
    )
    .select((eb) => [
      eb.fn.countAll<number>().as('uploads'),
      eb.fn.sum<number>(eb.fn.coalesce('u.size', 'f.size', eb.lit(0))).as('bytes'),
    ])
    .where('u.company_id', '=', owner.company_id)
    .where('u.owner_id', '=', owner.user_id)
    .where('u.associated_at', 'is', null)
    .where('u.status', 'in', [...OPEN, 'complete'])
    .where('u.expires_at', '>', owner.now)
    .executeTakeFirstOrThrow();
  return { uploads: Number(uploads), bytes: Number(bytes ?? 0) };
};

export const sumStored = async (db: Db, company_id: number): Promise<number> => {
  const { bytes } = await db
    .selectFrom('uploads as u')
    .innerJoin('stored_files as f', (on) =>
      on.onRef('f.company_id', '=', 'u.company_id').onRef('f.id', '=', 'u.stored_file_id'),
    )
    .select((eb) => eb.fn.sum<number>('f.size').as('bytes'))
    .where('u.company_id', '=', company_id)
    .where('u.status', 'in', ['complete', 'associated'])
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
};

/** The user who uploaded a file; null if it is unknown. */
export const uploadOwner = async (
  db: Db,
  company_id: number,
  uuid: string,
): Promise<number | null> => (await findUpload(db, company_id, uuid))?.owner_id ?? null;
