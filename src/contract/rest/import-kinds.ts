/**
 * [ours] The kinds of record that can be imported from a spreadsheet (decisions §11.5): the company's kinds and the incidents of
 * a project.
 */
import {
  type CompanyRecordKind,
  companyRecordKindNames,
  companyRecordKinds,
} from './company-records.ts';
import { incidentRow } from './incidents.ts';

export type ImportKind = 'incidents' | CompanyRecordKind;
export const importKindNames = ['incidents', ...companyRecordKindNames] as const;

export const importRow = (kind: ImportKind) =>
  kind === 'incidents' ? incidentRow : companyRecordKinds[kind].row;
