/**
 * The window's database: displayed records and pending operations. Durability is strict, because the window says "saved on this
 * laptop" after a commit. The host's journal is the second copy, from which the database is rebuilt (outbox promise 1).
 */
import { Dexie, type EntityTable, type Table, type Transaction } from 'dexie';
import type { PhotoReceipt } from '../../../contract/host.ts';
import type { Problem } from '../../../contract/problem.ts';
import type { Catalog } from '../../../contract/rest/catalog.ts';
import type { NearMissComment } from '../../../contract/rest/history/near-miss-comments.ts';
import type { HistoryEntry } from '../../../contract/rest/history/near-miss-history.ts';
import type { Insurance } from '../../../contract/rest/insurances.ts';
import type { LookupField, ShownName, TextField } from '../../../contract/rest/near-miss-fields.ts';
import type { NearMiss } from '../../../contract/rest/near-misses.ts';
import type { Plan } from '../../../contract/rest/plans/plans.ts';
import type { WebhookEventType } from '../../../contract/rest/webhooks.ts';
import { broadcastChanges } from './changes.ts';
import { announceDraftWrites } from './draft-writes.ts';
import type { OwnDataKind } from '../../operations/company/company-record.ts';
import type { OutboxOperation } from '../../operations/stored.ts';
import type { Edits } from '../../photos/markup/model.ts';

/**
 * Ids are the server's; `custom_fields` has the API's keys (`custom_field_7`). A row from before a text field lacks it, which
 * means ''.
 */
export interface NearMissFields extends Readonly<
  Record<LookupField, number | null> & Partial<Record<TextField, string>>
> {
  readonly incident_id: number;
  /** Rich text (HTML). `data/model/text.ts` converts it to and from plain text. */
  readonly description: string;
  readonly custom_fields: Readonly<Record<string, unknown>>;
}

/** Denormalized names of the ids at the last write, so that lists, search and sorting need no catalog. */
export type NearMissNames = Readonly<Record<'incident' | ShownName<LookupField>, string>>;

export interface NearMissRow {
  /** Never changes. A local ULID, or `srv-…` for a record first seen on the server. */
  readonly key: string;
  readonly account: string;
  readonly company_id: number;
  readonly project_id: number;
  /** Null until the server has the record. */
  readonly server_id: number | null;
  readonly incident_id: number;
  /** The user's view: the server's copy with pending operations applied. */
  readonly fields: NearMissFields;
  readonly names: NearMissNames;
  /** The server's last response; null before the first. */
  readonly server: NearMiss | null;
  /** `3-12`, or '' without a server number. */
  readonly full_number: string;
  /** First line of the description. */
  readonly title: string;
  /** Folded text (lower case, no accents) that the search matches. */
  readonly search: string;
  /** Milliseconds since the epoch, by the server's clock if known. */
  readonly created_at: number;
  readonly updated_at: number;
  /** Time of deletion to the recycle bin; null while active. */
  readonly removed_at: number | null;
  /** 1 in the recycle bin. A number, because IndexedDB cannot index null. */
  readonly bin: 0 | 1;
  /**
   * Logical time (`Clock.tick`) of the last write of the server's copy. A refresh that started earlier must not overwrite the
   * row.
   */
  readonly seen_at: number;
}

type PhotoState =
  | 'draft'
  | 'waiting'
  /** Read back from the server and found equal. */
  | 'delivered'
  /** The original on this laptop is missing or has changed. */
  | 'damaged';

/** Capture time as the camera wrote it. A zone missing in the file is never guessed. */
export interface TakenAt {
  /** The camera's wall clock: `2026-03-04T07:15:00`. */
  readonly local: string;
  /** `+02:00`; null if the file has none. */
  readonly offset: string | null;
  /** Milliseconds since the epoch, only if `offset` or GPS time makes it certain. */
  readonly at: number | null;
  /** A second time in the file that no time zone explains, in milliseconds. Only a person knows which of the two is right. */
  readonly other_at?: number;
}

