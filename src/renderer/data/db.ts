/**
 * The window's database: what the screens show and what waits to be sent. Strict durability, because "saved on this
 * laptop" is said after a commit; the host's journal is the second copy that rebuilds it (outbox promise 1). A schema
 * version is only ever added, never changed: a laptop may come back after a year with a full queue (failures A28).
 */
import { Dexie, type EntityTable, type Table } from 'dexie';
import type { PhotoReceipt } from '../../contract/host.ts';
import type { Problem } from '../../contract/problem.ts';
import type { Catalog } from '../../contract/rest/catalog.ts';
import type { Insurance } from '../../contract/rest/insurances.ts';
import type { NearMiss } from '../../contract/rest/near-misses.ts';
import type { WebhookEventType } from '../../contract/rest/webhooks.ts';
import { tellChanges } from './changes.ts';
import { tellDraftWrites } from './draft-writes.ts';
import type { OwnDataKind } from '../entries/company/company-record.ts';
import type { OutboxEntry } from '../entries/stored.ts';
import type { Edits } from '../photos/markup/model.ts';

/** What a person enters. Ids are the server's; `custom_fields` is keyed as on the wire (`custom_field_7`). */
export interface NearMissFields {
  readonly incident_id: number;
  /** Rich text (HTML). `data/text.ts` makes it from plain text and back. */
  readonly description: string;
  readonly affected_company_id: number | null;
  readonly affected_party_id: number | null;
  readonly affected_person_id: number | null;
  readonly harm_source_id: number | null;
  readonly managed_equipment_id: number | null;
  readonly work_activity_id: number | null;
  readonly custom_fields: Readonly<Record<string, unknown>>;
}

/** What the ids were called when the row was last written, for lists, search and sorting without the catalog. */
export interface NearMissNames {
  readonly incident: string;
  readonly affected_company: string;
  readonly affected_party: string;
  readonly affected_person: string;
  readonly harm_source: string;
  readonly managed_equipment: string;
  readonly work_activity: string;
}

export interface NearMissRow {
  /** A ULID made here, or `srv-…` for a record first seen on the server. Never changes. */
  readonly key: string;
  readonly account: string;
  readonly company_id: number;
  readonly project_id: number;
  /** Null until the server has it. */
  readonly server_id: number | null;
  readonly incident_id: number;
  /** As the user sees it: the server's copy with everything that still waits on top. */
  readonly fields: NearMissFields;
  readonly names: NearMissNames;
  /** The server's last answer, null before the first. */
  readonly server: NearMiss | null;
  /** `3-12` on the server, else ''. */
  readonly full_number: string;
  /** The first line of what happened. */
  readonly title: string;
  /** Folded text (lower case, no accents) of everything the search looks at. */
  readonly search: string;
  /** Milliseconds since the epoch, by the server's clock as far as it is known. */
  readonly created_at: number;
  readonly updated_at: number;
  /** When it went to the recycle bin; null while active. */
  readonly removed_at: number | null;
  /** 1 in the recycle bin: IndexedDB has no index over null. */
  readonly bin: 0 | 1;
  /** When the server's copy was last written here (`Clock.tick`): a refresh begun before it must not judge the row. */
  readonly seen_at: number;
}

export type PhotoState =
  /** Belongs to a draft. */
  | 'draft'
  /** Queued. */
  | 'waiting'
  /** Read back from the server and found equal: delivered. */
  | 'delivered'
  /** The original on this laptop is missing or was changed. */
  | 'damaged';

/** When the picture was taken, as the camera wrote it. Without a zone in the file the zone is not guessed. */
export interface TakenAt {
  /** `2026-03-04T07:15:00`, the wall clock of the camera. */
  readonly local: string;
  /** `+02:00`, null where the file does not say. */
  readonly offset: string | null;
  /** Milliseconds since the epoch, only where `offset` (or GPS time) makes it certain. */
  readonly at: number | null;
}

