/**
 * Defines the specification of a kind of operation: everything that differs by kind and needs neither server nor database.
 * Queue, lists, rebuild, export, import and screens use it and know no kind by name. A kind that lacks an answer does
 * not compile. `send` and `settle` belong to the handler (outbox/handlers).
 */
import { z } from 'zod';
import type { IncidentCreate as NewIncident } from '../../contract/rest/incidents.ts';
import type { InsuranceSyncItem, InsuranceWrite } from '../../contract/rest/insurances.ts';
import type { WebhookEventType } from '../../contract/rest/webhooks.ts';
import type { CarriedPhoto } from './carried-photo.ts';

/** Wire fields of a near miss: `{description, harm_source_id, custom_field_7, …}`. */
export type WireFields = Readonly<Record<string, unknown>>;

/** Kinds of changes that an import includes only if a person confirms them. */
export const askedKinds = ['deletes', 'members', 'webhooks'] as const;
export type AskedKind = (typeof askedKinds)[number];

/** A photo or file that an operation sends, with its progress. */
export interface Bytes {
  /** Includes the original, if the photo was edited. */
  readonly photo: CarriedPhoto;
  readonly company_id: number;
  /** True for a file of any type, not only a photo or video. */
  readonly any_kind: boolean;
  /** The last finished step; null before. */
  readonly step: 'uploaded' | 'associated' | null;
  /** True if the server has all its bytes. */
  readonly uploaded: boolean;
  /** Segments that the server had at the last failure. */
  readonly acknowledged: number;
}

/** Identifies a photo to remove: by its id on the server, its upload or its bytes. */
export interface PhotoRemoval {
  readonly attachment_id: number | null;
  readonly upload_uuid: string | null;
  readonly sha256: string | null;
}

/** The optimistic patch of a pending operation: the local effect before the server confirms it. */
export type OptimisticPatch =
  | {
      readonly puts: 'fields';
      readonly wire: WireFields;
      /** Into or out of the recycle bin; null: unchanged. */
      readonly bin: 'in' | 'out' | null;
    }
  | { readonly puts: 'no_photo'; readonly removal: PhotoRemoval }
  | { readonly puts: 'no_files'; readonly attachment_refs: readonly string[] }
  | {
      readonly puts: 'insurance';
      readonly record_key: string;
      readonly vendor_id: number;
      readonly server_id: number | null;
      readonly is_new: boolean;
      readonly fields: InsuranceWrite;
    }
  | {
      readonly puts: 'no_insurance';
      readonly record_key: string;
      readonly server_id: number | null;
    }
  | {
      readonly puts: 'insurances';
      readonly vendor_id: number;
      readonly lines: readonly InsuranceSyncItem[];
    }
  | { readonly puts: 'members' | 'no_members'; readonly party_ids: readonly number[] }
  | {
      readonly puts: 'hook';
      readonly record_key: string;
      readonly server_id: number | null;
      readonly is_new: boolean;
      readonly hook: Partial<HookContent>;
    }
  | { readonly puts: 'no_hook'; readonly record_key: string; readonly server_id: number | null }
  | {
      readonly puts: 'trigger' | 'no_trigger';
      readonly record_key: string;
      readonly server_id: number | null;
      readonly trigger_key: string;
      readonly trigger_id: number | null;
      readonly trigger: { readonly resource_name: string; readonly event_type: WebhookEventType };
    }
  | {
      readonly puts: 'company_record';
      /** The kind of the company's own data: an `OwnDataKind` (company-record.ts). */
      readonly of: string;
      readonly record_key: string;
      readonly server_id: number | null;
      readonly is_new: boolean;
      readonly fields: WireFields;
    }
  | { readonly puts: 'company_records'; readonly of: string; readonly rows: number }
  | {
      readonly puts: 'incident';
      /** Negative: its local id. */
      readonly incident_id: number;
      readonly incident: NewIncident;
    };

interface HookContent {
  readonly scope: 'company' | 'project';
  readonly namespace: string;
  readonly api_version: string;
  readonly destination_url: string;
}

/** An operation's contribution to the history of its near miss. */
export interface RecordedChange {
  readonly before: WireFields;
  readonly after: WireFields;
  /** True if the fields are recorded when the operation is queued, because it changes an existing record. */
  readonly edit: boolean;
}

/** The traits of a kind, which hold for every operation of it, even one with an unreadable payload. */
export interface OperationTraits {
  readonly record:
    | 'near_miss'
    | 'photo'
    | 'comment'
    | 'tm_attachment'
    | 'incident'
    | 'insurance'
    | 'membership'
    | 'company_record'
    | 'hook'
    | 'trigger';
  readonly does: 'makes' | 'changes' | 'removes' | 'restores';
  /** True if one request changes many records. */
  readonly many: boolean;
  /** True if a parked operation blocks its lane. */
  readonly blocks: boolean;
  /** The confirmation that an import needs; null: none. */
  readonly asks: AskedKind | null;
  /**
   * Which later operations of the lane may overtake a failing one. `fixed`: none. `record`: those that do not change the
   * record. `last`: as `record`, and it overtakes no earlier operation. `beside`: all but a `last`.
   */
  readonly order: 'fixed' | 'record' | 'last' | 'beside';
  /** True if a conflict means that the server did not execute it: a person chooses between two versions. */
  readonly disputed: boolean;
  /** True if a person can correct it in a form. */
  readonly fixable: boolean;
  /**
   * The effect of cancelling: it becomes a draft again, its dependent operations are cancelled too, or only this operation is.
   */
  readonly on_cancel: 'as_draft' | 'with_record' | 'alone';
  readonly sends_bytes: boolean;
  /** True if an operation may depend on a locally opened incident. */
  readonly may_need_incident: boolean;
  /** True if at most bytes were sent, so that no record can refer to them. */
  only_bytes(checkpoint: Readonly<Record<string, unknown>>): boolean;
  /** For each checkpoint field: whether it is portable to a laptop that imports the operation. */
  readonly portable: Readonly<Record<string, boolean>>;
}

