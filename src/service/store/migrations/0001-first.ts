/** The first schema. Plain DDL that SQLite and PostgreSQL both take; no triggers. Never edited after a release. */
import { sql, type CreateTableBuilder, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const tenant = (db: Kysely<unknown>, name: string) =>
  db.schema
    .createTable(name)
    .addColumn('company_id', 'bigint', (c) => c.notNull().references('companies.id'))
    .addColumn('id', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint(`${name}_pk`, ['company_id', 'id']);

const named = (db: Kysely<unknown>, name: string) =>
  tenant(db, name)
    .addColumn('project_id', 'bigint')
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('name_folded', 'text', (c) => c.notNull());

const lookup = (db: Kysely<unknown>, name: string) =>
  named(db, name)
    .addColumn('active', 'integer', (c) => c.notNull())
    .addColumn('global', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull());

const pointsTo = <T extends string, C extends string>(
  table: CreateTableBuilder<T, C>,
  name: string,
  column: string,
  target: string,
): CreateTableBuilder<T, C> =>
  table.addForeignKeyConstraint(`${name}_${column}_fk`, ['company_id', column] as never, target, [
    'company_id',
    'id',
  ] as never);

const whoAndWhere = async (db: Kysely<unknown>): Promise<void> => {
  await db.schema
    .createTable('id_counters')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('last', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('companies')
    .addColumn('id', 'bigint', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
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
  await db.schema
    .createIndex('company_users_by_user')
    .on('company_users')
    .columns(['user_id'])
    .execute();
  await db.schema
    .createTable('tokens')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  await tenant(db, 'projects')
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('last_incident_number', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
};

const lookups = async (db: Kysely<unknown>): Promise<void> => {
  for (const name of ['affected_companies', 'managed_equipment', 'vendors', 'folders'])
    await named(db, name).execute();
  await named(db, 'time_and_material_entries').execute();
  await named(db, 'parties')
    .addColumn('reference_user', 'integer', (c) => c.notNull())
    .execute();
  await named(db, 'people')
    .addColumn('login', 'text', (c) => c.notNull())
    .execute();
  await lookup(db, 'harm_sources').execute();
  await lookup(db, 'work_activities').execute();
  await pointsTo(
    named(db, 'documents').addColumn('folder_id', 'bigint'),
    'documents',
    'folder_id',
    'folders',
  ).execute();
  await tenant(db, 'custom_field_definitions')
    .addColumn('project_id', 'bigint')
    .addColumn('label', 'text', (c) => c.notNull())
    .addColumn('data_type', 'text', (c) => c.notNull())
    .addColumn('options', 'text', (c) => c.notNull())
    .addColumn('required', 'integer', (c) => c.notNull())
    .execute();
};

const incidents = async (db: Kysely<unknown>): Promise<void> => {
  await pointsTo(
    tenant(db, 'incidents').addColumn('project_id', 'bigint', (c) => c.notNull()),
    'incidents',
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
    .addUniqueConstraint('incidents_number', ['company_id', 'project_id', 'number'])
    .execute();
  await db.schema
    .createIndex('incidents_by_creation')
    .on('incidents')
    .columns(['company_id', 'project_id', 'created_at', 'id'])
    .execute();
};

const nearMisses = async (db: Kysely<unknown>): Promise<void> => {
  let table = tenant(db, 'near_misses')
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
  for (const [column, target] of [
    ['project_id', 'projects'],
    ['incident_id', 'incidents'],
    ['affected_company_id', 'affected_companies'],
    ['affected_party_id', 'parties'],
    ['affected_person_id', 'people'],
    ['harm_source_id', 'harm_sources'],
    ['work_activity_id', 'work_activities'],
    ['managed_equipment_id', 'managed_equipment'],
  ] as const)
    table = pointsTo(table, 'near_misses', column, target);
  await table.execute();
  // The list's default order and the bin's, each without the other's rows.
  for (const [name, where] of [
    ['near_misses_active', sql`deleted_at is null`],
    ['near_misses_recycled', sql`deleted_at is not null`],
  ] as const)
    await db.schema
      .createIndex(name)
      .on('near_misses')
      .columns(['company_id', 'project_id', 'created_at desc', 'id desc'])
      .where(where as never)
      .execute();
};

const files = async (db: Kysely<unknown>): Promise<void> => {
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
  await db.schema
    .createIndex('uploads_by_expiry')
    .on('uploads')
    .columns(['expires_at'])
    .where(sql`associated_at is null and status <> 'deleted'` as never)
    .execute();
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
  let attachments = tenant(db, 'near_miss_attachments')
    .addColumn('near_miss_id', 'bigint', (c) => c.notNull())
    .addColumn('stored_file_id', 'bigint', (c) => c.notNull())
    .addColumn('upload_uuid', 'text', (c) => c.notNull())
    .addColumn('filename', 'text', (c) => c.notNull())
    .addColumn('content_type', 'text', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull());
  attachments = pointsTo(attachments, 'near_miss_attachments', 'near_miss_id', 'near_misses');
  attachments = pointsTo(attachments, 'near_miss_attachments', 'stored_file_id', 'stored_files');
  await attachments.execute();
  await db.schema
    .createIndex('near_miss_attachments_by_record')
    .on('near_miss_attachments')
    .columns(['company_id', 'near_miss_id', 'id'])
    .execute();
};

const records = async (db: Kysely<unknown>): Promise<void> => {
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
    .addPrimaryKeyConstraint('idempotency_keys_pk', [
      'company_id',
      'user_id',
      'method',
      'path',
      'key',
    ])
    .execute();
  await db.schema
    .createIndex('idempotency_keys_by_age')
    .on('idempotency_keys')
    .columns(['created_at'])
    .execute();
  await tenant(db, 'events')
    .addColumn('project_id', 'bigint')
    .addColumn('user_id', 'bigint', (c) => c.notNull())
    .addColumn('event_type', 'text', (c) => c.notNull())
    .addColumn('resource_name', 'text', (c) => c.notNull())
    .addColumn('resource_id', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
};

export const first: Migration = {
  up: async (db: Kysely<unknown>) => {
    await whoAndWhere(db);
    await lookups(db);
    await incidents(db);
    await nearMisses(db);
    await files(db);
    await records(db);
  },
};
