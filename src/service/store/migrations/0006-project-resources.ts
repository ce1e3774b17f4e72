/**
 * Vendor insurances, time-and-material attachments and project memberships; the file a document consists of, and whether a
 * party still works here.
 */
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const tenant = (db: Kysely<unknown>, name: string) =>
  db.schema
    .createTable(name)
    .addColumn('company_id', 'bigint', (c) => c.notNull().references('companies.id'))
    .addColumn('id', 'bigint', (c) => c.notNull())
    .addColumn('project_id', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint(`${name}_pk`, ['company_id', 'id'])
    .addForeignKeyConstraint(`${name}_project_fk`, ['company_id', 'project_id'], 'projects', [
      'company_id',
      'id',
    ]);

const insurances = async (db: Kysely<unknown>): Promise<void> => {
  let table = tenant(db, 'insurances')
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
  await table
    .addForeignKeyConstraint('insurances_vendor_fk', ['company_id', 'vendor_id'], 'vendors', [
      'company_id',
      'id',
    ])
    .execute();
  for (const [name, column] of [
    ['insurances_by_creation', 'created_at'],
    ['insurances_by_origin', 'origin_id'],
  ] as const)
    await db.schema
      .createIndex(name)
      .on('insurances')
      .columns(['company_id', 'project_id', 'vendor_id', column, 'id'])
      .execute();
};

const attachments = async (db: Kysely<unknown>): Promise<void> => {
  const name = 'time_and_material_entry_attachments';
  await tenant(db, name)
    .addColumn('time_and_material_entry_id', 'bigint', (c) => c.notNull())
    .addColumn('document_id', 'bigint')
    .addColumn('upload_uuid', 'text')
    .addColumn('stored_file_id', 'bigint')
    .addColumn('filename', 'text', (c) => c.notNull())
    .addColumn('content_type', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addForeignKeyConstraint(
      `${name}_entry_fk`,
      ['company_id', 'time_and_material_entry_id'],
      'time_and_material_entries',
      ['company_id', 'id'],
    )
    .execute();
  await db.schema
    .createIndex(`${name}_by_creation`)
    .on(name)
    .columns(['company_id', 'project_id', 'created_at', 'id'])
    .execute();
  await db.schema
    .createIndex(`${name}_by_upload`)
    .on(name)
    .columns(['company_id', 'upload_uuid'])
    .execute();
};

const memberships = async (db: Kysely<unknown>): Promise<void> => {
  await tenant(db, 'project_memberships')
    .addColumn('party_id', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addForeignKeyConstraint(
      'project_memberships_party_fk',
      ['company_id', 'party_id'],
      'parties',
      ['company_id', 'id'],
    )
    .addUniqueConstraint('project_memberships_once', ['company_id', 'project_id', 'party_id'])
    .execute();
};

export const projectResources: Migration = {
  up: async (db: Kysely<unknown>) => {
    await insurances(db);
    await attachments(db);
    await memberships(db);
    await db.schema.alterTable('documents').addColumn('stored_file_id', 'bigint').execute();
    await db.schema
      .alterTable('parties')
      .addColumn('active', 'integer', (c) => c.notNull().defaultTo(1))
      .execute();
  },
};
