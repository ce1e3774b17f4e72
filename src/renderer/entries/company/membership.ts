/** What entries about the members of a project hold, and what they answer. */
import { z } from 'zod';
import { BULK_REMOVE_MAX } from '../../../contract/rest/project-memberships.ts';
import { type Answers, companyFields, type Marks, ofCompany, positiveId } from '../answers.ts';

const createSchema = z.object({ ...companyFields, party_id: positiveId });
export type MemberToAdd = z.infer<typeof createSchema>;

const deleteSchema = z.object({
  ...companyFields,
  party_id: positiveId,
  /** The membership's. */
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
  taken_back: 'alone',
} as const;

export const membershipCreateKind: Answers<MemberToAdd, Marks> = {
  ...common,
  does: 'makes',
  many: false,
  payload: { 1: createSchema },
  over: ({ party_id }) => ({ puts: 'members', party_ids: [party_id] }),
};

export const membershipDeleteKind: Answers<MemberToRemove, Marks> = {
  ...common,
  does: 'removes',
  many: false,
  payload: { 1: deleteSchema },
  over: ({ party_id }) => ({ puts: 'no_members', party_ids: [party_id] }),
};

export const membershipBulkAddKind: Answers<MembersToAdd, Marks> = {
  ...common,
  does: 'makes',
  many: true,
  payload: { 1: bulkAddSchema },
  over: ({ party_ids }) => ({ puts: 'members', party_ids }),
};

export const membershipBulkRemoveKind: Answers<MembersToRemove, Marks> = {
  ...common,
  does: 'removes',
  many: true,
  payload: { 1: bulkRemoveSchema },
  over: ({ party_ids }) => ({ puts: 'no_members', party_ids }),
};
