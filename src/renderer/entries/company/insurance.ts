/** What entries about the insurances of a vendor hold, and what they answer. */
import { z } from 'zod';
import { insuranceSyncItem, insuranceWrite, SYNC_MAX } from '../../../contract/rest/insurances.ts';
import {
  type Answers,
  companyFields,
  type Marks,
  note,
  notes,
  ofCompany,
  positiveId,
} from '../answers.ts';

const createSchema = z.object({
  ...companyFields,
  vendor_id: positiveId,
  record_key: z.string(),
  insurance: insuranceWrite,
});
export type InsuranceToMake = z.infer<typeof createSchema>;

const updateSchema = z.object({
  ...companyFields,
  vendor_id: positiveId,
  record_key: z.string(),
  server_id: positiveId.nullable(),
  changes: insuranceWrite,
  /** What its author saw in the changed fields. */
  base: z.record(z.string(), z.unknown()),
});
export type InsuranceToChange = z.infer<typeof updateSchema>;

const deleteSchema = z.object({
  ...companyFields,
  vendor_id: positiveId,
  record_key: z.string(),
  server_id: positiveId.nullable(),
});
export type InsuranceToDelete = z.infer<typeof deleteSchema>;

const syncSchema = z.object({
  ...companyFields,
  vendor_id: positiveId,
  /** The line of the file that each item stands in. */
  rows: z.array(positiveId),
  updates: z.array(insuranceSyncItem).min(1).max(SYNC_MAX),
});
export type InsurancesToSync = z.infer<typeof syncSchema>;

const updateNotes = notes({
  /** The idempotency key, where the entry's own was refused. */
  key: note(z.string()),
  /** What others changed in the same fields, where a person has to choose. */
  theirs: note(z.record(z.string(), z.unknown())),
});
export type InsuranceNotes = z.infer<typeof updateNotes>;

const syncNotes = notes({
  /** The server's ids that this laptop knew of the vendor before it sent the lines for the first time. */
  known: note(z.array(positiveId)),
});
export type SyncNotes = z.infer<typeof syncNotes>;

const common = {
  ...ofCompany,
  record: 'insurance',
  blocks: false,
} as const;

export const insuranceCreateKind: Answers<InsuranceToMake, Marks> = {
  ...common,
  does: 'makes',
  many: false,
  asks: null,
  disputed: false,
  fixable: true,
  taken_back: 'with_record',
  payload: { 1: createSchema },
  over: ({ record_key, vendor_id, insurance: fields }) => ({
    puts: 'insurance',
    record_key,
    vendor_id,
    server_id: null,
    is_new: true,
    fields,
  }),
};

export const insuranceUpdateKind: Answers<InsuranceToChange, InsuranceNotes> = {
  ...common,
  does: 'changes',
  many: false,
  asks: null,
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
  over: ({ record_key, vendor_id, server_id, changes: fields }) => ({
    puts: 'insurance',
    record_key,
    vendor_id,
    server_id,
    is_new: false,
    fields,
  }),
};

export const insuranceDeleteKind: Answers<InsuranceToDelete, Marks> = {
  ...common,
  does: 'removes',
  many: false,
  asks: 'deletes',
  disputed: false,
  fixable: false,
  taken_back: 'alone',
  payload: { 1: deleteSchema },
  over: ({ record_key, server_id }) => ({ puts: 'no_insurance', record_key, server_id }),
};

export const insuranceSyncKind: Answers<InsurancesToSync, SyncNotes> = {
  ...common,
  does: 'changes',
  many: true,
  asks: null,
  disputed: false,
  fixable: false,
  taken_back: 'alone',
  payload: { 1: syncSchema },
  checkpoint: syncNotes,
  carries: { known: true },
  over: ({ vendor_id, updates: lines }) => ({ puts: 'insurances', vendor_id, lines }),
};
