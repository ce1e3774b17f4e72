/**
 * The operations of a company's own data: their payloads and their specifications. One family covers every kind of record
 * (decisions §11) and corrections of a project's incidents (§4.6). The contract defines the fields of each kind.
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
  type OperationSpec,
  companyFields,
  type CommonCheckpoint,
  checkpointField,
  checkpointOf,
  ofCompany,
  positiveId,
} from '../spec.ts';

/** Every kind of a company's own data, in display order. */
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
    /** The values that its author saw in the changed fields. */
    base: fields,
  })
  .refine((given) => updateOf(given.of).safeParse(given.changes).success);
export type RecordToChange = z.infer<typeof updateSchema>;

const importSchema = z.object({
  ...companyFields,
  of: z.enum(importKindNames),
  /** The line of the file for each row. */
  lines: z.array(positiveId),
  rows: z.array(fields).min(1).max(IMPORT_MAX),
});
export type RecordsToImport = z.infer<typeof importSchema>;

const updateNotes = checkpointOf({
  /** The idempotency key, if the operation's own was refused. */
  key: checkpointField(z.string()),
  /** The others' changes to the same fields, until a person chooses. */
  theirs: checkpointField(fields),
});
export type RecordNotes = z.infer<typeof updateNotes>;

const common = {
  ...ofCompany,
  record: 'company_record',
  blocks: false,
  asks: null,
} as const;

export const companyRecordCreateKind: OperationSpec<RecordToMake, CommonCheckpoint> = {
  ...common,
  does: 'makes',
  many: false,
  disputed: false,
  fixable: true,
  on_cancel: 'with_record',
  payload: { 1: createSchema },
  optimisticPatch: ({ of, record_key, fields: said }) => ({
    puts: 'company_record',
    of,
    record_key,
    server_id: null,
    is_new: true,
    fields: said,
  }),
};

export const companyRecordUpdateKind: OperationSpec<RecordToChange, RecordNotes> = {
  ...common,
  does: 'changes',
  many: false,
  disputed: true,
  fixable: true,
  on_cancel: 'alone',
  payload: { 1: updateSchema },
  checkpoint: updateNotes,
  portable: { key: true, theirs: true },
  requeue: (payload, { theirs }, sends) => ({
    ...payload,
    base: { ...payload.base, ...(sends === 'mine' ? theirs : {}) },
  }),
  optimisticPatch: ({ of, record_key, server_id, changes }) => ({
    puts: 'company_record',
    of,
    record_key,
    server_id,
    is_new: false,
    fields: changes,
  }),
};

export const companyRecordImportKind: OperationSpec<RecordsToImport, CommonCheckpoint> = {
  ...common,
  does: 'changes',
  many: true,
  disputed: false,
  fixable: false,
  on_cancel: 'alone',
  payload: { 1: importSchema },
  optimisticPatch: ({ of, rows }) => ({ puts: 'company_records', of, rows: rows.length }),
};
