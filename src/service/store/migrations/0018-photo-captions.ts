/**
 * What is said of the photos of a near miss: each company gets a custom field for it (decisions §4.8), unless it has one of that
 * name.
 */
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { addField } from './0017-follow-up.ts';

export const photoCaptions: Migration = {
  up: async (db) => {
    const { rows } = await sql<{ id: number; created_at: number }>`
      select id, created_at from companies order by id`.execute(db);
    for (const company of rows) await addField(db, company, ['Photo captions', 'text']);
  },
};
