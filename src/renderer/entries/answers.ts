/**
 * What a kind of entry answers for: everything that differs by kind and needs neither the server nor the database. The queue,
 * lists, rebuild, export, import and screens ask, and know no kind by name; a kind that lacks an answer does not compile.
 * `send` and `settle` are the operation's (outbox/operations).
 */
import { z } from 'zod';
import type { IncidentCreate as NewIncident } from '../../contract/rest/incidents.ts';
import type { InsuranceSyncItem, InsuranceWrite } from '../../contract/rest/insurances.ts';
import type { WebhookEventType } from '../../contract/rest/webhooks.ts';
import type { CarriedPhoto } from './carried-photo.ts';

/** Wire fields of a near miss: `{description, harm_source_id, custom_field_7, …}`. */
export type WireFields = Readonly<Record<string, unknown>>;

/** Changes that an import takes in only where a person says so, kind by kind. */
export const askedKinds = ['deletes', 'members', 'webhooks'] as const;
export type AskedKind = (typeof askedKinds)[number];

/** A photo or file whose bytes an entry sends, and how far it is. */
export interface Bytes {
  /** With what it was made from. */
  readonly photo: CarriedPhoto;
  readonly company_id: number;
  /** A file of any kind, not only a photo or video. */
  readonly any_kind: boolean;
  /** The last finished step; null before. */
  readonly step: 'uploaded' | 'associated' | null;
  /** All its bytes are on the server. */
  readonly uploaded: boolean;
  /** Segments that the server had when it failed last. */
  readonly acknowledged: number;
}

/** Names a photo that goes off its record: by its id on the server, by the upload it came from, or by its bytes. */
export interface PhotoRemoval {
  readonly attachment_id: number | null;
  readonly upload_uuid: string | null;
  readonly sha256: string | null;
}

/** What an entry that waits lays over the rows, or takes from sight. */
export type Over =
  | {
      readonly puts: 'fields';
      readonly wire: WireFields;
      /** To the recycle bin or out of it; null: where it is. */
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
      /** Which kind of the company's own data: an `OwnDataKind` (company-record.ts). */
      readonly of: string;
      readonly record_key: string;
      readonly server_id: number | null;
      readonly is_new: boolean;
      readonly fields: WireFields;
    }
  | { readonly puts: 'company_records'; readonly of: string; readonly rows: number }
  | {
      readonly puts: 'incident';
      /** Negative: its number on this laptop. */
      readonly incident_id: number;
      readonly incident: NewIncident;
    };

export interface HookContent {
  readonly scope: 'company' | 'project';
  readonly namespace: string;
  readonly api_version: string;
  readonly destination_url: string;
}

/** What the history of a near miss tells of an entry. */
export interface Told {
  readonly before: WireFields;
  readonly after: WireFields;
  /** The fields are told when it is queued: it changes a record that was there. */
  readonly edit: boolean;
}

/** What is known of a kind whatever an entry of it holds: true also of one whose payload cannot be read. */
export interface Facts {
  readonly record:
    | 'near_miss'
    | 'photo'
    | 'tm_attachment'
    | 'incident'
    | 'insurance'
    | 'membership'
    | 'company_record'
    | 'hook'
    | 'trigger';
  readonly does: 'makes' | 'changes' | 'removes' | 'restores';
  /** Of many at once, in one request. */
  readonly many: boolean;
  /** Does a parked one hold its lane? */
  readonly blocks: boolean;
  /** What a person is asked before it comes in from another laptop's file; null: it comes with the rest. */
  readonly asks: AskedKind | null;
  /**
   * Where one fails again and again: `fixed`: nothing behind it in its lane may go before it; `record`: all but what changes the
   * record may; `last`: as `record`, and it overtakes nothing that it is behind; `beside`: all but a `last` may.
   */
  readonly order: 'fixed' | 'record' | 'last' | 'beside';
  /** A conflict says that it was not carried out: a person chooses between two versions. */
  readonly disputed: boolean;
  /** Can a person put it right in a form? */
  readonly fixable: boolean;
  /** Taken back it becomes a draft again; goes with all that waits for the record it makes; or goes alone. */
  readonly taken_back: 'as_draft' | 'with_record' | 'alone';
  /** Does it send the bytes of a photo or file? */
  readonly sends_bytes: boolean;
  /** The first version that may need an incident opened here to be there first; null: none does. */
  readonly needs_from: number | null;
  /** Of what was sent, nothing more than bytes can be there: no record has them. */
  only_bytes(checkpoint: Readonly<Record<string, unknown>>): boolean;
  /** Of each note of its checkpoint: does another laptop that takes the entry in go on from it? */
  readonly carries: Readonly<Record<string, boolean>>;
}

