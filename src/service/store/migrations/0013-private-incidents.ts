/** Whom a private incident lists, and the private ones by themselves: few among many, looked through for every list. */
import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const privateIncidents: Migration = {
  up: async (db: Kysely<unknown>) => {
    await db.schema
      .createTable('incident_people')
      .addColumn('company_id', 'bigint', (c) => c.notNull())
      .addColumn('incident_id', 'bigint', (c) => c.notNull())
      .addColumn('person_id', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('incident_people_pk', ['company_id', 'incident_id', 'person_id'])
      .addForeignKeyConstraint(
        'incident_people_incident_fk',
        ['company_id', 'incident_id'],
        'incidents',
        ['company_id', 'id'],
      )
      .addForeignKeyConstraint('incident_people_person_fk', ['company_id', 'person_id'], 'people', [
        'company_id',
        'id',
      ])
      .execute();
    await db.schema
      .createIndex('incidents_private')
      .on('incidents')
      .columns(['company_id', 'id'])
      .where(sql`private = 1` as never)
      .execute();
  },
};
