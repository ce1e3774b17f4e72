/**
 * [ours] Removes what other tables hold of a near miss: its photos, comments, mails about it, kept answers of requests, and its author in the
 * log of events (decisions §20.3). A table that gets texts of near misses is added here.
 */
import { sql } from 'kysely';
import type { Db } from '../engine/db.ts';
import { takeIds } from '../engine/ids.ts';
import { forgetFile } from '../erasure/files.ts';

interface Which {
  readonly company_id: number;
  readonly project_id: number;
  readonly id: number;
}

/** No login of a person has this form, and a service account's is made by the service. */
const LOGIN = 'spotter:service';

/** The id of a user without a name, in place of a person. It is a member of no company and has no token. */
export const serviceUser = async (tx: Db, now: number): Promise<number> => {
  const found = await tx
    .selectFrom('users')
    .select('id')
    .where('login', '=', LOGIN)
    .executeTakeFirst();
  if (found) return found.id;
  const id = await takeIds(tx, 'users');
  await tx
    .insertInto('users')
    .values({ id, login: LOGIN, name: '', created_at: now, service_account: 1 })
    .onConflict((on) => on.column('login').doNothing())
    .execute();
  return serviceUser(tx, now);
};

/** Removes the photos from the record and from their owners. The sweeper of uploads deletes their bytes. */
const removePhotos = async (tx: Db, { company_id, id }: Which, nobody: number): Promise<void> => {
  const photos = await tx
    .deleteFrom('near_miss_attachments')
    .where('company_id', '=', company_id)
    .where('near_miss_id', '=', id)
    .returning(['upload_uuid', 'stored_file_id'])
    .execute();
  for (const { upload_uuid, stored_file_id } of photos)
    await forgetFile(tx, { company_id, upload_uuid, stored_file_id }, nobody);
};

const removeAnswers = async (tx: Db, { company_id, project_id, id }: Which): Promise<void> => {
  for (const place of ['incidents', 'recycle_bin/incidents']) {
    const path = `/rest/v1.0/projects/${project_id}/${place}/near_misses/${id}`;
    await tx
      .deleteFrom('idempotency_keys')
      .where('company_id', '=', company_id)
      .where((eb) => eb.or([eb('path', '=', path), eb('path', 'like', `${path}/%`)]))
      .execute();
  }
};

/** @param nobody the user who takes the place of people */
export const removeTraces = async (tx: Db, which: Which, nobody: number): Promise<void> => {
  const { company_id, id } = which;
  await removePhotos(tx, which, nobody);
  await removeAnswers(tx, which);
  for (const table of ['near_miss_comments', 'mails'] as const)
    await tx
      .deleteFrom(table)
      .where('company_id', '=', company_id)
      .where('near_miss_id', '=', id)
      .execute();
  await tx
    .updateTable('events')
    .set({ user_id: nobody })
    .where('company_id', '=', company_id)
    .where(sql<boolean>`resource_name = 'Near Misses'`)
    .where('resource_id', '=', id)
    .execute();
};