/** `mine`: the person has seen the others' changes to these fields and overwrites them. */
export type RequeueMode = 'as_it_was' | 'mine';

export interface OperationSpec<P, C> extends OperationTraits {
  /** The payload's schema, by version. A released version is never changed or removed. */
  readonly payload: Readonly<Record<number, z.ZodType<P>>>;
  readonly checkpoint: z.ZodType<C>;
  /** The common fields are excluded: the import sets them. */
  readonly portable: { readonly [N in Exclude<keyof C, keyof CommonCheckpoint>]-?: boolean };
  lane(payload: P): string;
  version(payload: P): number;
  /** Null: no optimistic patch. The handler creates the operation's own rows (outbox/handlers). */
  optimisticPatch(payload: P): OptimisticPatch | null;
  /** Null: it sends no bytes. */
  bytes(payload: P, checkpoint: C): Bytes | null;
  /** The payload with another photo, or with the importable form of its photo. */
  carrying(payload: P, photo: CarriedPhoto): P;
  /** The locally opened incident, and its project, that must be sent first. */
  needs(payload: P): { readonly incident_id: number; readonly project_id: number } | null;
  /** The payload of a new operation that replaces this one, with the known base values of its author. */
  requeue(payload: P, checkpoint: C, sends: RequeueMode): P;
  /** The checkpoint with which a refused operation is sent again unchanged; null: a new operation replaces it. */
  retryCheckpoint(payload: P, checkpoint: C): C | null;
  /** Null: it does not appear in the history. */
  recordedChange(payload: P): RecordedChange | null;
  /** The display name of a company's own record; '' for all others. */
  about(payload: P): string;
  /** True if its record was found in the recycle bin. */
  recycled(checkpoint: C): boolean;
}

/** One checkpoint field. An invalid value counts as missing, because it is only a hint where to resume. */
export const checkpointField = <T>(schema: z.ZodType<T>) => schema.optional().catch(undefined);

/** A checkpoint's schema: typed by its fields, and unknown fields are kept. */
export const checkpointOf = <S extends z.ZodRawShape>(shape: S) =>
  z.looseObject({ ...marks, ...shape }) as unknown as z.ZodType<
    Readonly<z.infer<z.ZodObject<typeof marks & S>>>
  >;

/** Fields common to every checkpoint. */
const marks = {
  /** Another laptop may have the operation too. */
  exported: checkpointField(z.boolean()),
  /** The database that knew the progress is lost. */
  restored: checkpointField(z.boolean()),
  /** A person imported it from a file. */
  imported: checkpointField(z.boolean()),
  /** The record of an answer that contradicts what was sent. */
  contradicted: checkpointField(z.number()),
};
export const commonCheckpointSchema = checkpointOf({});
export type CommonCheckpoint = z.infer<typeof commonCheckpointSchema>;

const ofKey = ({ key }: { readonly key: string }): string => key;

/** Defaults of a kind that sends no photo or file. */
export const noBytes = {
  sends_bytes: false,
  only_bytes: () => false,
  bytes: () => null,
  carrying: <P>(payload: P): P => payload,
};

/** Defaults of a kind without checkpoint fields. */
export const noCheckpoint = {
  checkpoint: commonCheckpointSchema,
  portable: {},
  requeue: <P>(payload: P): P => payload,
  retryCheckpoint: () => null,
  recycled: () => false,
};

/** Defaults of a kind with one version that depends on no incident; its payload names the lane. */
const needsNothing = {
  lane: ofKey,
  version: () => 1,
  may_need_incident: false,
  needs: () => null,
} as const;

/** Defaults of an entry that belongs to a near miss or a time-and-material entry; that record has the name. */
export const ofRecord = {
  ...needsNothing,
  disputed: false,
  fixable: false,
  about: () => '',
} as const;

export const positiveId = z.number().int().positive();

/** Fields of a company's own record. `key` is the lane; `about` is the record's display name. */
export const companyFields = {
  key: z.string(),
  company_id: positiveId,
  project_id: positiveId,
  about: z.string(),
};

/** Defaults of a company's own record: sent in order within its lane, and in no near miss's history. */
export const ofCompany = {
  ...noCheckpoint,
  ...noBytes,
  ...needsNothing,
  order: 'fixed',
  recordedChange: () => null,
  about: ({ about }: { readonly about: string }): string => about,
} as const;