export interface PhotoRow {
  readonly photo_id: string;
  readonly account: string;
  /** Exactly one of `near_miss_key` and `draft_id` is set. */
  readonly near_miss_key: string | null;
  readonly draft_id: string | null;
  readonly filename: string;
  readonly size: number;
  readonly sha256: string;
  readonly content_type: string;
  /** At most 512 px, upright. Null if the browser cannot read the format, or after a rebuild until it is regenerated. */
  readonly thumbnail: Blob | null;
  readonly taken_at: TakenAt | null;
  readonly gps: { readonly latitude: number; readonly longitude: number } | null;
  /** EXIF orientation 1…8. */
  readonly orientation: number | null;
  /** Direction of the camera in degrees from north. */
  readonly direction?: number | null;
  /** True if metadata about people, places and devices was removed on import. */
  readonly cleaned?: boolean;
  /** True if the file is truncated. The form says so; the person may still send it. */
  readonly cut_off?: boolean;
  /** The original of a resized or marked-up photo. It stays in the spool under its own photo id until this photo is delivered. */
  readonly original?: { readonly photo_id: string; readonly size: number; readonly sha256: string };
  /** The person's edits of the original. If set, the original is never sent: it may show a face that was blurred. */
  readonly edits?: Edits;
  readonly state: PhotoState;
  readonly upload_uuid: string | null;
  readonly attachment_id: number | null;
  readonly receipt: PhotoReceipt | null;
  readonly problem: Problem | null;
  readonly created_at: number;
}

/** A file of a time-and-material entry, pending or on the server. */
export interface TmAttachmentRow {
  /** Never changes. A local ULID (of a local file: its id in the spool), or `tm-srv-…` for a file first seen on the server. */
  readonly key: string;
  readonly account: string;
  readonly company_id: number;
  readonly project_id: number;
  /** Lane of its pending operations: one per time-and-material entry (`tmLane`). */
  readonly lane: string;
  /** Null if the server does not send it. */
  readonly time_and_material_entry_id: number | null;
  /** Null until the server has the file. */
  readonly server_id: number | null;
  readonly filename: string;
  readonly content_type: string | null;
  /** True if the server has a file to download; `has_thumbnail`: a thumbnail. */
  readonly has_bytes: boolean;
  readonly has_thumbnail: boolean;
  /** Bytes and hash of a file attached on this laptop. */
  readonly size: number | null;
  readonly sha256: string | null;
  /** True if the spool has the original under `key`. */
  readonly in_spool: boolean;
  readonly thumbnail: Blob | null;
  readonly state: 'waiting' | 'delivered';
  readonly receipt: PhotoReceipt | null;
  readonly created_at: number;
  /** Logical time as in NearMissRow: a refresh that started earlier must not overwrite the row. */
  readonly seen_at: number;
}

/**
 * The base of a three-way merge for one field. `shown`: the value in the form before the edit. `server`: the server's
 * value then, absent if the server had none yet.
 */
interface BaseField {
  readonly shown: unknown;
  readonly server?: unknown;
}
/** Keyed by API field names: `description`, `custom_field_7`. */
export type BaseFields = Readonly<Record<string, BaseField>>;

/** A chosen photo that is not on disk yet. */
export interface ComingPhoto {
  readonly photo_id: string;
  readonly filename: string;
}

export interface DraftRow {
  /** A ULID that becomes the key of the saved near miss, so that saving twice saves once. */
  readonly id: string;
  /** Key of the edited near miss; `fields` then holds only the differences from it. */
  readonly edits?: string;
  readonly account: string;
  readonly company_id: number;
  readonly project_id: number;
  readonly fields: Partial<NearMissFields>;
  /** For an edit: the base of its changed fields. */
  readonly base_fields?: BaseFields;
  readonly created_at: number;
  readonly updated_at: number;
  /** Photos being read for the draft (coming-photos.ts); absent: none. */
  readonly coming?: readonly ComingPhoto[];
  /** Time of deletion: hidden, but kept a while for "Undo". */
  readonly thrown_at?: number;
}

export type { OperationState, OutboxOperation } from '../../operations/stored.ts';

/** A queued operation that this version cannot read, stored unchanged (failures A20). */
export interface QuarantineRow {
  readonly id?: number;
  readonly account: string;
  readonly lane: string;
  readonly raw: unknown;
  readonly reason: string;
  readonly found_at: number;
}

export interface LinkRow {
  readonly local_id: string;
  readonly server_id: number;
}

