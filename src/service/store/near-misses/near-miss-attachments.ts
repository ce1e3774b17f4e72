/** [ours] Photos on near misses (decisions §3.7). */
import type { Db } from '../engine/db.ts';
import { takeIds } from '../engine/ids.ts';
import type { Database } from '../engine/schema.ts';

export type AttachmentRow = Omit<Database['near_miss_attachments'], 'company_id' | 'created_at'>;

const columns = [
  'id',
  'near_miss_id',
  'stored_file_id',
  'upload_uuid',
  'filename',
  'content_type',
  'size',
  'sha256',
] as const;

/** Ids per statement: databases limit the parameters. */
const BATCH = 1000;

/** The attachments of several records, grouped by record, in order of creation. */
export const listAttachments = async (
  db: Db,
  company_id: number,
  near_miss_ids: readonly number[],
): Promise<ReadonlyMap<number, readonly AttachmentRow[]>> => {
  const byRecord = new Map<number, AttachmentRow[]>();
  for (let at = 0; at < near_miss_ids.length; at += BATCH) {
    const rows = await db
      .selectFrom('near_miss_attachments')
      .select(columns)
      .where('company_id', '=', company_id)
      .where('near_miss_id', 'in', near_miss_ids.slice(at, at + BATCH))
      .orderBy('id')
      .execute();
    for (const row of rows) {
      const list = byRecord.get(row.near_miss_id);
      if (list) list.push(row);
      else byRecord.set(row.near_miss_id, [row]);
    }
  }
  return byRecord;
};

export const insertAttachments = async (
  tx: Db,
  common: Pick<Database['near_miss_attachments'], 'company_id' | 'near_miss_id' | 'created_at'>,
  files: readonly Omit<AttachmentRow, 'id' | 'near_miss_id'>[],
): Promise<void> => {
  if (files.length === 0) return;
  const firstId = await takeIds(tx, 'near_miss_attachments', files.length);
  await tx
    .insertInto('near_miss_attachments')
    .values(
      files.map((file, index) => ({
        ...common,
        id: firstId + index,
        stored_file_id: file.stored_file_id,
        upload_uuid: file.upload_uuid,
        filename: file.filename,
        content_type: file.content_type,
        size: file.size,
        sha256: file.sha256,
      })),
    )
    .execute();
};

export const deleteAttachment = async (
  tx: Db,
  where: { readonly company_id: number; readonly near_miss_id: number; readonly id: number },
): Promise<AttachmentRow | undefined> =>
  tx
    .deleteFrom('near_miss_attachments')
    .where('company_id', '=', where.company_id)
    .where('near_miss_id', '=', where.near_miss_id)
    .where('id', '=', where.id)
    .returning(columns)
    .executeTakeFirst();
