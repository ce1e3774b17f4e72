/**
 * The first schema, in DDL that SQLite and PostgreSQL both accept; no triggers. schema.ts says what the columns mean. Never edit
 * it after a release.
 */
import { sql, SqliteAdapter, type CreateTableBuilder, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

type Db = Kysely<unknown>;
type Table = CreateTableBuilder<string, string>;

/** Creates an index; `where` makes it partial. */
const index = async (
  db: Db,
  [name, table, columns]: readonly [name: string, table: string, columns: readonly string[]],
  where?: unknown,
): Promise<void> => {
  const made = db.schema
    .createIndex(name)
    .on(table)
    .columns(columns as never);
  await (where === undefined ? made : made.where(where as never)).execute();
};

/** `column` points to a record of the same company. */
const pointsTo = (table: Table, name: string, column: string, target: string): Table =>
  table.addForeignKeyConstraint(name, ['company_id', column], target, ['company_id', 'id']);

const tenant = (db: Db, name: string): Table =>
  db.schema
    .createTable(name)
    .addColumn('company_id', 'bigint', (c) => c.notNull().references('companies.id'))
    .addColumn('id', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint(`${name}_pk`, ['company_id', 'id']);

const inProject = (db: Db, name: string): Table =>
  pointsTo(
    tenant(db, name).addColumn('project_id', 'bigint', (c) => c.notNull()),
    `${name}_project_fk`,
    'project_id',
    'projects',
  );

const companies = async (db: Db): Promise<void> => {
  await db.schema
    .createTable('id_counters')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('last', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('service_state')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('companies')
    .addColumn('id', 'bigint', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('names_version', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable('users')
    .addColumn('id', 'bigint', (c) => c.primaryKey())
    .addColumn('login', 'text', (c) => c.notNull().unique())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('company_users')
    .addColumn('company_id', 'bigint', (c) => c.notNull().references('companies.id'))
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id'))
    .addPrimaryKeyConstraint('company_users_pk', ['company_id', 'user_id'])
    .execute();
  await index(db, ['company_users_by_user', 'company_users', ['user_id']]);
  await db.schema
    .createTable('tokens')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('company_id', 'bigint')
    .addColumn('name', 'text')
    .execute();
};

const RECORD = [
  ['active', 'integer', 1],
  ['created_at', 'bigint', 0],
  ['updated_at', 'bigint', 0],
] as const;

/**
 * Creates a table of records that a company maintains (decisions §11).
 * @param name the name's column
 * @param has the common columns that `table` has already
 */
const companyRecords = async (
  db: Db,
  [table, made]: readonly [table: string, made: Table],
  { name = 'name', has = [] }: { readonly name?: string; readonly has?: readonly string[] } = {},
): Promise<void> => {
  const folded = `${name}_folded`;
  let all = made
    .addColumn('origin_id', 'text')
    .addColumn('version', 'bigint', (c) => c.notNull().defaultTo(1));
  for (const [column, type, value] of RECORD)
    if (!has.includes(column))
      all = all.addColumn(column, type, (c) => c.notNull().defaultTo(value));
  if (!has.includes(folded)) all = all.addColumn(folded, 'text', (c) => c.notNull().defaultTo(''));
  await all.execute();
  await index(db, [`${table}_by_name`, table, ['company_id', folded]]);
  await index(
    db,
    [`${table}_by_origin`, table, ['company_id', 'origin_id']],
    sql`origin_id is not null`,
  );
};

const named = (db: Db, name: string): Table =>
  tenant(db, name)
    .addColumn('project_id', 'bigint')
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_folded', 'text', (c) => c.notNull());

const lookup = (db: Db, name: string): Table =>
  named(db, name)
    .addColumn('active', 'integer', (c) => c.notNull())
    .addColumn('global', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull());

const FOLDED = 'name_folded';

const catalog = async (db: Db): Promise<void> => {
  const projects = tenant(db, 'projects')
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('last_incident_number', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull());
  await companyRecords(db, ['projects', projects], { has: ['created_at'] });
  for (const name of [
    'affected_companies',
    'managed_equipment',
    'vendors',
    'folders',
    'time_and_material_entries',
  ])
    await companyRecords(db, [name, named(db, name)], { has: [FOLDED] });
  const parties = named(db, 'parties')
    .addColumn('reference_user', 'integer', (c) => c.notNull())
    .addColumn('active', 'integer', (c) => c.notNull().defaultTo(1));
  await companyRecords(db, ['parties', parties], { has: [FOLDED, 'active'] });
  const people = named(db, 'people').addColumn('login', 'text', (c) => c.notNull());
  await companyRecords(db, ['people', people], { has: [FOLDED] });
  await index(db, ['people_by_login', 'people', ['company_id', 'login']]);
  for (const name of ['harm_sources', 'work_activities'])
    await companyRecords(db, [name, lookup(db, name)], {
      has: [FOLDED, 'active', 'created_at', 'updated_at'],
    });
  const documents = pointsTo(
    named(db, 'documents').addColumn('folder_id', 'bigint').addColumn('stored_file_id', 'bigint'),
    'documents_folder_id_fk',
    'folder_id',
    'folders',
  );
  await companyRecords(db, ['documents', documents], { has: [FOLDED] });
  const fields = tenant(db, 'custom_field_definitions')
    .addColumn('project_id', 'bigint')
    .addColumn('label', 'text', (c) => c.notNull())
    .addColumn('data_type', 'text', (c) => c.notNull())
    .addColumn('options', 'text', (c) => c.notNull())
    .addColumn('required', 'integer', (c) => c.notNull());
  await companyRecords(db, ['custom_field_definitions', fields], { name: 'label' });
};

const incidents = async (db: Db): Promise<void> => {
  await pointsTo(
    tenant(db, 'incidents').addColumn('project_id', 'bigint', (c) => c.notNull()),
    'incidents_project_id_fk',
    'project_id',
    'projects',
  )
    .addColumn('number', 'bigint', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('event_date', 'bigint')
    .addColumn('time_unknown', 'integer', (c) => c.notNull())
    .addColumn('location', 'text')
    .addColumn('private', 'integer', (c) => c.notNull())
    .addColumn('created_by', 'bigint', (c) => c.references('users.id'))
    .addColumn('last_near_miss_number', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull().defaultTo('open'))
    .addUniqueConstraint('incidents_number', ['company_id', 'project_id', 'number'])
    .execute();
  await index(db, [
    'incidents_by_creation',
    'incidents',
    ['company_id', 'project_id', 'created_at', 'id'],
  ]);
  // Private incidents are few, and every list of near misses scans them.
  await index(db, ['incidents_private', 'incidents', ['company_id', 'id']], sql`private = 1`);
  let people = db.schema
    .createTable('incident_people')
    .addColumn('company_id', 'bigint', (c) => c.notNull())
    .addColumn('incident_id', 'bigint', (c) => c.notNull())
    .addColumn('person_id', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('incident_people_pk', ['company_id', 'incident_id', 'person_id']);
  people = pointsTo(people, 'incident_people_incident_fk', 'incident_id', 'incidents');
  people = pointsTo(people, 'incident_people_person_fk', 'person_id', 'people');
  await people.execute();
};

const REFERENCES = [
  ['incident_id', 'incidents'],
  ['affected_company_id', 'affected_companies'],
  ['affected_party_id', 'parties'],
  ['affected_person_id', 'people'],
  ['harm_source_id', 'harm_sources'],
  ['work_activity_id', 'work_activities'],
  ['managed_equipment_id', 'managed_equipment'],
] as const;

const nearMisses = async (db: Db): Promise<void> => {
  let table: Table = tenant(db, 'near_misses')
    .addColumn('project_id', 'bigint', (c) => c.notNull())
    .addColumn('incident_id', 'bigint', (c) => c.notNull())
    .addColumn('number', 'bigint', (c) => c.notNull())
    .addColumn('recordable', 'integer', (c) => c.notNull())
    .addColumn('affected_company_id', 'bigint')
    .addColumn('affected_party_id', 'bigint')
    .addColumn('affected_person_id', 'bigint')
    .addColumn('harm_source_id', 'bigint')
    .addColumn('work_activity_id', 'bigint')
    .addColumn('managed_equipment_id', 'bigint')
    .addColumn('created_by', 'bigint', (c) => c.notNull().references('users.id'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('deleted_at', 'bigint')
    .addColumn('version', 'bigint', (c) => c.notNull())
    .addColumn('attachment_count', 'integer', (c) => c.notNull())
    .addColumn('custom_fields', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('description_plain_text', 'text', (c) => c.notNull())
    .addColumn('search', 'text', (c) => c.notNull())
    .addUniqueConstraint('near_misses_number', ['company_id', 'incident_id', 'number']);
  for (const [column, target] of [['project_id', 'projects'], ...REFERENCES] as const)
    table = pointsTo(table, `near_misses_${column}_fk`, column, target);
  await table.execute();
  await db.schema
    .createTable('near_miss_counts')
    .addColumn('company_id', 'bigint', (c) => c.notNull())
    .addColumn('project_id', 'bigint', (c) => c.notNull())
    .addColumn('active', 'bigint', (c) => c.notNull())
    .addColumn('recycled', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('near_miss_counts_pk', ['company_id', 'project_id'])
    .execute();
};

/** Columns that decide who may see a near miss. Every index includes them, so skipped or counted rows are not read. */
const VISIBILITY = ['incident_id', 'deleted_at'];

/** The orders of the list and of the recycle bin, each filter by an id, and the order by number. */
const nearMissLists = async (db: Db): Promise<void> => {
  const list = (name: string, columns: readonly string[], where: unknown) =>
    index(db, [name, 'near_misses', ['company_id', 'project_id', ...columns]], where);
  const newest = ['created_at desc', 'id desc'];
  await list('near_misses_active', [...newest, ...VISIBILITY], sql`deleted_at is null`);
  await list('near_misses_recycled', [...newest, ...VISIBILITY], sql`deleted_at is not null`);
  for (const [column] of REFERENCES)
    await list(
      `near_misses_by_${column}`,
      [column, ...newest, ...VISIBILITY.filter((one) => one !== column)],
      sql`deleted_at is null and ${sql.ref(column)} is not null`,
    );
  await list('near_misses_by_number', ['number', 'id', ...VISIBILITY], sql`deleted_at is null`);
  // PostgreSQL's index needs extensions, so each start tries to create it (postgres-search.ts).
  if (db.getExecutor().adapter instanceof SqliteAdapter)
    await sql`create virtual table near_miss_search using fts5 (search,
      content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1')`.execute(
      db,
    );
};

const uploads = async (db: Db): Promise<void> => {
  await tenant(db, 'stored_files')
    .addColumn('storage_key', 'text', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('md5', 'text')
    .addColumn('filename', 'text', (c) => c.notNull())
    .addColumn('content_type', 'text', (c) => c.notNull())
    .addColumn('attachment_content_disposition', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  // A storage key is `<uuid>/<part>` or `<uuid>`. The expression must equal the one in uploads.ts, or the index is not used.
  await sql`
    create index stored_files_by_upload on stored_files (company_id, substr(storage_key, 1, 36))
  `.execute(db);
  await db.schema
    .createTable('uploads')
    .addColumn('company_id', 'bigint', (c) => c.notNull().references('companies.id'))
    .addColumn('uuid', 'text', (c) => c.notNull())
    .addColumn('project_id', 'bigint')
    .addColumn('owner_id', 'bigint', (c) => c.notNull().references('users.id'))
    .addColumn('response_filename', 'text', (c) => c.notNull())
    .addColumn('response_content_type', 'text')
    .addColumn('attachment_content_disposition', 'integer', (c) => c.notNull())
    .addColumn('size', 'bigint')
    .addColumn('segmented', 'integer', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('post_expires_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('completed_at', 'bigint')
    .addColumn('stored_file_id', 'bigint')
    .addColumn('associated_type', 'text')
    .addColumn('associated_id', 'bigint')
    .addColumn('associated_at', 'bigint')
    .addPrimaryKeyConstraint('uploads_pk', ['company_id', 'uuid'])
    .execute();
  await index(
    db,
    ['uploads_by_expiry', 'uploads', ['expires_at']],
    sql`associated_at is null and status <> 'deleted'`,
  );
  // Summed per user whenever an upload is announced.
  await index(
    db,
    ['uploads_waiting', 'uploads', ['company_id', 'owner_id', 'expires_at']],
    sql`associated_at is null`,
  );
  await index(
    db,
    ['uploads_deleting', 'uploads', ['company_id', 'uuid']],
    sql`status = 'deleting'`,
  );
  await index(db, ['uploads_by_stored_file', 'uploads', ['company_id', 'stored_file_id']]);
  await db.schema
    .createTable('upload_segments')
    .addColumn('company_id', 'bigint', (c) => c.notNull())
    .addColumn('upload_uuid', 'text', (c) => c.notNull())
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('md5', 'text')
    .addColumn('etag', 'text')
    .addColumn('received_at', 'bigint')
    .addColumn('storage_key', 'text')
    .addPrimaryKeyConstraint('upload_segments_pk', ['company_id', 'upload_uuid', 'position'])
    .addForeignKeyConstraint(
      'upload_segments_upload_fk',
      ['company_id', 'upload_uuid'],
      'uploads',
      ['company_id', 'uuid'],
    )
    .execute();
};

const attachments = async (db: Db): Promise<void> => {
  let ofNearMiss: Table = tenant(db, 'near_miss_attachments')
    .addColumn('near_miss_id', 'bigint', (c) => c.notNull())
    .addColumn('stored_file_id', 'bigint', (c) => c.notNull())
    .addColumn('upload_uuid', 'text', (c) => c.notNull())
    .addColumn('filename', 'text', (c) => c.notNull())
    .addColumn('content_type', 'text', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull());
  for (const [column, target] of [
    ['near_miss_id', 'near_misses'],
    ['stored_file_id', 'stored_files'],
  ] as const)
    ofNearMiss = pointsTo(ofNearMiss, `near_miss_attachments_${column}_fk`, column, target);
  await ofNearMiss.execute();
  await index(db, [
    'near_miss_attachments_by_record',
    'near_miss_attachments',
    ['company_id', 'near_miss_id', 'id'],
  ]);
  const name = 'time_and_material_entry_attachments';
  const ofEntry = inProject(db, name)
    .addColumn('time_and_material_entry_id', 'bigint', (c) => c.notNull())
    .addColumn('document_id', 'bigint')
    .addColumn('upload_uuid', 'text')
    .addColumn('stored_file_id', 'bigint')
    .addColumn('filename', 'text', (c) => c.notNull())
    .addColumn('content_type', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull());
  await pointsTo(
    ofEntry,
    `${name}_entry_fk`,
    'time_and_material_entry_id',
    'time_and_material_entries',
  ).execute();
  await index(db, [`${name}_by_creation`, name, ['company_id', 'project_id', 'created_at', 'id']]);
  await index(db, [`${name}_by_upload`, name, ['company_id', 'upload_uuid']]);
};

const insurances = async (db: Db): Promise<void> => {
  let table = inProject(db, 'insurances')
    .addColumn('vendor_id', 'bigint', (c) => c.notNull())
    .addColumn('version', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('enable_expired_insurance_notifications', 'integer', (c) => c.notNull())
    .addColumn('exempt', 'integer', (c) => c.notNull())
    .addColumn('info_received', 'integer', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull());
  for (const column of [
    'effective_date',
    'expiration_date',
    'insurance_provider',
    'insurance_type',
    'insurance_limit',
    'notes',
    'policy_number',
    'additional_insured',
    'division_template',
    'insurance_sets',
    'origin_data',
    'origin_id',
  ])
    table = table.addColumn(column, 'text');
  await pointsTo(table, 'insurances_vendor_fk', 'vendor_id', 'vendors').execute();
  for (const [name, column] of [
    ['insurances_by_creation', 'created_at'],
    ['insurances_by_origin', 'origin_id'],
  ] as const)
    await index(db, [name, 'insurances', ['company_id', 'project_id', 'vendor_id', column, 'id']]);
};

const memberships = async (db: Db): Promise<void> => {
  const table = inProject(db, 'project_memberships')
    .addColumn('party_id', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('project_memberships_once', ['company_id', 'project_id', 'party_id']);
  await pointsTo(table, 'project_memberships_party_fk', 'party_id', 'parties').execute();
};

const idempotencyKeys = async (db: Db): Promise<void> => {
  await db.schema
    .createTable('idempotency_keys')
    .addColumn('company_id', 'bigint', (c) => c.notNull())
    .addColumn('user_id', 'bigint', (c) => c.notNull())
    .addColumn('method', 'text', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('status', 'integer', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('headers', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('idempotency_keys_pk', [
      'company_id',
      'user_id',
      'method',
      'path',
      'key',
    ])
    .execute();
  await index(db, ['idempotency_keys_by_age', 'idempotency_keys', ['created_at']]);
  await index(db, [
    'idempotency_keys_by_user',
    'idempotency_keys',
    ['company_id', 'user_id', 'created_at', 'size'],
  ]);
};

/**
 * Events, hooks and triggers (decisions §9). Triggers, outbox and deliveries have no foreign key to their hook: a concurrent
 * change must not fail when the hook is deleted.
 */
const hooks = async (db: Db): Promise<void> => {
  await tenant(db, 'events')
    .addColumn('project_id', 'bigint')
    .addColumn('user_id', 'bigint', (c) => c.notNull())
    .addColumn('event_type', 'text', (c) => c.notNull())
    .addColumn('resource_name', 'text', (c) => c.notNull())
    .addColumn('resource_id', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('ulid', 'text')
    .addColumn('resource_uuid', 'text')
    .execute();
  await tenant(db, 'webhook_hooks')
    .addColumn('project_id', 'bigint')
    .addColumn('namespace', 'text', (c) => c.notNull())
    .addColumn('api_version', 'text', (c) => c.notNull())
    .addColumn('destination_url', 'text', (c) => c.notNull())
    .addColumn('destination_headers', 'text', (c) => c.notNull())
    .addColumn('signing_secret', 'text', (c) => c.notNull())
    .addColumn('created_by', 'bigint', (c) => c.notNull().references('users.id'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('version', 'bigint', (c) => c.notNull())
    .addColumn('failures', 'integer', (c) => c.notNull())
    .addColumn('failing_since', 'bigint')
    .addColumn('next_attempt_at', 'bigint', (c) => c.notNull())
    .addColumn('disabled_at', 'bigint')
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'bigint', (c) => c.notNull())
    .addColumn('previous_signing_secret', 'text')
    .addColumn('previous_signing_secret_until', 'bigint')
    .execute();
  // For the dispatcher's scan of enabled hooks.
  await index(
    db,
    ['webhook_hooks_enabled', 'webhook_hooks', ['next_attempt_at', 'company_id', 'id']],
    sql`disabled_at is null`,
  );
  await tenant(db, 'webhook_triggers')
    .addColumn('hook_id', 'bigint', (c) => c.notNull())
    .addColumn('api_version', 'text', (c) => c.notNull())
    .addColumn('resource_name', 'text', (c) => c.notNull())
    .addColumn('event_type', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('webhook_triggers_once', [
      'company_id',
      'hook_id',
      'resource_name',
      'event_type',
    ])
    .execute();
  // For the query in the transaction of every change: which hooks subscribe to it.
  await index(db, [
    'webhook_triggers_by_event',
    'webhook_triggers',
    ['company_id', 'resource_name', 'event_type', 'hook_id'],
  ]);
};

const deliveries = async (db: Db): Promise<void> => {
  await db.schema
    .createTable('webhook_pending')
    .addColumn('company_id', 'bigint', (c) => c.notNull())
    .addColumn('hook_id', 'bigint', (c) => c.notNull())
    .addColumn('event_id', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('webhook_pending_pk', ['company_id', 'hook_id', 'event_id'])
    .execute();
  await tenant(db, 'webhook_deliveries')
    .addColumn('hook_id', 'bigint', (c) => c.notNull())
    .addColumn('event_id', 'bigint', (c) => c.notNull())
    .addColumn('event_ulid', 'text', (c) => c.notNull())
    .addColumn('started_at', 'bigint', (c) => c.notNull())
    .addColumn('completed_at', 'bigint', (c) => c.notNull())
    .addColumn('response_status', 'integer')
    .addColumn('response_headers', 'text', (c) => c.notNull())
    .addColumn('response_error', 'text')
    .addColumn('response_body', 'text', (c) => c.notNull())
    .addColumn('outcome', 'text', (c) => c.notNull())
    .execute();
  await index(db, [
    'webhook_deliveries_by_hook',
    'webhook_deliveries',
    ['company_id', 'hook_id', 'id desc'],
  ]);
  await index(db, ['webhook_deliveries_by_age', 'webhook_deliveries', ['completed_at']]);
};

/** In an order that foreign keys allow. */
const TABLES = [
  companies,
  catalog,
  incidents,
  nearMisses,
  nearMissLists,
  uploads,
  attachments,
  insurances,
  memberships,
  idempotencyKeys,
  hooks,
  deliveries,
];

export const first: Migration = {
  up: async (db: Kysely<unknown>) => {
    for (const make of TABLES) await make(db);
  },
};
