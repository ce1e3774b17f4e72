/** How the demo writes rows: with fresh ids, in batches, and the stored file and the upload of each file that is kept. */
import type { Insertable } from 'kysely';
import type { Db } from '../store/db.ts';
import { takeIds } from '../store/ids.ts';
import type { Database } from '../store/schema.ts';
import type { KeptFile } from './keep.ts';

/** Who signs in where. */
export interface Seat {
  readonly user_id: number;
  readonly company_id: number;
  readonly project_id: number;
}

/** Rows of one statement. */
export const BATCH = 500;

/** Near misses are not among them: what is kept about them is written with them (store/near-misses.ts). */
type Table = Exclude<keyof Database, 'id_counters' | 'near_misses'>;

/** Writes rows that got fresh ids; answers them. */
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

/** The stored file of each upload that is kept already. */
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

/** What each upload became: associated, as the upload of any client is in the end. */
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