/** A handler that has ended in this database and must still be settled in the journal. */
export interface TombstoneRow {
  readonly operation_id: string;
  readonly links: readonly LinkRow[];
  /** For an ended draft (`operation_id` is its id): the version that the journal must forget. */
  readonly draft_at?: number;
}

export interface CatalogRow {
  readonly account: string;
  readonly project_id: number;
  readonly catalog: Catalog;
  readonly etag: string | null;
  /** `server`: from the server. `records`: built from records seen, because the server has no catalog. */
  readonly source: 'server' | 'records';
  readonly fetched_at: number;
  /** Logical time of its request, or of a later write that changed it. A response to an earlier request is stale. */
  readonly known_at?: number;
}

/** Small named values: the next seq, the circuit breaker's state, the server clock's offset, refresh times. */
interface MetaRow {
  readonly name: string;
  readonly value: unknown;
}

/** One changed field. Long text is truncated; ids are the server's. */
export interface HistoryChange {
  /** API field name: `description`, `harm_source_id`, `custom_field_7`. */
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface HistoryRow {
  readonly id: number;
  /** `NearMissRow.key` of the near miss. */
  readonly key: string;
  readonly account: string;
  readonly at: number;
  /**
   * `queued`: a person queued a handler; `changed`: a pending operation was changed; `dropped`: cancelled before it was sent;
   * `delivered`: the server has it; `rebuilt`: restored from the journal after the database was lost.
   */
  readonly event: 'queued' | 'changed' | 'dropped' | 'delivered' | 'rebuilt';
  /** Kind of the operation (operations/operation.ts): of a near miss or of its photos. */
  readonly kind: string;
  readonly operation_id: string;
  readonly changes: readonly HistoryChange[];
  /** File name of the photo, if the operation concerns one. */
  readonly filename: string | null;
}

/** The server's history of a near miss, as it was last read (server-history.ts). */
export interface ServerHistoryRow {
  /** `NearMissRow.key` of the near miss. */
  readonly key: string;
  readonly account: string;
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  /** Entries on the server. */
  readonly total: number;
  readonly read_at: number;
}

/** The server's comments on a near miss, as they were last read (data/comments). */
export interface CommentsRow {
  /** `NearMissRow.key` of the near miss. */
  readonly key: string;
  readonly account: string;
  /** Newest first. */
  readonly comments: readonly NearMissComment[];
  /** Comments on the server, removed ones included. */
  readonly total: number;
  /** Ids of comments that this laptop has delivered. */
  readonly delivered: readonly number[];
  readonly read_at: number;
}

/** An unfinished comment. */
interface CommentDraftRow {
  /** `NearMissRow.key` of the near miss. */
  readonly key: string;
  readonly text: string;
}

/** The server's copy of an insurance. Pending changes are only in the queue. */
export interface InsuranceRow {
  /** Never changes. A local ULID, or `ins-srv-…` for a record first seen on the server. */
  readonly key: string;
  readonly account: string;
  readonly company_id: number;
  readonly project_id: number;
  readonly vendor_id: number;
  readonly server_id: number;
  readonly server: Insurance;
  /** Logical time as in NearMissRow: a refresh that started earlier must not overwrite the row. */
  readonly seen_at: number;
}

/** The server's copy of one of the company's own records. */
export interface CompanyRecordRow {
  /** Never changes. A local ULID, or `own-srv-…` for a record first seen on the server. */
  readonly key: string;
  readonly account: string;
  readonly of: OwnDataKind;
  /** Set for incidents; null for every other kind. */
  readonly project_id: number | null;
  readonly server_id: number;
  readonly server: Readonly<Record<string, unknown>>;
  /** Logical time as in NearMissRow: a refresh that started earlier must not overwrite the row. */
  readonly seen_at: number;
}

/** The server's copy of a membership. */
export interface MembershipRow {
  readonly account: string;
  readonly project_id: number;
  readonly party_id: number;
  /** Id of the membership; null if only the party is known, because a bulk_add response has no ids. */
  readonly server_id: number | null;
  readonly seen_at: number;
}

/** Scope of a hook's events (decisions §9.1: exactly one of the two). */
export type HookScope = 'company' | 'project';

export interface HookFields {
  readonly scope: HookScope;
  readonly namespace: string;
  readonly api_version: string;
  readonly destination_url: string;
}

/** The server's copy of a hook, without the values of its headers. */
export interface HookRow extends HookFields {
  /** Never changes. A local ULID, or `hook-srv-…` for a hook first seen on the server. */
  readonly key: string;
  readonly account: string;
  readonly project_id: number;
  readonly server_id: number;
  readonly header_names: readonly string[];
  readonly failing_since: string | null;
  readonly disabled_at: string | null;
  readonly created_at: string;
  /** True if the queue created the hook unattended, so nobody has seen its signing secret. */
  readonly secret_unseen: boolean;
  readonly seen_at: number;
}

export interface TriggerRow {
  /** A local ULID, or `trg-srv-…`. */
  readonly key: string;
  readonly account: string;
  readonly project_id: number;
  readonly hook_key: string;
  readonly server_id: number;
  readonly resource_name: string;
  readonly event_type: WebhookEventType;
  readonly seen_at: number;
}

/** Result of a bulk write, kept until a person has seen it, because the response may arrive unattended. */
export interface OutcomeRow {
  readonly operation_id: string;
  readonly account: string;
  readonly project_id: number;
  /** The lane, which identifies the screen that shows it. */
  readonly lane: string;
  readonly kind: string;
  readonly at: number;
  readonly data: unknown;
}

export interface NewsRow {
  /** Key of the near miss. */
  readonly key: string;
  readonly account: string;
  readonly project_id: number;
  readonly kind: 'new' | 'changed';
  /** The name in `Seen` of the unseen answer, '' if only the line of what was done is new. Absent without an unseen answer. */
  readonly answered_by?: string;
  /** Unseen comments of others (decisions §18); absent: none. */
  readonly comments?: number;
}

/** The plans of a project, as they were last read (data/plans/plans.ts). */
interface PlansRow {
  readonly account: string;
  readonly project_id: number;
  readonly plans: readonly Plan[];
  readonly read_at: number;
}

/** A picture of a plan that was seen on this laptop. */
interface PlanPictureRow {
  /** The account and the SHA-256 of the bytes. */
  readonly key: string;
  readonly picture: Blob;
  readonly used_at: number;
}

export type SpotterDb = Dexie & {
  readonly near_misses: EntityTable<NearMissRow, 'key'>;
  readonly photos: EntityTable<PhotoRow, 'photo_id'>;
  readonly drafts: EntityTable<DraftRow, 'id'>;
  readonly operations: EntityTable<OutboxOperation, 'id'>;
  readonly quarantine: EntityTable<QuarantineRow, 'id'>;
  readonly links: EntityTable<LinkRow, 'local_id'>;
  readonly tombstones: EntityTable<TombstoneRow, 'operation_id'>;
  readonly catalogs: Table<CatalogRow, [string, number]>;
  readonly meta: EntityTable<MetaRow, 'name'>;
  readonly tm_attachments: EntityTable<TmAttachmentRow, 'key'>;
  readonly history: EntityTable<HistoryRow, 'id'>;
  readonly server_history: EntityTable<ServerHistoryRow, 'key'>;
  readonly comments: EntityTable<CommentsRow, 'key'>;
  readonly comment_drafts: EntityTable<CommentDraftRow, 'key'>;
  readonly insurances: EntityTable<InsuranceRow, 'key'>;
  readonly company_records: EntityTable<CompanyRecordRow, 'key'>;
  readonly memberships: Table<MembershipRow, [string, number, number]>;
  readonly hooks: EntityTable<HookRow, 'key'>;
  readonly triggers: EntityTable<TriggerRow, 'key'>;
  readonly outcomes: EntityTable<OutcomeRow, 'operation_id'>;
  readonly news: EntityTable<NewsRow, 'key'>;
  readonly plans: Table<PlansRow, [string, number]>;
  readonly plan_pictures: EntityTable<PlanPictureRow, 'key'>;
};

export const DB_NAME = 'spotter';

/** A version of the schema. */
export interface DbVersion {
  /** The primary key and indexes of every table that is new or changed in this version. */
  readonly stores: Readonly<Record<string, string>>;
  /** Changes the rows of the version before. */
  readonly upgrade?: (transaction: Transaction) => Promise<void>;
}

/**
 * The versions of the schema, from 1. Never change a released one, only add one: a laptop may return after a year with a full
 * queue (failures A28).
 */
export const DB_VERSIONS: readonly DbVersion[] = [
  {
    stores: {
      near_misses:
        'key, [account+server_id], [account+project_id+bin+created_at], [account+project_id+bin+removed_at]',
      photos: 'photo_id, near_miss_key, draft_id',
      drafts: 'id, [account+project_id+updated_at]',
      operations: 'id, lane, [account+state+seq], [account+seq], journaled',
      quarantine: '++id, account',
      links: 'local_id',
      tombstones: 'operation_id',
      catalogs: '[account+project_id]',
      meta: 'name',
      tm_attachments: 'key, lane, [account+project_id], [account+server_id]',
      history: '++id, key',
      insurances: 'key, [account+server_id], [account+project_id+vendor_id]',
      company_records: 'key, [account+of+server_id]',
      memberships: '[account+project_id+party_id]',
      hooks: 'key, [account+project_id], [account+server_id]',
      triggers: 'key, hook_key',
      outcomes: 'operation_id, lane',
      news: 'key, [account+project_id]',
    },
  },
  { stores: { server_history: 'key, read_at' } },
  { stores: { plans: '[account+project_id]', plan_pictures: 'key, used_at' } },
  { stores: { comments: 'key, read_at', comment_drafts: 'key' } },
];

/** Creates the database object. It opens at the first use or `open()`. */
export const createDb = (
  name: string = DB_NAME,
  versions: readonly DbVersion[] = DB_VERSIONS,
): SpotterDb => {
  const db = new Dexie(name, {
    chromeTransactionDurability: 'strict',
    // Dexie would cache what liveQueries read: for ten thousand rows that costs more than reading the visible rows.
    cache: 'disabled',
  }) as SpotterDb;
  for (const [at, { stores, upgrade }] of versions.entries()) {
    const version = db.version(at + 1).stores(stores);
    if (upgrade !== undefined) version.upgrade(upgrade);
  }
  broadcastChanges(db);
  announceDraftWrites(db);
  return db;
};

/** Dependencies of every function of this room, made once by `startWindow`. */
export interface Deps {
  readonly db: SpotterDb;
  readonly host: import('../../host/client.ts').Host;
  readonly clock: Clock;
  readonly history: QueueHistory;
}

/**
 * Hooks that record the queue's history (history.ts) inside the queue's own transactions. The queue never reads it; `startWindow`
 * provides it.
 */
export interface QueueHistory {
  /** Tables that these transactions must include. */
  tables(db: SpotterDb): readonly Table[];
  queued(db: SpotterDb, operation: OutboxOperation, at: number): Promise<void>;
  /** `operation` replaces `old`. */
  changed(
    db: SpotterDb,
    old: OutboxOperation,
    operation: OutboxOperation,
    at: number,
  ): Promise<void>;
  /** Cancelled before it was sent. */
  dropped(db: SpotterDb, operation: OutboxOperation, at: number): Promise<void>;
  delivered(db: SpotterDb, operations: readonly OutboxOperation[], at: number): Promise<void>;
  rebuilt(db: SpotterDb, operations: readonly OutboxOperation[], at: number): Promise<void>;
  /** Deletes the history of a near miss that never reached the server. */
  forget(db: SpotterDb, key: string): Promise<void>;
  /** Removes what was recorded when these operations were queued. */
  undone(db: SpotterDb, operations: readonly OutboxOperation[]): Promise<void>;
}

/** The clock, passed as a dependency so that no test sleeps. */
export interface Clock {
  /** Milliseconds since the epoch by the server's clock if known, else the device's. */
  now(): number;
  /** Milliseconds that only increase, for measuring delays (failures A23). */
  monotonic(): number;
  /**
   * Logical clock: the device's milliseconds, strictly increasing and independent of the server's clock. Orders reads of the same
   * record.
   */
  tick(): number;
  /** Runs `fn` once after `ms`. Returns the function that cancels it. */
  after(ms: number, fn: () => void): () => void;
}
