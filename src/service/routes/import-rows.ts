/** [ours] Imports the rows of a request, all or none; a dry run writes nothing (decisions §11.5). */
import type { CompanyRecordImport } from '../../contract/rest/company-records.ts';
import type { Import, ReportErrors } from '../domain/import-rows.ts';
import { invalid, type FieldErrors } from '../domain/problem.ts';
import { undone } from '../store/company-records.ts';
import type { Call } from './handler.ts';

/** Rows validated and written together. */
const BATCH = 500;

/** @throws Refusal 422 with every bad row, unless it is a dry run */
export const importRows = async (
  { db, body }: Pick<Call<'incidents.import' | 'vendors.import'>, 'db' | 'body'>,
  begin: (bad: ReportErrors) => Import,
): Promise<{ readonly data: CompanyRecordImport }> => {
  const { rows, dry_run = false } = body;
  const errors: Record<string, string[]> = {};
  const many = begin((place, bad) => {
    for (const [field, messages] of Object.entries(bad))
      errors[`${place}.${field}`] = [...messages];
  });
  const placed = rows.map((value, at) => ({ place: `rows.${at}`, value }));
  const run = async (): Promise<void> => {
    for (let at = 0; at < placed.length; at += BATCH) await many.add(placed.slice(at, at + BATCH));
  };
  await (dry_run ? undone(db, run) : run());
  if (!dry_run && Object.keys(errors).length > 0) throw invalid(errors as FieldErrors);
  return { data: { dry_run, ...many.counts(), errors } };
};
