/** Inserts demo rows with fresh ids, in batches, and the stored file and upload of each stored demo file. */
import type { Insertable } from 'kysely';
import type { Db } from '../store/engine/db.ts';
import { takeIds } from '../store/engine/ids.ts';
import type { Database } from '../store/engine/schema.ts';
import type { KeptFile } from './keep.ts';

/** A user in a company and a project. */
export interface Seat {
  readonly user_id: number;
  readonly company_id: number;
  readonly project_id: number;
}

/** Rows per statement. */
export const BATCH = 500;

/** Near misses are excluded, because store/near-misses/near-misses.ts writes their derived tables with them. */
type Table = Exclude<keyof Database, 'id_counters' | 'near_misses'>;

/** Inserts rows with fresh ids and returns them. */
export const insert = async <T extends Table, Row extends object>(
  tx: Db,
  table: T,
  rows: readonly Row[],
): Promise<(Row & { id: number })[]> => {
  if (rows.length === 0) return [];
  const first = await takeIds(tx, table, rows.length);
  const numbered = rows.map((row, index) => ({ ...row, id: first + index }));
  for (let at = 0; at < numbered.length; at += BATCH)
    await tx
      .insertInto(table)
      .values(numbered.slice(at, at + BATCH) as unknown as Insertable<Database[T]>[])
      .execute();
  return numbered;
};

export const seedFiles = (tx: Db, now: number, company_id: number, kept: readonly KeptFile[]) =>
  insert(
    tx,
    'stored_files',
    kept.map(({ name, content_type, storage_key, size, sha256, md5 }) => ({
      company_id,
      storage_key,
      size,
      sha256,
      md5,
      content_type,
      filename: name,
      attachment_content_disposition: 0,
      created_at: now,
    })),
  );

/** Seeds the uploads in their final state, associated with a record. */
export const seedUploads = async (
  tx: Db,
  now: number,
  { company_id, user_id }: Seat,
  kept: readonly KeptFile[],
  became: (index: number) => {
    readonly stored_file_id: number | null;
    readonly associated_type: string;
    readonly associated_id: number | null;
  },
): Promise<void> => {
  const rows = kept.map(({ name, upload_uuid, size }, index) => ({
    company_id,
    uuid: upload_uuid,
    owner_id: user_id,
    size,
    project_id: null,
    response_filename: name,
    response_content_type: null,
    attachment_content_disposition: 0 as const,
    segmented: 0 as const,
    status: 'associated',
    created_at: now,
    post_expires_at: now,
    expires_at: now,
    completed_at: now,
    associated_at: now,
    ...became(index),
  }));
  for (let at = 0; at < rows.length; at += BATCH)
    await tx
      .insertInto('uploads')
      .values(rows.slice(at, at + BATCH))
      .execute();
};