export interface PhotoRow {
  /** A ULID made here. */
  readonly photo_id: string;
  readonly account: string;
  /** One of the two is set. */
  readonly near_miss_key: string | null;
  readonly draft_id: string | null;
  readonly filename: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  readonly content_type: string;
  /** At most 512 px, upright. Null where the browser cannot read the format, or after a rebuild until it is made again. */
  readonly thumbnail: Blob | null;
  readonly taken_at: TakenAt | null;
  readonly gps: { readonly latitude: number; readonly longitude: number } | null;
  /** EXIF orientation 1…8. */
  readonly orientation: number | null;
  /** Where the camera looked, degrees from north. */
  readonly direction?: number | null;
  /** What the camera wrote of people, places and devices was taken out on the way in. */
  readonly cleaned?: boolean;
  /** What this photo was made from (smaller, marked up): in the spool under its own id until this one is delivered. */
  readonly original?: { readonly photo_id: string; readonly size: number; readonly sha256: string };
  /** What was drawn on the original. Where it is set the original is never sent: it may show a face that was blurred. */
  readonly edits?: Edits;
  readonly state: PhotoState;
  readonly upload_uuid: string | null;
  readonly attachment_id: number | null;
  readonly receipt: PhotoReceipt | null;
  readonly problem: Problem | null;
  readonly created_at: number;
}

/** A file of a time-and-material entry: waiting to be sent, or as the server has it. */
export interface TmAttachmentRow {
  /** A ULID made here (of a file: its id in the spool), or `tm-srv-…` for one first seen on the server. Never changes. */
  readonly key: string;
  readonly account: string;
  readonly company_id: number;
  readonly project_id: number;
  /** What waits for it is in this lane: one per entry (`tmLane`). */
  readonly lane: string;
  /** Null where the server does not tell it. */
  readonly time_and_material_entry_id: number | null;
  /** Null until the server has it. */
  readonly server_id: number | null;
  readonly filename: string;
  readonly content_type: string | null;
  /** On the server: is there anything to download, and a small picture? */
  readonly has_bytes: boolean;
  readonly has_thumbnail: boolean;
  /** Bytes and hash, of a file attached on this laptop. */
  readonly size: number | null;
  readonly sha256: string | null;
  /** The file's original is in the spool under `key`. */
  readonly in_spool: boolean;
  readonly thumbnail: Blob | null;
  readonly state: 'waiting' | 'delivered';
  readonly receipt: PhotoReceipt | null;
  readonly created_at: number;
  /** As of a near miss: a refresh begun before it must not judge the row. */
  readonly seen_at: number;
}

/** One field as its user saw it before changing it, and as the server had told it; left out where the server had nothing yet. */
export interface SeenField {
  readonly stood: unknown;
  readonly told?: unknown;
}
/** By name as on the wire: `description`, `custom_field_7`. */
export type SeenFields = Readonly<Record<string, SeenField>>;

export interface DraftRow {
  /** A ULID: becomes the key of the near miss when it is saved, so that saving twice is saving once. */
  readonly id: string;
  /** The key of the saved near miss that is being edited; `fields` holds only what differs from it then. */
  readonly edits?: string;
  readonly account: string;
  readonly company_id: number;
  readonly project_id: number;
  readonly fields: Partial<NearMissFields>;
  /** Of an edit: what its user saw in what `fields` changes. Drafts of the first Spotters have none. */
  readonly seen?: SeenFields;
  readonly created_at: number;
  readonly updated_at: number;
  /** Thrown away then: not shown any more, kept a while for "Undo". */
  readonly thrown_at?: number;
}

export type { EntryState, OutboxEntry } from '../entries/stored.ts';

/** An entry this version cannot read, with everything it held (failures A20). */
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

/** An entry that is over in this database and must still be settled in the journal. */
export interface TombstoneRow {
  readonly entry_id: string;
  readonly links: readonly LinkRow[];
  /** Of a draft that ended (`entry_id` is its id): the state it was in. The journal is told to forget that. */
  readonly draft_at?: number;
}

export interface CatalogRow {
  readonly account: string;
  readonly project_id: number;
  readonly catalog: Catalog;
  readonly etag: string | null;
  /** `server`: the server's own. `records`: built from the records seen, because the server has no catalog. */
  readonly source: 'server' | 'records';
  readonly fetched_at: number;
  /** When it was asked for, or changed by the answer to a write of this laptop: an answer to what was asked before knows less. */
  readonly known_at?: number;
}

/** Small named values: the next seq, the queue's hold, the server clock's offset, refresh marks. */
export interface MetaRow {
  readonly name: string;
  readonly value: unknown;
}

