/**
 * The tables as Kysely sees them. Every tenant's table leads its key with `company_id`, so that the same schema can
 * be sharded by it later. Moments are integer milliseconds since the epoch and booleans are 0 or 1: both sort and compare alike
 * in SQLite and PostgreSQL. Ids are unique over the whole service (see ids.ts), so a foreign id can never be mistaken.
 */

import type { Generated } from 'kysely';

/** 0 or 1. */
export type Flag = number;

/** What a company keeps and changes itself (decisions §11). */
export interface CompanyRecord {
  company_id: number;
  id: number;
  /** Under which another system knows it. */
  origin_id: string | null;
  /** 0: still named by old records, but offered no more. */
  active: Flag;
  /** Counts every change: the ETag (decisions §1.7). */
  version: number;
  created_at: number;
  updated_at: number;
}

export interface Named extends CompanyRecord {
  /** Null: offered in every project of the company. */
  project_id: number | null;
  name: string;
  /** Folded by fold.ts: for sorting and searching without regard to case. */
  name_folded: string;
}

export interface Lookup extends Named {
  global: Flag;
}

export interface Database {
  /** Where each kind's next id is kept: one row per kind, updated in the transaction that uses it. */
  id_counters: { name: string; last: number };
  companies: {
    id: number;
    name: string;
    created_at: number;
    /** Of what its near misses show: shown-names.ts. */
    names_version: Generated<number>;
  };
  users: { id: number; login: string; name: string; created_at: number };
  company_users: { company_id: number; user_id: number };
  /** Only the sha256 of a token is kept. */
  tokens: {
    token_hash: string;
    user_id: number;
    created_at: number;
    /** Null: for every company of its user. */
    company_id: number | null;
    name: string | null;
  };
  projects: CompanyRecord & { name: string; name_folded: string; last_incident_number: number };
  affected_companies: Named;
  /** A reference user has no login and no vendor; `active` 0: has left, and is still a member (reference: memberships). */
  parties: Named & { reference_user: Flag };
  people: Named & { login: string };
  harm_sources: Lookup;
  work_activities: Lookup;
  managed_equipment: Named;
  vendors: Named;
  time_and_material_entries: Named;
  folders: Named;
  /** Without a stored file: one seeded before documents had bytes. */
  documents: Named & { folder_id: number | null; stored_file_id: number | null };
  custom_field_definitions: CompanyRecord & {
    project_id: number | null;
    label: string;
    label_folded: string;
    data_type: string;
    /** JSON array of strings. */
    options: string;
    required: Flag;
  };
  /** Whom a private incident lists. */
  incident_people: { company_id: number; incident_id: number; person_id: number };
  incidents: {
    company_id: number;
    id: number;
    project_id: number;
    number: number;
    title: string;
    description: string;
    event_date: number | null;
    time_unknown: Flag;
    location: string | null;
    private: Flag;
    /** open, closed */
    status: string;
    created_by: number | null;
    /** Numbers are taken by counting this up: a gap is never reused (decisions §3.1). */
    last_near_miss_number: number;
    created_at: number;
    updated_at: number;
  };
  near_misses: {
    company_id: number;
    id: number;
    project_id: number;
    incident_id: number;
    number: number;
    recordable: Flag;
    affected_company_id: number | null;
    affected_party_id: number | null;
    affected_person_id: number | null;
    harm_source_id: number | null;
    work_activity_id: number | null;
    managed_equipment_id: number | null;
    created_by: number;
    created_at: number;
    updated_at: number;
    deleted_at: number | null;
    /** Counts every change, attachments included: the ETag (decisions §1.7). */
    version: number;
    attachment_count: number;
    /** JSON: definition id -> text (decisions §3.6). */
    custom_fields: string;
    description: string;
    description_plain_text: string;
    /** Folded text that `filters[query]` looks into; written with the record (decisions §2.4). */
    search: string;
  };
  /** How many each project has: near-miss-counts.ts. */
  near_miss_counts: {
    company_id: number;
    project_id: number;
    active: number;
    recycled: number;
  };
  near_miss_attachments: {
    company_id: number;
    id: number;
    near_miss_id: number;
    stored_file_id: number;
    upload_uuid: string;
    filename: string;
    content_type: string;
    size: number;
    sha256: string;
    created_at: number;
  };
  insurances: {
    company_id: number;
    id: number;
    project_id: number;
    vendor_id: number;
    /** Counts every change: the ETag (decisions §1.7). */
    version: number;
    created_at: number;
    updated_at: number;
    enable_expired_insurance_notifications: Flag;
    exempt: Flag;
    info_received: Flag;
    status: string;
    /** `YYYY-MM-DD`, like the other date. */
    effective_date: string | null;
    expiration_date: string | null;
    insurance_provider: string | null;
    insurance_type: string | null;
    /** A decimal, as it was sent. (`limit` is a word of SQL.) */
    insurance_limit: string | null;
    notes: string | null;
    policy_number: string | null;
    additional_insured: string | null;
    division_template: string | null;
    insurance_sets: string | null;
    origin_data: string | null;
    origin_id: string | null;
  };
  time_and_material_entry_attachments: {
    company_id: number;
    id: number;
    project_id: number;
    time_and_material_entry_id: number;
    /** Either the document it shows or the upload it took over. */
    document_id: number | null;
    upload_uuid: string | null;
    /** Null only for a document without a file. */
    stored_file_id: number | null;
    filename: string;
    content_type: string;
    created_at: number;
  };
  project_memberships: {
    company_id: number;
    id: number;
    project_id: number;
    party_id: number;
    created_at: number;
  };
  uploads: {
    company_id: number;
    uuid: string;
    /** Set for the project variant (decisions §5.9). */
    project_id: number | null;
    owner_id: number;
    response_filename: string;
    response_content_type: string | null;
    attachment_content_disposition: Flag;
    /** As announced; null when it was not. */
    size: number | null;
    segmented: Flag;
    /** ready, receiving, complete, associated, deleting, deleted: see uploads.ts */
    status: string;
    created_at: number;
    /** A form post must have started by then. */
    post_expires_at: number;
    /** Without association, bytes and upload are deleted then. */
    expires_at: number;
    completed_at: number | null;
    stored_file_id: number | null;
    /** What it is associated with: `near_miss`, `time_and_material_entry`, `document`, and its id (decisions §5.7). */
    associated_type: string | null;
    associated_id: number | null;
    associated_at: number | null;
  };
  upload_segments: {
    company_id: number;
    upload_uuid: string;
    position: number;
    size: number;
    sha256: string;
    md5: string | null;
    /** md5 hex of the received bytes; null until they are in. */
    etag: string | null;
    received_at: number | null;
    /** Name of the received part in the file store. */
    storage_key: string | null;
  };
  stored_files: {
    company_id: number;
    id: number;
    storage_key: string;
    size: number;
    sha256: string;
    md5: string | null;
    filename: string;
    content_type: string;
    attachment_content_disposition: Flag;
    created_at: number;
  };
  /** What the service itself keeps between runs: its signing secret, the latest moment it has seen. */
  service_state: { name: string; value: string };
  idempotency_keys: {
    company_id: number;
    user_id: number;
    method: string;
    path: string;
    key: string;
    /** sha256 of query and body. */
    fingerprint: string;
    status: number;
    /** See http/kept-answer.ts. */
    body: string;
    /** JSON object of the answer's own headers. */
    headers: string;
    created_at: number;
    /** Characters of `body`. */
    size: number;
  };
  /** What happened, written in the transaction of the change; dispatching comes from here (decisions §9.4). */
  events: {
    company_id: number;
    id: number;
    project_id: number | null;
    user_id: number;
    event_type: string;
    resource_name: string;
    /** 0 where `resource_uuid` says which. */
    resource_id: number;
    /** Of what has no number: an upload. */
    resource_uuid: string | null;
    /** The id under which subscribers know it; null in rows older than webhooks. */
    ulid: string | null;
    created_at: number;
  };
  webhook_hooks: {
    company_id: number;
    id: number;
    /** Null: the hook is the company's. */
    project_id: number | null;
    namespace: string;
    api_version: string;
    destination_url: string;
    /** Sealed JSON object: see webhooks/secrets.ts */
    destination_headers: string;
    /** Sealed. */
    signing_secret: string;
    /** Sealed. Signs beside the new one until the moment; both null where there is none. */
    previous_signing_secret: string | null;
    previous_signing_secret_until: number | null;
    created_by: number;
    created_at: number;
    updated_at: number;
    /** Counts changes by users: the ETag (decisions §1.7). */
    version: number;
    /** Attempts that failed in a row. */
    failures: number;
    failing_since: number | null;
    /** Nothing is sent before. By the steady clock (clocks.ts), like `lease_until`. */
    next_attempt_at: number;
    disabled_at: number | null;
    /** Which dispatcher is sending; it alone may until `lease_until`. */
    lease_owner: string | null;
    /** Once free: when it was last served. */
    lease_until: number;
  };
  webhook_triggers: {
    company_id: number;
    id: number;
    hook_id: number;
    api_version: string;
    resource_name: string;
    event_type: string;
    created_at: number;
  };
  /** The outbox: what each hook has still to be told, in the order of the events. */
  webhook_pending: {
    company_id: number;
    hook_id: number;
    event_id: number;
    created_at: number;
  };
  webhook_deliveries: {
    company_id: number;
    id: number;
    hook_id: number;
    event_id: number;
    /** The event's ulid. */
    event_ulid: string;
    started_at: number;
    completed_at: number;
    response_status: number | null;
    /** JSON object. */
    response_headers: string;
    response_error: string | null;
    response_body: string;
    /** ok, retried, failed */
    outcome: string;
  };
}
