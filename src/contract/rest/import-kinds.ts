/** [ours] Everything that can be imported from a spreadsheet (decisions §11.5): the kinds of a company, and the incidents of a project. */
import {
  type CompanyRecordKind,
  companyRecordKindNames,
  companyRecordKinds,
} from './company-records.ts';
import { incidentRow } from './incidents.ts';

export type ImportKind = 'incidents' | CompanyRecordKind;
export const importKindNames = ['incidents', ...companyRecordKindNames] as const;

/** What a row may hold. */
export const importRow = (kind: ImportKind) =>
  kind === 'incidents' ? incidentRow : companyRecordKinds[kind].row;