/** One field as it was and as it became; long words are cut, ids are the server's. */
export interface HistoryChange {
  /** As on the wire: `description`, `harm_source_id`, `custom_field_7`. */
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface HistoryRow {
  readonly id: number;
  /** The near miss (`NearMissRow.key`). */
  readonly key: string;
  readonly account: string;
  readonly at: number;
  /**
   * `queued`: a person did it and it waits; `changed`: what waited was changed before it was sent; `dropped`: taken back before
   * it was sent; `delivered`: the server has it; `rebuilt`: the store was lost, and this came back from the journal.
   */
  readonly event: 'queued' | 'changed' | 'dropped' | 'delivered' | 'rebuilt';
  /** Of the entry (entries/entry.ts): of a near miss or of its photos. */
  readonly kind: string;
  readonly entry_id: string;
  readonly changes: readonly HistoryChange[];
  /** The photo's file, where it is about one. */
  readonly filename: string | null;
}

/** The server's copy; what waits is in the queue alone. */
export interface InsuranceRow {
  /** A ULID made here, or `ins-srv-…` for one first seen on the server. Never changes. */
  readonly key: string;
  readonly account: string;
  readonly company_id: number;
  readonly project_id: number;
  readonly vendor_id: number;
  readonly server_id: number;
  readonly server: Insurance;
  /** As of a near miss: a refresh begun before it must not judge the row. */
  readonly seen_at: number;
}

/** The server's copy of a record of the company's own data. */
export interface CompanyRecordRow {
  /** A ULID made here, or `own-srv-…` for one first seen on the server. Never changes. */
  readonly key: string;
  readonly account: string;
  readonly of: OwnDataKind;
  /** Of incidents; null of all else. */
  readonly project_id: number | null;
  readonly server_id: number;
  readonly server: Readonly<Record<string, unknown>>;
  /** As of a near miss: a refresh begun before it must not judge the row. */
  readonly seen_at: number;
}

/** The server's copy. */
export interface MembershipRow {
  readonly account: string;
  readonly project_id: number;
  readonly party_id: number;
  /** The membership's id; null where only the party is known to be in: an answer of bulk_add names no ids. */
  readonly server_id: number | null;
  readonly seen_at: number;
}

/** Whose events a hook hears (decisions §9.1: exactly one of the two). */
export type HookScope = 'company' | 'project';

export interface HookFields {
  readonly scope: HookScope;
  readonly namespace: string;
  readonly api_version: string;
  readonly destination_url: string;
}

/** The server's copy, without the values of its headers. */
export interface HookRow extends HookFields {
  /** A ULID made here, or `hook-srv-…` for one first seen on the server. Never changes. */
  readonly key: string;
  readonly account: string;
  readonly project_id: number;
  readonly server_id: number;
  readonly header_names: readonly string[];
  readonly failing_since: string | null;
  readonly disabled_at: string | null;
  readonly created_at: string;
  /** The queue made the hook while nobody looked: its signing secret was shown to nobody. */
  readonly secret_unseen: boolean;
  readonly seen_at: number;
}

export interface TriggerRow {
  /** A ULID made here, or `trg-srv-…`. */
  readonly key: string;
  readonly account: string;
  readonly project_id: number;
  readonly hook_key: string;
  readonly server_id: number;
  readonly resource_name: string;
  readonly event_type: WebhookEventType;
  readonly seen_at: number;
}

/** What a bulk write came to: kept here until it was looked at, because it may be answered while nobody looks. */
export interface OutcomeRow {
  readonly entry_id: string;
  readonly account: string;
  readonly project_id: number;
  /** Which screen shows it: the lane. */
  readonly lane: string;
  readonly kind: string;
  readonly at: number;
  readonly data: unknown;
}

export interface NewsRow {
  /** Of the near miss. */
  readonly key: string;
  readonly account: string;
  readonly project_id: number;
  readonly kind: 'new' | 'changed';
}

export type SpotterDb = Dexie & {
  readonly near_misses: EntityTable<NearMissRow, 'key'>;
  readonly photos: EntityTable<PhotoRow, 'photo_id'>;
  readonly drafts: EntityTable<DraftRow, 'id'>;
  readonly entries: EntityTable<OutboxEntry, 'id'>;
  readonly quarantine: EntityTable<QuarantineRow, 'id'>;
  readonly links: EntityTable<LinkRow, 'local_id'>;
  readonly tombstones: EntityTable<TombstoneRow, 'entry_id'>;
  readonly catalogs: Table<CatalogRow, [string, number]>;
  readonly meta: EntityTable<MetaRow, 'name'>;
  readonly tm_attachments: EntityTable<TmAttachmentRow, 'key'>;
  readonly history: EntityTable<HistoryRow, 'id'>;
  readonly insurances: EntityTable<InsuranceRow, 'key'>;
  readonly company_records: EntityTable<CompanyRecordRow, 'key'>;
  readonly memberships: Table<MembershipRow, [string, number, number]>;
  readonly hooks: EntityTable<HookRow, 'key'>;
  readonly triggers: EntityTable<TriggerRow, 'key'>;
  readonly outcomes: EntityTable<OutcomeRow, 'entry_id'>;
  readonly news: EntityTable<NewsRow, 'key'>;
};

export const DB_NAME = 'spotter';
export const DB_VERSION = 4;

/** The database object; nothing is opened before the first use or `open()`. */
export const createDb = (name: string = DB_NAME): SpotterDb => {
  const db = new Dexie(name, {
    chromeTransactionDurability: 'strict',
    // Dexie's own copies of what liveQueries read: of ten thousand rows they cost more than reading those that are shown.
    cache: 'disabled',
  }) as SpotterDb;
  db.version(1).stores({
    near_misses:
      'key, [account+server_id], [account+project_id+bin+created_at], [account+project_id+bin+removed_at]',
    photos: 'photo_id, near_miss_key, draft_id',
    drafts: 'id, [account+project_id+updated_at]',
    entries: 'id, lane, [account+state+seq], [account+seq], journaled',
    quarantine: '++id, account',
    links: 'local_id',
    tombstones: 'entry_id',
    catalogs: '[account+project_id]',
    meta: 'name',
  });
  db.version(2).stores({
    tm_attachments: 'key, lane, [account+project_id], [account+server_id]',
  });
  db.version(3).stores({
    history: '++id, key',
    insurances: 'key, [account+server_id], [account+project_id+vendor_id]',
    memberships: '[account+project_id+party_id]',
    hooks: 'key, [account+project_id], [account+server_id]',
    triggers: 'key, hook_key',
    outcomes: 'entry_id, lane',
    news: 'key, [account+project_id]',
  });
  db.version(4).stores({
    company_records: 'key, [account+of+server_id]',
  });
  tellChanges(db);
  tellDraftWrites(db);
  return db;
};

/** What every function of this room needs. Made once by `startWindow`. */
export interface Deps {
  readonly db: SpotterDb;
  readonly host: import('../host/client.ts').Host;
  readonly clock: Clock;
  readonly history: QueueHistory;
}

/**
 * What is noted of what the queue does (history.ts), each time inside the transaction that does it. The queue decides nothing by it and
 * reads none of it: whoever starts the window hands it over.
 */
export interface QueueHistory {
  /** What these transactions must hold for it. */
  tables(db: SpotterDb): readonly Table[];
  queued(db: SpotterDb, entry: OutboxEntry, at: number): Promise<void>;
  /** `entry` takes the place of `old`. */
  changed(db: SpotterDb, old: OutboxEntry, entry: OutboxEntry, at: number): Promise<void>;
  /** Taken off the queue unsent. */
  dropped(db: SpotterDb, entry: OutboxEntry, at: number): Promise<void>;
  delivered(db: SpotterDb, entries: readonly OutboxEntry[], at: number): Promise<void>;
  /** Back from the journal. */
  rebuilt(db: SpotterDb, entries: readonly OutboxEntry[], at: number): Promise<void>;
  /** The near miss never was: neither is anything told of it. */
  forget(db: SpotterDb, key: string): Promise<void>;
  /** What was noted when these were queued is undone with them. */
  undone(db: SpotterDb, entries: readonly OutboxEntry[]): Promise<void>;
}

/** Time as an argument, so that no test sleeps. */
export interface Clock {
  /** Milliseconds since the epoch by the server's clock as far as it is known, else the device's. */
  now(): number;
  /** Milliseconds that only go forward: what waits are measured with (failures A23). */
  monotonic(): number;
  /**
   * The device's milliseconds, each answer later than the one before, whatever the server's clock says meanwhile: which
   * of two copies was read first.
   */
  tick(): number;
  /** Runs `fn` once after `ms`; the answer cancels it. */
  after(ms: number, fn: () => void): () => void;
}
