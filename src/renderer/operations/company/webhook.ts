/** The operations of webhooks and their triggers: their payloads and their specifications. */
import { z } from 'zod';
import { webhookEventTypes } from '../../../contract/rest/webhooks.ts';
import {
  type OperationSpec,
  companyFields,
  type CommonCheckpoint,
  ofCompany,
  positiveId,
} from '../spec.ts';

/** The owner and namespace of a hook, without which its id is not found (decisions §9.1). */
const hookPlace = z.object({
  scope: z.enum(['company', 'project']),
  namespace: z.string(),
});
export type HookPlace = z.infer<typeof hookPlace>;

/** For an operation about an existing or queued hook: `record_key` is the hook's. */
const hookFields = {
  ...companyFields,
  record_key: z.string(),
  server_id: positiveId.nullable(),
  place: hookPlace,
};

const hookCreateSchema = z.object({
  ...companyFields,
  record_key: z.string(),
  hook: hookPlace.extend({ api_version: z.string(), destination_url: z.string() }),
});
export type HookToMake = z.infer<typeof hookCreateSchema>;

const hookUpdateSchema = z.object({
  ...hookFields,
  hook: z.object({ api_version: z.string().optional(), destination_url: z.string().optional() }),
});
export type HookToChange = z.infer<typeof hookUpdateSchema>;

const hookDeleteSchema = z.object(hookFields);
export type HookToDelete = z.infer<typeof hookDeleteSchema>;

const trigger = z.object({ resource_name: z.string(), event_type: z.enum(webhookEventTypes) });

const triggerCreateSchema = z.object({
  ...hookFields,
  trigger_key: z.string(),
  api_version: z.string(),
  trigger,
});
export type TriggerToMake = z.infer<typeof triggerCreateSchema>;

const triggerDeleteSchema = z.object({
  ...hookFields,
  trigger_key: z.string(),
  trigger_id: positiveId.nullable(),
  trigger,
});
export type TriggerToDelete = z.infer<typeof triggerDeleteSchema>;

const common = {
  ...ofCompany,
  many: false,
  asks: 'webhooks',
  disputed: false,
} as const;

export const hookCreateKind: OperationSpec<HookToMake, CommonCheckpoint> = {
  ...common,
  record: 'hook',
  does: 'makes',
  fixable: true,
  on_cancel: 'with_record',
  // Its triggers make no sense before it.
  blocks: true,
  payload: { 1: hookCreateSchema },
  optimisticPatch: ({ record_key, hook }) => ({
    puts: 'hook',
    record_key,
    server_id: null,
    is_new: true,
    hook,
  }),
};

export const hookUpdateKind: OperationSpec<HookToChange, CommonCheckpoint> = {
  ...common,
  record: 'hook',
  does: 'changes',
  fixable: true,
  on_cancel: 'alone',
  blocks: false,
  payload: { 1: hookUpdateSchema },
  optimisticPatch: ({ record_key, server_id, hook }) => ({
    puts: 'hook',
    record_key,
    server_id,
    is_new: false,
    hook,
  }),
};

export const hookDeleteKind: OperationSpec<HookToDelete, CommonCheckpoint> = {
  ...common,
  record: 'hook',
  does: 'removes',
  fixable: false,
  on_cancel: 'alone',
  blocks: false,
  payload: { 1: hookDeleteSchema },
  optimisticPatch: ({ record_key, server_id }) => ({ puts: 'no_hook', record_key, server_id }),
};

export const triggerCreateKind: OperationSpec<TriggerToMake, CommonCheckpoint> = {
  ...common,
  record: 'trigger',
  does: 'makes',
  fixable: false,
  on_cancel: 'alone',
  blocks: false,
  payload: { 1: triggerCreateSchema },
  optimisticPatch: ({ record_key, server_id, trigger_key, trigger: given }) => ({
    puts: 'trigger',
    record_key,
    server_id,
    trigger_key,
    trigger_id: null,
    trigger: given,
  }),
};

export const triggerDeleteKind: OperationSpec<TriggerToDelete, CommonCheckpoint> = {
  ...common,
  record: 'trigger',
  does: 'removes',
  fixable: false,
  on_cancel: 'alone',
  blocks: false,
  payload: { 1: triggerDeleteSchema },
  optimisticPatch: ({ record_key, server_id, trigger_key, trigger_id, trigger: given }) => ({
    puts: 'no_trigger',
    record_key,
    server_id,
    trigger_key,
    trigger_id,
    trigger: given,
  }),
};
