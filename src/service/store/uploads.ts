/**
 * SQL of uploads, their segments and the stored files they become. An upload's `status` goes one way: ready, receiving,
 * complete, associated; and from any of them deleting (the bytes may go) and deleted (they are gone; the row stays, so
 * that the answer is 410 and not 404, and so that a clock that goes back revives nothing: failures S25).
 */
import { sql, type Insertable, type Selectable } from 'kysely';
import type { Db } from './db.ts';
import { insertEvent } from './events.ts';
import { takeIds } from './ids.ts';
import type { Database } from './schema.ts';

export type UploadRow = Selectable<Database['uploads']>;
export type SegmentRow = Selectable<Database['upload_segments']>;
export type StoredFileRow = Selectable<Database['stored_files']>;

/** What may still receive bytes. */
const OPEN = ['ready', 'receiving'] as const;
/** Rows of one insert: SQLite takes at most 32,766 values in a statement. */
const INSERT_ROWS = 2000;

/** Here and not in domain/: an upload is completed in several ways, by requests that have no user too, and all pass here. */
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

/** Moves an open upload to `status`. False when it is no longer open. */
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

/** Notes that a segment's bytes are in. False when the upload is no longer open. */
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

/** A segment that must be sent again. */
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

/** Completes an open upload: its bytes become a stored file. False when it is no longer open. */
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

/** Is the file's upload still there (not let go, not swept)? */
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

/** From now on 410. The sweeper takes the bytes. */
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

/** Uploads whose week is over and that belong to nothing. */
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

/** An upload's week is over, and it still belongs to nothing: asked again here, for it may have been associated since it was listed. */
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

/** The bytes are gone: whoever listens hears of it. False when that was known already. */
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

/** Uploads that may still have bytes of a request that died between the file and its row. */
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
 * Which of these have a row, be it an upload that has not been deleted or a stored file without one (the demo's documents). What came
 * in after an upload was deleted (a segment to the bucket, a thumbnail that was being made) is nobody's.
 */
export const listKnown = async (db: Db, uuids: readonly string[]): Promise<ReadonlySet<string>> => {
  // By way of the companies, so that the key of uploads finds each one.
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

/** A value that the service itself keeps between runs. */
export const findState = async (db: Db, name: string): Promise<string | undefined> =>
  (await db.selectFrom('service_state').select('value').where('name', '=', name).executeTakeFirst())
    ?.value;

/** Keeps a value unless there is one: of processes that start together the first one's holds. */
export const keepState = async (tx: Db, name: string, value: string): Promise<void> => {
  await tx
    .insertInto('service_state')
    .values({ name, value })
    .onConflict((on) => on.column('name').doNothing())
    .execute();
};

/** Moves a kept number up, never down. */
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

/** How many uploads are in each status; for /metrics. */
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

/** What a user has announced or sent in a company that is part of no record. */
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

/** Bytes of all files that a company keeps. */
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
