/** The operations of a vendor's insurances: their payloads and their specifications. */
import { z } from 'zod';
import { insuranceSyncItem, insuranceWrite, SYNC_MAX } from '../../../contract/rest/insurances.ts';
import {
  type OperationSpec,
  companyFields,
  type CommonCheckpoint,
  checkpointField,
  checkpointOf,
  ofCompany,
  positiveId,
} from '../spec.ts';

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
  /** The values that its author saw in the changed fields. */
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
  /** The line of the file for each item. */
  rows: z.array(positiveId),
  updates: z.array(insuranceSyncItem).min(1).max(SYNC_MAX),
});
export type InsurancesToSync = z.infer<typeof syncSchema>;

const updateNotes = checkpointOf({
  /** The idempotency key, if the operation's own was refused. */
  key: checkpointField(z.string()),
  /** The others' changes to the same fields, until a person chooses. */
  theirs: checkpointField(z.record(z.string(), z.unknown())),
});
export type InsuranceNotes = z.infer<typeof updateNotes>;

const syncNotes = checkpointOf({
  /** The vendor's insurance ids known to this laptop before the first attempt. */
  known: checkpointField(z.array(positiveId)),
});
export type SyncNotes = z.infer<typeof syncNotes>;

const common = {
  ...ofCompany,
  record: 'insurance',
  blocks: false,
} as const;

export const insuranceCreateKind: OperationSpec<InsuranceToMake, CommonCheckpoint> = {
  ...common,
  does: 'makes',
  many: false,
  asks: null,
  disputed: false,
  fixable: true,
  on_cancel: 'with_record',
  payload: { 1: createSchema },
  optimisticPatch: ({ record_key, vendor_id, insurance: fields }) => ({
    puts: 'insurance',
    record_key,
    vendor_id,
    server_id: null,
    is_new: true,
    fields,
  }),
};

export const insuranceUpdateKind: OperationSpec<InsuranceToChange, InsuranceNotes> = {
  ...common,
  does: 'changes',
  many: false,
  asks: null,
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
  optimisticPatch: ({ record_key, vendor_id, server_id, changes: fields }) => ({
    puts: 'insurance',
    record_key,
    vendor_id,
    server_id,
    is_new: false,
    fields,
  }),
};

export const insuranceDeleteKind: OperationSpec<InsuranceToDelete, CommonCheckpoint> = {
  ...common,
  does: 'removes',
  many: false,
  asks: 'deletes',
  disputed: false,
  fixable: false,
  on_cancel: 'alone',
  payload: { 1: deleteSchema },
  optimisticPatch: ({ record_key, server_id }) => ({ puts: 'no_insurance', record_key, server_id }),
};

export const insuranceSyncKind: OperationSpec<InsurancesToSync, SyncNotes> = {
  ...common,
  does: 'changes',
  many: true,
  asks: null,
  disputed: false,
  fixable: false,
  on_cancel: 'alone',
  payload: { 1: syncSchema },
  checkpoint: syncNotes,
  portable: { known: true },
  optimisticPatch: ({ vendor_id, updates: lines }) => ({ puts: 'insurances', vendor_id, lines }),
};