/** `mine`: the person has seen what others wrote in the same fields, and wants it written over. */
export type Sends = 'as_it_was' | 'mine';

export interface Answers<P, C> extends Facts {
  /** The payload's schema, by version. A version is never changed or taken away. */
  readonly payload: Readonly<Record<number, z.ZodType<P>>>;
  readonly checkpoint: z.ZodType<C>;
  /** The marks are every entry's, and are set where the entry is taken in. */
  readonly carries: { readonly [N in Exclude<keyof C, keyof Marks>]-?: boolean };
  /** In one lane all goes in order. */
  lane(payload: P): string;
  /** The version that this payload is written as. */
  version(payload: P): number;
  /** Null: nothing. Of the rows that it brings its operation tells (outbox/operations). */
  over(payload: P): Over | null;
  /** Null: it sends no bytes. */
  bytes(payload: P, checkpoint: C): Bytes | null;
  /** The same payload with another photo in its place, or with the photo as it can come in from a file. */
  carrying(payload: P, photo: CarriedPhoto): P;
  /** The incident opened here, of that project, that has to be there first. */
  needs(payload: P): { readonly incident_id: number; readonly project_id: number } | null;
  /** The payload of a new entry in this one's place: what is known of what its author saw goes along. */
  again(payload: P, checkpoint: C, sends: Sends): P;
  /** The notes under which a refused entry is sent again as it is; null: a new entry takes its place. */
  resumed(payload: P, checkpoint: C): C | null;
  /** Null: the history does not tell of it. */
  told(payload: P): Told | null;
  /** What a company's own record is called, for people; '' for all others. */
  about(payload: P): string;
  /** Its record turned out to be in the recycle bin. */
  recycled(checkpoint: C): boolean;
}

/** One note of a checkpoint. What is not as it should be counts as not there, as it is only a hint where to go on. */
export const note = <T>(schema: z.ZodType<T>) => schema.optional().catch(undefined);

/** A checkpoint's schema: typed by its notes, and nothing else that is in it gets lost. */
export const notes = <S extends z.ZodRawShape>(shape: S) =>
  z.looseObject({ ...marks, ...shape }) as unknown as z.ZodType<
    Readonly<z.infer<z.ZodObject<typeof marks & S>>>
  >;

/** What the checkpoint of any kind may say. */
const marks = {
  /** Another laptop may have it too. */
  exported: note(z.boolean()),
  /** The database that knew how far it got is gone. */
  restored: note(z.boolean()),
  /** A person took it in from a file. */
  imported: note(z.boolean()),
};
export const marksSchema = notes({});
export type Marks = z.infer<typeof marksSchema>;

/** The lane is named in every payload. */
const ofKey = ({ key }: { readonly key: string }): string => key;

/** The answers of a kind that sends no photo and no file. */
export const noBytes = {
  sends_bytes: false,
  only_bytes: () => false,
  bytes: () => null,
  carrying: <P>(payload: P): P => payload,
};

/** The answers of a kind whose tries leave nothing to go on from. */
export const noNotes = {
  checkpoint: marksSchema,
  carries: {},
  again: <P>(payload: P): P => payload,
  resumed: () => null,
  recycled: () => false,
};

/** The answers of a kind of one version, in the lane that its payload names, that waits for no incident. */
const needsNothing = {
  lane: ofKey,
  version: () => 1,
  needs_from: null,
  needs: () => null,
} as const;

/** The answers of what belongs to a near miss or an entry: its record says what it is about. */
export const ofRecord = {
  ...needsNothing,
  disputed: false,
  fixable: false,
  about: () => '',
} as const;

export const positiveId = z.number().int().positive();

/** Of a company's own record. `key` is the lane; `about` is what the record is called, for people. */
export const companyFields = {
  key: z.string(),
  company_id: positiveId,
  project_id: positiveId,
  about: z.string(),
};

/** The answers of a company's own record: one lane each, in order, and no history of a near miss tells of it. */
export const ofCompany = {
  ...noNotes,
  ...noBytes,
  ...needsNothing,
  order: 'fixed',
  told: () => null,
  about: ({ about }: { readonly about: string }): string => about,
} as const;
