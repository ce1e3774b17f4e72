/**
 * The tables as Kysely sees them. Keys of tenant tables start with `company_id`, so the schema can be sharded by it later.
 * Times are integer milliseconds since the epoch and booleans are 0 or 1: both sort alike in SQLite and PostgreSQL. Ids are
 * unique across the whole service (ids.ts), so a foreign id never matches by accident.
 */

import type { Generated } from 'kysely';
import type { LookupField, TextField } from '../../../contract/rest/near-miss-fields.ts';

type Flag = number;

/** A record that a company maintains (decisions §11). */
export interface CompanyRecord {
  company_id: number;
  id: number;
  /** The record's id in another system. */
  origin_id: string | null;
  /** 0: retired. Old records still name it, but forms do not offer it. */
  active: Flag;
  /** Increments with every change; the ETag (decisions §1.7). */
  version: number;
  created_at: number;
  updated_at: number;
}

/** @public TypeScript names it in the declarations of other files. */
export interface Named extends CompanyRecord {
  /** Null: offered in every project of the company. */
  project_id: number | null;
  name: string;
  /** The name folded by fold.ts, for case-insensitive sorting and searching. */
  name_folded: string;
}

/** @public TypeScript names it in the declarations of other files. */
export interface Lookup extends Named {
  global: Flag;
}

