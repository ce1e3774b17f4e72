/** Seeds the demo company's other records: insurances of its vendors, and files of time-and-material entries. */
import type { FileStore } from '../files/file-store.ts';
import type { Db } from '../store/engine/db.ts';
import { keepSheet } from './documents.ts';
import type { KeptFile } from './keep.ts';
import { insert, seedFiles, seedUploads, type Seat } from './rows.ts';
import * as words from './words.ts';

const DAY = 86_400_000;

/** Dates lie in the past and the future, so that every status occurs: valid, expiring, expired. */
export const seedInsurances = async (
  tx: Db,
  now: number,
  { company_id, project_id }: Seat,
  vendors: readonly { readonly id: number }[],
): Promise<void> => {
  const day = (days: number): string => new Date(now + days * DAY).toISOString().slice(0, 10);
  const rows = words.insurances.flatMap((list, index) =>
    list.map(([insurance_type, insurer, policy_number, limit, begins, ends]) => ({
      company_id,
      project_id,
      vendor_id: vendors[index]?.id ?? 0,
      version: 1,
      created_at: now + begins * DAY,
      updated_at: now + begins * DAY,
      enable_expired_insurance_notifications: 1,
      exempt: 0,
      info_received: 1,
      status: ends < 0 ? 'expired' : 'compliant',
      effective_date: day(begins),
      expiration_date: day(ends),
      insurance_provider: insurer,
      insurance_type,
      insurance_limit: limit,
      policy_number,
      notes: null,
      additional_insured: words.companyNames[0],
      division_template: null,
      insurance_sets: null,
      origin_data: null,
      origin_id: null,
    })),
  );
  await insert(tx, 'insurances', rows);
};

/** By time-and-material entry: its photos, then its sheet. */
export const keepEntryFiles = (
  files: FileStore,
  photos: readonly (readonly KeptFile[])[],
): Promise<readonly (readonly KeptFile[])[]> =>
  Promise.all(
    words.timeAndMaterialFiles.map(async ([, , sheet], index) => [
      ...(photos[index] ?? []),
      ...(sheet === null ? [] : [await keepSheet(files, sheet)]),
    ]),
  );

export const seedEntryFiles = async (
  tx: Db,
  now: number,
  seat: Seat,
  entries: readonly { readonly id: number }[],
  kept: readonly (readonly KeptFile[])[],
): Promise<void> => {
  const { company_id, project_id } = seat;
  const all = kept.flatMap((files, index) =>
    files.map((file) => ({ file, entry_id: entries[index]?.id ?? 0 })),
  );
  const uploads = all.map(({ file }) => file);
  const stored = await seedFiles(tx, now, company_id, uploads);
  await insert(
    tx,
    'time_and_material_entry_attachments',
    all.map(({ file, entry_id }, index) => ({
      company_id,
      project_id,
      time_and_material_entry_id: entry_id,
      document_id: null,
      upload_uuid: file.upload_uuid,
      stored_file_id: stored[index]?.id ?? null,
      filename: file.name,
      content_type: file.content_type,
      created_at: now - 3 * DAY,
    })),
  );
  await seedUploads(tx, now, seat, uploads, (index) => ({
    stored_file_id: stored[index]?.id ?? null,
    associated_type: 'time_and_material_entry',
    associated_id: all[index]?.entry_id ?? null,
  }));
};
