/**
 * Hooks, triggers, the outbox of events still to be told, and deliveries (decisions §9). Triggers, outbox and deliveries carry no
 * foreign key to their hook: a change that happens while its hook is deleted must not fail for it.
 */
import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const tenant = (db: Kysely<unknown>, name: string) =>
  db.schema
    .createTable(name)
    .addColumn('company_id', 'bigint', (c) => c.notNull().references('companies.id'))
    .addColumn('id', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint(`${name}_pk`, ['company_id', 'id']);

const hooks = async (db: Kysely<unknown>): Promise<void> => {
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
    .execute();
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
  // Asked in the transaction of every change: who wants to hear of it?
  await db.schema
    .createIndex('webhook_triggers_by_event')
    .on('webhook_triggers')
    .columns(['company_id', 'resource_name', 'event_type', 'hook_id'])
    .execute();
};

const deliveries = async (db: Kysely<unknown>): Promise<void> => {
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
  await db.schema
    .createIndex('webhook_deliveries_by_hook')
    .on('webhook_deliveries')
    .columns(['company_id', 'hook_id', 'id desc'])
    .execute();
  await db.schema
    .createIndex('webhook_deliveries_by_age')
    .on('webhook_deliveries')
    .columns(['completed_at'])
    .execute();
};

export const webhooks: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema.alterTable('events').addColumn('ulid', 'text').execute();
    await db.schema.alterTable('events').addColumn('resource_uuid', 'text').execute();
    await hooks(db);
    await deliveries(db);
    // What the dispatcher looks through: everything that may be sent to.
    await db.schema
      .createIndex('webhook_hooks_enabled')
      .on('webhook_hooks')
      .columns(['next_attempt_at', 'company_id', 'id'])
      .where(sql`disabled_at is null` as never)
      .execute();
  },
};