export interface Database {
  /** The last id of each kind; see ids.ts. */
  id_counters: { name: string; last: number };
  companies: {
    id: number;
    name: string;
    created_at: number;
    /** Version of the names that near misses show; see denormalized-names.ts. */
    names_version: Generated<number>;
    /** The last stamp of a change; see change-clock.ts. */
    changed_at: Generated<number>;
    /** Whom users ask for help; null: nobody is named. */
    help_contact: string | null;
    /** What happens with people's data, shown where it is entered; null: nothing is said. */
    privacy_notice: string | null;
    /** Years after their event until near misses are anonymised; null: never (decisions §20). */
    retention_years: number | null;
    /** Days in the recycle bin until near misses are deleted for good; null: never. */
    retention_bin_days: number | null;
  };
  users: {
    id: number;
    /** A service account has its client id here. */
    login: string;
    name: string;
    created_at: number;
    /** 1: a program, which is in no list of users (decisions §12.8). */
    service_account: Generated<Flag>;
  };
  company_users: {
    company_id: number;
    user_id: number;
    /** A level of contract/rest/access/levels.ts. */
    level: Generated<string>;
    /** The projects that the user may see, `,1,2,`; null: all of the company. */
    project_ids: string | null;
    /** 0: deactivated. */
    active: Generated<Flag>;
    /** The stamp (change-clock.ts) of the change that added or last reactivated the user. */
    since: Generated<number>;
    /** A token for all companies that was created until then counts for nothing in this one. */
    tokens_ended_at: Generated<number>;
  };
  /** Stores only the SHA-256 of a token. */
  tokens: {
    token_hash: string;
    user_id: number;
    created_at: number;
    /** Null: valid for every company of the user. */
    company_id: number | null;
    name: string | null;
    /** Null: the level of the user. */
    level: string | null;
    expires_at: number | null;
    /** Written at most once a minute (http/token-use.ts). */
    last_used_at: number | null;
    /** For a service account's bearer: the secret that it was issued for. */
    secret_id: number | null;
  };
  /** The secrets of service accounts, as SHA-256. At most two of an account are valid. */
  service_account_secrets: {
    company_id: number;
    id: number;
    user_id: number;
    secret_hash: string;
    created_at: number;
    /** Null: valid until the next one is made. */
    expires_at: number | null;
    last_used_at: number | null;
  };
  /** Unused codes only: using one deletes its row. */
  enrolment_codes: {
    company_id: number;
    id: number;
    user_id: number;
    created_by: number;
    /** See domain/access/enrolment.ts. */
    code_hash: string;
    created_at: number;
    expires_at: number;
  };
  /** Who took over the shift of a project, and until when they may answer its reports. Rows are never changed. */
  shifts: {
    company_id: number;
    id: number;
    project_id: number;
    user_id: number;
    created_at: number;
    ends_at: number;
  };
  projects: CompanyRecord & { name: string; name_folded: string; last_incident_number: number };
  affected_companies: Named;
  /** A reference user has no login and no vendor. `active` 0: has left, but is still a member (reference: memberships). */
  parties: Named & { reference_user: Flag };
  people: Named & { login: string };
  harm_sources: Lookup;
  work_activities: Lookup;
  managed_equipment: Named;
  vendors: Named;
  time_and_material_entries: Named;
  folders: Named;
  /** `stored_file_id` is null for a document without a file. */
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
  /** The people that a private incident lists. */
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
    /** Numbers come from this counter, so a gap is never reused (decisions §3.1). */
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
    created_by: number;
    created_at: number;
    updated_at: number;
    deleted_at: number | null;
    /** Increments with every change, including attachments; the ETag (decisions §1.7). */
    version: number;
    attachment_count: number;
    /** Comments that were not removed (decisions §18). */
    comment_count: number;
    /** JSON: definition id -> text (decisions §3.6). */
    custom_fields: string;
    description: string;
    description_plain_text: string;
    /** The program that created it (`User-Agent`). */
    created_with?: string | null;
    /** The stamp of the change that anonymised it (decisions §20.3). */
    anonymised_at?: number | null;
    /** The stamp of the last change that erased a name in what it shows (decisions §21). */
    erased_at?: number | null;
    /** Folded text that `filters[query]` searches, written with the record (decisions §2.4). */
    search: string;
  } & Record<LookupField, number | null> &
    Record<TextField, string>;
  /** Entries count upward from 1; the near miss's own row says who created it (decisions §15). */
  near_miss_history: {
    company_id: number;
    near_miss_id: number;
    position: number;
    /** The stamp of the change (change-clock.ts). */
    at: number;
    user_id: number;
    client: string | null;
    /** updated, recycled, restored, redacted, anonymised */
    action: string;
    /** JSON array of changes; null once redacted, like `salt`. */
    changes: string | null;
    salt: string | null;
    digest: string;
    hash: string;
  };
  /** Comments on near misses (decisions §18). */
  near_miss_comments: {
    company_id: number;
    id: number;
    near_miss_id: number;
    /** Null: removed. */
    text: string | null;
    created_by: number;
    created_at: number;
    removed_by: number | null;
    removed_at: number | null;
  };
  /** Near misses that are kept as they are (decisions §20.5). */
  legal_holds: {
    company_id: number;
    near_miss_id: number;
    reason: string;
    user_id: number;
    created_at: number;
  };
  /** Erasures of people (decisions §21). */
  erasures: {
    company_id: number;
    id: number;
    user_id: number;
    pseudonym: string;
    /** Encrypted JSON of the names; null once it is done. */
    names: string | null;
    created_at: number;
    /** Null: it is being carried out. */
    done_at: number | null;
    /** When the last daily copy from before is deleted; null: there is none, or it is not done. */
    copies_until: number | null;
  };
  /** The places of an erasure. They never hold the name. */
  erasure_items: {
    company_id: number;
    erasure_id: number;
    /** From 0, in the order of the preview. */
    position: number;
    /** One of `hitKinds` in contract/rest/retention/erasures.ts. */
    kind: string;
    resource: string;
    resource_id: number | null;
    /** What of the record: the position of a history entry, the uuid of an upload, else ''. */
    part: string;
    project_id: number | null;
    number: string | null;
    field: string;
    /** erase, pseudonymise, keep */
    act: string;
    /** Null: waiting. done, gone (there was nothing to do), kept, or one of `obstacles`. */
    outcome: string | null;
  };
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
    /** Increments with every change; the ETag (decisions §1.7). */
    version: number;
    created_at: number;
    updated_at: number;
    enable_expired_insurance_notifications: Flag;
    exempt: Flag;
    info_received: Flag;
    status: string;
    /** `YYYY-MM-DD`, like expiration_date. */
    effective_date: string | null;
    expiration_date: string | null;
    insurance_provider: string | null;
    insurance_type: string | null;
    /** A decimal, as it was sent. `limit` is a SQL keyword. */
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
    /** The source of the attachment: either a document or an upload. */
    document_id: number | null;
    upload_uuid: string | null;
    /** Null only for a document without a file. */
    stored_file_id: number | null;
    filename: string;
    content_type: string;
    created_at: number;
    /** Null: unknown, because an older version attached a document. */
    created_by: number | null;
    updated_at: number;
  };
  project_memberships: {
    company_id: number;
    id: number;
    project_id: number;
    party_id: number;
    created_at: number;
    updated_at: number;
  };
  /** A drawing of a project (decisions §17). */
  plans: {
    company_id: number;
    id: number;
    project_id: number;
    name: string;
    /** The number of the drawing, `A-103`. */
    number: string | null;
    active: Flag;
    /** Increments with every change and revision; the ETag (decisions §1.7). */
    version: number;
    created_at: number;
    updated_at: number;
  };
  /** Rows are never changed. */
  plan_revisions: {
    company_id: number;
    id: number;
    plan_id: number;
    label: string | null;
    /** The page of a PDF. */
    page: number | null;
    created_by: number;
    created_at: number;
  };
  /** The drawing of a revision and its pictures. One upload may be in several revisions: a PDF has many pages. */
  plan_files: {
    company_id: number;
    revision_id: number;
    /** 0: the drawing as it was issued. From 1: its pictures, smallest first. */
    position: number;
    upload_uuid: string;
    stored_file_id: number;
    filename: string;
    /** Detected by the bytes. */
    content_type: string;
    size: number;
    sha256: string;
    /** Null: a PDF. */
    width: number | null;
    height: number | null;
  };
  uploads: {
    company_id: number;
    uuid: string;
    /** Set for uploads of a project (decisions §5.9). */
    project_id: number | null;
    owner_id: number;
    response_filename: string;
    response_content_type: string | null;
    attachment_content_disposition: Flag;
    /** As announced, or null. */
    size: number | null;
    segmented: Flag;
    /** ready, receiving, complete, associated, deleting, deleted: see uploads.ts */
    status: string;
    created_at: number;
    /** Deadline for the start of a form post. */
    post_expires_at: number;
    /** An upload without an association is deleted then. */
    expires_at: number;
    completed_at: number | null;
    stored_file_id: number | null;
    /**
     * The associated record: `near_miss`, `time_and_material_entry`, `document` or `plans` (all plans of a project), and its id
     * (decisions §5.7).
     */
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
    /** MD5 hex of the received bytes; null until they arrive. */
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
  /** Values that the service keeps between runs: its signing secret, the latest time seen. */
  service_state: { name: string; value: string };
  idempotency_keys: {
    company_id: number;
    user_id: number;
    method: string;
    path: string;
    key: string;
    /** SHA-256 of query and body. */
    fingerprint: string;
    status: number;
    /** See domain/kept-answer.ts. */
    body: string;
    /** JSON object of the response's own headers. */
    headers: string;
    created_at: number;
    /** Characters of `body`. */
    size: number;
  };
  /** The event log, written in the transaction of the change. Webhooks are dispatched from it (decisions §9.4). */
  events: {
    company_id: number;
    id: number;
    project_id: number | null;
    user_id: number;
    event_type: string;
    resource_name: string;
    /** 0 if `resource_uuid` identifies the record. */
    resource_id: number;
    /** For uploads, which have no numeric id. */
    resource_uuid: string | null;
    /** The id that subscribers receive. */
    ulid: string;
    created_at: number;
  };
  webhook_hooks: {
    company_id: number;
    id: number;
    /** Null: the hook belongs to the company. */
    project_id: number | null;
    namespace: string;
    api_version: string;
    destination_url: string;
    /** Encrypted JSON object; see webhooks/secrets.ts. */
    destination_headers: string;
    /** Encrypted. */
    signing_secret: string;
    /**
     * Encrypted. Signs in addition to the new secret until `previous_signing_secret_until`. Both are null if there is no
     * previous secret.
     */
    previous_signing_secret: string | null;
    previous_signing_secret_until: number | null;
    created_by: number;
    created_at: number;
    updated_at: number;
    /** Increments with changes by users; the ETag (decisions §1.7). */
    version: number;
    failures: number;
    failing_since: number | null;
    /** Backoff: nothing is sent before this time. Uses the steady clock (clocks.ts), like `lease_until`. */
    next_attempt_at: number;
    disabled_at: number | null;
    /** The dispatcher that holds the lease. Only it may send until `lease_until`. */
    lease_owner: string | null;
    /** Without a holder: when the hook was last served. */
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
    updated_at: number;
  };
  /** Deleted records of the lists that readers follow (decisions §14.3). */
  tombstones: {
    company_id: number;
    /** The list, with what its address names: `insurances/12/7`. */
    list: string;
    /** The stamp of the deletion (change-clock.ts). */
    deleted_at: number;
    id: number;
  };
  /** Who lost sight of an incident, and when (decisions §14.4). */
  incident_losses: {
    company_id: number;
    incident_id: number;
    /** 0: everyone who was a user then. */
    user_id: number;
    lost_at: number;
    /** Near misses with a higher id came later: who lost sight never saw them. */
    last_near_miss_id: number;
  };
  /** The outbox: undelivered events per hook, in the order of the events. */
  webhook_pending: {
    company_id: number;
    hook_id: number;
    event_id: number;
    created_at: number;
  };
  /** What a user wants to be mailed about in a company (decisions §16.2). Without a row the defaults of the contract hold. */
  mail_preferences: {
    company_id: number;
    user_id: number;
    /** en, es */
    language: string;
    assigned: Flag;
    due: Flag;
    done: Flag;
    severe: Flag;
    weekly: Flag;
    comments: Flag;
  };
  /** The outbox of mail: one row for each event and recipient, also after it was sent (decisions §16.3). */
  mails: {
    company_id: number;
    id: number;
    user_id: number;
    /** Null: a weekly mail, which concerns no single near miss. */
    near_miss_id: number | null;
    /** One of `mailKinds` in contract/rest/access/mail.ts. */
    kind: string;
    /** The event: at most one mail for it and the user. */
    event: string;
    /** The day by when the follow-up is due, `YYYY-MM-DD`. */
    due: string | null;
    /** JSON of the figures of a weekly mail. */
    figures: string | null;
    /** The user whose change caused the mail; null: the calendar did. */
    by_user_id: number | null;
    created_at: number;
    failures: number;
    failing_since: number | null;
    /** Backoff, like that of a hook. */
    next_attempt_at: number;
    lease_owner: string | null;
    lease_until: number;
    /** Null: waiting. */
    ended_at: number | null;
    /** sent, refused, given_up, withdrawn; null: waiting */
    outcome: string | null;
    /** The error of the last failed attempt. */
    error: string | null;
  };
  /** The Ed25519 keys of the service (decisions §19.1). Public keys are never deleted. */
  signing_keys: {
    /** The beginning of the SHA-256 of the public key. */
    id: string;
    /** PEM. */
    public_key: string;
    /** Encrypted PEM. */
    private_key: string;
    made_at: number;
    /** Null: signs now. */
    ended_at: number | null;
  };
  /** Who administered what (decisions §19.5). Rows are only added, and hold ids in place of names. */
  admin_acts: {
    company_id: number;
    id: number;
    /** Null: a command at the server. */
    user_id: number | null;
    /** One of `adminActs` in contract/rest/evidence/admin-acts.ts. */
    act: string;
    about_user_id: number | null;
    /** JSON object. */
    details: string;
    created_at: number;
  };
  webhook_deliveries: {
    company_id: number;
    id: number;
    hook_id: number;
    event_id: number;
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
