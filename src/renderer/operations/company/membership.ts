/** The operations of a project's members: their payloads and their specifications. */
import { z } from 'zod';
import { BULK_REMOVE_MAX } from '../../../contract/rest/project-memberships.ts';
import {
  type OperationSpec,
  companyFields,
  type CommonCheckpoint,
  ofCompany,
  positiveId,
} from '../spec.ts';

const createSchema = z.object({ ...companyFields, party_id: positiveId });
export type MemberToAdd = z.infer<typeof createSchema>;

const deleteSchema = z.object({
  ...companyFields,
  party_id: positiveId,
  /** The membership's id on the server. */
  server_id: positiveId.nullable(),
});
export type MemberToRemove = z.infer<typeof deleteSchema>;

const bulkAddSchema = z.object({ ...companyFields, party_ids: z.array(positiveId).min(1) });
export type MembersToAdd = z.infer<typeof bulkAddSchema>;

const bulkRemoveSchema = z.object({
  ...companyFields,
  party_ids: z.array(positiveId).min(1).max(BULK_REMOVE_MAX),
});
export type MembersToRemove = z.infer<typeof bulkRemoveSchema>;

const common = {
  ...ofCompany,
  record: 'membership',
  blocks: false,
  asks: 'members',
  disputed: false,
  fixable: false,
  on_cancel: 'alone',
} as const;

export const membershipCreateKind: OperationSpec<MemberToAdd, CommonCheckpoint> = {
  ...common,
  does: 'makes',
  many: false,
  payload: { 1: createSchema },
  optimisticPatch: ({ party_id }) => ({ puts: 'members', party_ids: [party_id] }),
};

export const membershipDeleteKind: OperationSpec<MemberToRemove, CommonCheckpoint> = {
  ...common,
  does: 'removes',
  many: false,
  payload: { 1: deleteSchema },
  optimisticPatch: ({ party_id }) => ({ puts: 'no_members', party_ids: [party_id] }),
};

export const membershipBulkAddKind: OperationSpec<MembersToAdd, CommonCheckpoint> = {
  ...common,
  does: 'makes',
  many: true,
  payload: { 1: bulkAddSchema },
  optimisticPatch: ({ party_ids }) => ({ puts: 'members', party_ids }),
};

export const membershipBulkRemoveKind: OperationSpec<MembersToRemove, CommonCheckpoint> = {
  ...common,
  does: 'removes',
  many: true,
  payload: { 1: bulkRemoveSchema },
  optimisticPatch: ({ party_ids }) => ({ puts: 'no_members', party_ids }),
};
