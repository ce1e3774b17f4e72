/**
 * What entries about a company's own data hold, and what they answer: one family for every kind of record (decisions §11) and, for
 * corrections, the incidents of a project (§4.6). What a record of a kind may hold is the contract's to say.
 */
import { z } from 'zod';
import {
  companyRecordKindNames,
  companyRecordKinds,
  IMPORT_MAX,
} from '../../../contract/rest/company-records.ts';
import { companyUpdate } from '../../../contract/rest/companies.ts';
import { importKindNames, type ImportKind } from '../../../contract/rest/import-kinds.ts';
import { incidentUpdate } from '../../../contract/rest/incidents.ts';
import {
  type Answers,
  companyFields,
  type Marks,
  note,
  notes,
  ofCompany,
  positiveId,
} from '../answers.ts';

/** Every kind of a company's own data, in the order that people read it in. */
export const ownDataKinds = ['company', ...importKindNames] as const;
export type OwnDataKind = 'company' | ImportKind;

const fields = z.record(z.string(), z.unknown());
export type OwnDataFields = z.infer<typeof fields>;

const kept = companyRecordKindNames;

const createSchema = z
  .object({ ...companyFields, of: z.enum(kept), record_key: z.string(), fields })
  .refine((given) => companyRecordKinds[given.of].create.safeParse(given.fields).success);
export type RecordToMake = z.infer<typeof createSchema>;

const updateOf = (of: OwnDataKind) => {
  if (of === 'company') return companyUpdate;
  return of === 'incidents' ? incidentUpdate : companyRecordKinds[of].update;
};

const updateSchema = z
  .object({
    ...companyFields,
    of: z.enum(ownDataKinds),
    record_key: z.string(),
    server_id: positiveId.nullable(),
    changes: fields,
    /** What its author saw in the changed fields. */
    base: fields,
  })
  .refine((given) => updateOf(given.of).safeParse(given.changes).success);
export type RecordToChange = z.infer<typeof updateSchema>;

const importSchema = z.object({
  ...companyFields,
  of: z.enum(importKindNames),
  /** The line of the file that each row stands in. */
  lines: z.array(positiveId),
  rows: z.array(fields).min(1).max(IMPORT_MAX),
});
export type RecordsToImport = z.infer<typeof importSchema>;

const updateNotes = notes({
  /** The idempotency key, where the entry's own was refused. */
  key: note(z.string()),
  /** What others changed in the same fields, where a person has to choose. */
  theirs: note(fields),
});
export type RecordNotes = z.infer<typeof updateNotes>;

const common = {
  ...ofCompany,
  record: 'company_record',
  blocks: false,
  asks: null,
} as const;

export const companyRecordCreateKind: Answers<RecordToMake, Marks> = {
  ...common,
  does: 'makes',
  many: false,
  disputed: false,
  fixable: true,
  taken_back: 'with_record',
  payload: { 1: createSchema },
  over: ({ of, record_key, fields: said }) => ({
    puts: 'company_record',
    of,
    record_key,
    server_id: null,
    is_new: true,
    fields: said,
  }),
};

export const companyRecordUpdateKind: Answers<RecordToChange, RecordNotes> = {
  ...common,
  does: 'changes',
  many: false,
  disputed: true,
  fixable: true,
  taken_back: 'alone',
  payload: { 1: updateSchema },
  checkpoint: updateNotes,
  carries: { key: true, theirs: true },
  again: (payload, { theirs }, sends) => ({
    ...payload,
    base: { ...payload.base, ...(sends === 'mine' ? theirs : {}) },
  }),
  over: ({ of, record_key, server_id, changes }) => ({
    puts: 'company_record',
    of,
    record_key,
    server_id,
    is_new: false,
    fields: changes,
  }),
};

export const companyRecordImportKind: Answers<RecordsToImport, Marks> = {
  ...common,
  does: 'changes',
  many: true,
  disputed: false,
  fixable: false,
  taken_back: 'alone',
  payload: { 1: importSchema },
  over: ({ of, rows }) => ({ puts: 'company_records', of, rows: rows.length }),
};
