/** [ours] Names of files in SQL: an upload, its stored file, and the records that repeat the name (decisions §21.1). */
import type { Db } from '../engine/db.ts';
import { markDeleting } from '../uploads.ts';

interface File {
  readonly company_id: number;
  /** Null: a stored file of no upload. */
  readonly upload_uuid: string | null;
  readonly stored_file_id: number | null;
}

/** Stored files without an upload, such as the demo's documents. */
export const listLoneFiles = (db: Db, company_id: number) =>
  db
    .selectFrom('stored_files as f')
    .select(['f.id', 'f.filename'])
    .where('f.company_id', '=', company_id)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('uploads as u')
            .select('u.uuid')
            .where('u.company_id', '=', company_id)
            .whereRef('u.stored_file_id', '=', 'f.id'),
        ),
      ),
    )
    .orderBy('f.id')
    .execute();

/** @param updated_at the stamp of the change, for records that readers follow */
export const renameFile = async (
  tx: Db,
  { company_id, upload_uuid, stored_file_id }: File,
  filename: string,
  updated_at: number,
): Promise<void> => {
  if (upload_uuid !== null)
    await tx
      .updateTable('uploads')
      .set({ response_filename: filename })
      .where('company_id', '=', company_id)
      .where('uuid', '=', upload_uuid)
      .execute();
  if (stored_file_id === null) return;
  await tx
    .updateTable('stored_files')
    .set({ filename })
    .where('company_id', '=', company_id)
    .where('id', '=', stored_file_id)
    .execute();
  for (const table of ['near_miss_attachments', 'plan_files'] as const)
    await tx
      .updateTable(table)
      .set({ filename })
      .where('company_id', '=', company_id)
      .where('stored_file_id', '=', stored_file_id)
      .execute();
  await tx
    .updateTable('time_and_material_entry_attachments')
    .set({ filename, updated_at })
    .where('company_id', '=', company_id)
    .where('stored_file_id', '=', stored_file_id)
    .execute();
};

/** The bytes of a photo may go, and its row keeps neither name nor owner. */
export const forgetFile = async (
  tx: Db,
  { company_id, upload_uuid, stored_file_id }: File & { readonly upload_uuid: string },
  owner_id: number | null,
): Promise<void> => {
  await markDeleting(tx, company_id, upload_uuid);
  await tx
    .updateTable('uploads')
    .set({ response_filename: '', ...(owner_id === null ? {} : { owner_id }) })
    .where('company_id', '=', company_id)
    .where('uuid', '=', upload_uuid)
    .execute();
  await tx
    .updateTable('stored_files')
    .set({ filename: '' })
    .where('company_id', '=', company_id)
    .where('id', '=', stored_file_id)
    .execute();
};
