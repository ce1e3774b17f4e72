/** The way from an upload's uuid to the files kept under it: the sweep of orphan files asks for many, whatever their company. */
import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const storedFileKeys: Migration = {
  up: async (db: Kysely<unknown>) => {
    // A storage key is `<uuid>/<part>` or `<uuid>`: the same expression as in uploads.ts, or no index is used.
    await sql`
      create index stored_files_by_upload on stored_files (company_id, substr(storage_key, 1, 36))
    `.execute(db);
  },
};
