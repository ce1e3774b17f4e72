/** A hook's old signing secret, which signs beside the new one for a while (decisions §9.2). */
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const webhookSecrets: Migration = {
  up: async (db: Kysely<unknown>) => {
    const hooks = () => db.schema.alterTable('webhook_hooks');
    await hooks().addColumn('previous_signing_secret', 'text').execute();
    await hooks().addColumn('previous_signing_secret_until', 'bigint').execute();
  },
};
