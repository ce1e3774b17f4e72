/**
 * Fills an empty data folder (decisions §10): the demo company with a second one beside it for trying isolation, or, for
 * `--embedded`, one local company with what its forms offer. Rows are made deterministically and written in
 * batches, so that a start with --demo stays under a second.
 */
import type { Insertable } from 'kysely';
import type { Db } from '../store/db.ts';
import { fold, foldAll } from '../store/fold.ts';
import { takeIds } from '../store/ids.ts';
import type { Database } from '../store/schema.ts';
import type { KeptDocument } from './documents.ts';
import * as words from './words.ts';

/** Who signs in where. */
export interface Seat {
  readonly user_id: number;
  readonly company_id: number;
  readonly project_id: number;
}

const DAY = 86_400_000;
const BATCH = 500;

/** A small deterministic generator (mulberry32): the same seed, the same demo. */
const randomFrom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

type Table = Exclude<keyof Database, 'id_counters'>;

/** Writes rows that got fresh ids; answers them. */
const insert = async <T extends Table, Row extends object>(
  tx: Db,
  table: T,
  rows: readonly Row[],
): Promise<(Row & { id: number })[]> => {
  if (rows.length === 0) return [];
  const first = await takeIds(tx, table, rows.length);
  const numbered = rows.map((row, index) => ({ ...row, id: first + index }));
  for (let at = 0; at < numbered.length; at += BATCH)
    await tx
      .insertInto(table)
      .values(numbered.slice(at, at + BATCH) as unknown as Insertable<Database[T]>[])
      .execute();
  return numbered;
};

interface Firm {
  readonly company: string;
  readonly project: string;
  readonly user: readonly [name: string, login: string];
}

const seedPlace = async (tx: Db, now: number, firm: Firm): Promise<Seat> => {
  const [company] = await insert(tx, 'companies', [{ name: firm.company, created_at: now }]);
  const [user] = await insert(tx, 'users', [
    { name: firm.user[0], login: firm.user[1], created_at: now },
  ]);
  if (!company || !user) throw new Error('nothing was seeded');
  const company_id = company.id;
  await tx.insertInto('company_users').values({ company_id, user_id: user.id }).execute();
  const [project] = await insert(tx, 'projects', [
    { company_id, name: firm.project, last_incident_number: 0, created_at: now },
  ]);
  if (!project) throw new Error('nothing was seeded');
  return { user_id: user.id, company_id, project_id: project.id };
};

const namedRow = (company_id: number) => (name: string) => ({
  company_id,
  project_id: null,
  name,
  name_folded: fold(name),
});

/** What is the same on every site: harm sources, activities, custom fields. */
const seedSiteLists = async (tx: Db, now: number, company_id: number) => {
  const lookup = (name: string, index: number) => ({
    ...namedRow(company_id)(name),
    active: 1,
    global: index % 2,
    created_at: now - 400 * DAY,
    updated_at: now - 400 * DAY,
  });
  return {
    harm_source_id: await insert(tx, 'harm_sources', words.harmSources.map(lookup)),
    work_activity_id: await insert(tx, 'work_activities', words.workActivities.map(lookup)),
    definitions: await insert(
      tx,
      'custom_field_definitions',
      words.customFields.map(([label, data_type, options]) => ({
        company_id,
        project_id: null,
        label,
        data_type: data_type as string,
        options: JSON.stringify(options),
        required: 0,
      })),
    ),
  };
};

/** Folders, the documents in them, and the stored file of each. */
const seedDocuments = async (
  tx: Db,
  now: number,
  { company_id, user_id }: Seat,
  kept: readonly KeptDocument[],
): Promise<void> => {
  const named = namedRow(company_id);
  const folders = await insert(
    tx,
    'folders',
    words.folders.map(([name]) => named(name)),
  );
  const files = await insert(
    tx,
    'stored_files',
    kept.map(({ name, storage_key, size, sha256, md5 }) => ({
      ...{ company_id, storage_key, size, sha256, md5 },
      filename: name,
      content_type: 'application/pdf',
      attachment_content_disposition: 0,
      created_at: now,
    })),
  );
  const documents = await insert(
    tx,
    'documents',
    kept.map(({ name, folder }, index) => ({
      ...named(name),
      folder_id: folders.find((row) => row.name === folder)?.id ?? null,
      stored_file_id: files[index]?.id ?? null,
    })),
  );
  for (const [index, { name, upload_uuid, size }] of kept.entries())
    await tx
      .insertInto('uploads')
      .values({
        company_id,
        uuid: upload_uuid,
        project_id: null,
        owner_id: user_id,
        response_filename: name,
        response_content_type: null,
        attachment_content_disposition: 0,
        size,
        segmented: 0,
        status: 'associated',
        created_at: now,
        post_expires_at: now,
        expires_at: now,
        completed_at: now,
        stored_file_id: files[index]?.id ?? null,
        associated_type: 'document',
        associated_id: documents[index]?.id ?? null,
        associated_at: now,
      })
      .execute();
};

/** Parties, and who of them is a member already: everyone but the reference users, also those who have left. */
const seedParties = async (
  tx: Db,
  now: number,
  { company_id, project_id }: Seat,
  list: readonly (readonly [name: string, reference: boolean, active: boolean])[],
) => {
  const parties = await insert(
    tx,
    'parties',
    list.map(([name, reference, active]) => ({
      ...namedRow(company_id)(name),
      reference_user: reference ? 1 : 0,
      active: active ? 1 : 0,
    })),
  );
  await insert(
    tx,
    'project_memberships',
    parties
      .filter((party) => party.reference_user === 0)
      .map((party) => ({
        company_id,
        project_id,
        party_id: party.id,
        created_at: now - 200 * DAY,
      })),
  );
  return parties.filter((party) => party.active === 1);
};

/** Everything the forms of a project offer; `share` of each list of names. */
const seedLookups = async (tx: Db, now: number, seat: Seat, share: number) => {
  const { company_id } = seat;
  const some = <T>(all: readonly T[]): readonly T[] => all.slice(0, Math.ceil(all.length * share));
  const named = namedRow(company_id);
  const people = some(words.people).map(([name, login]) => ({ ...named(name), login }));
  await insert(tx, 'vendors', some(words.vendors).map(named));
  await insert(tx, 'time_and_material_entries', some(words.timeAndMaterialEntries).map(named));
  return {
    ...(await seedSiteLists(tx, now, company_id)),
    affected_company_id: await insert(
      tx,
      'affected_companies',
      some(words.subcontractors).map(named),
    ),
    affected_party_id: await seedParties(tx, now, seat, some(words.parties)),
    affected_person_id: await insert(tx, 'people', people),
    managed_equipment_id: await insert(tx, 'managed_equipment', some(words.equipment).map(named)),
  };
};

type Lookups = Awaited<ReturnType<typeof seedLookups>>;

const seedIncidents = async (
  tx: Db,
  now: number,
  seat: Seat,
  list: readonly (readonly [string, string, string | null])[],
) => {
  const { company_id, project_id, user_id } = seat;
  const rows = await insert(
    tx,
    'incidents',
    list.map(([title, description, location], index) => ({
      company_id,
      project_id,
      number: index + 1,
      title,
      description,
      event_date: now - (200 - index) * DAY,
      time_unknown: 0,
      location,
      private: index === 3 ? 1 : 0,
      created_by: user_id,
      last_near_miss_number: 0,
      created_at: now - (200 - index) * DAY,
      updated_at: now - (200 - index) * DAY,
    })),
  );
  await tx
    .updateTable('projects')
    .set({ last_incident_number: rows.length })
    .where('company_id', '=', company_id)
    .where('id', '=', project_id)
    .execute();
  return rows;
};

type Incidents = Awaited<ReturnType<typeof seedIncidents>>;

/** One record's custom values, by label, as the domain keeps them. */
const customValues = (
  definitions: Lookups['definitions'],
  pick: <T>(from: readonly T[]) => T,
  at: number,
): Record<string, string> => {
  const values: Record<string, string> = {
    'Potential severity': pick(words.customFields[0][2]),
    Location: pick(words.places),
    'Event time': new Date(at).toISOString(),
    'Immediate action': pick(words.whatWasDone),
    'People nearby': pick(['0', '1', '2', '3', '5']),
    'Work stopped': pick(['true', 'false']),
    Weather: pick(words.customFields[7][2]),
  };
  return Object.fromEntries(
    definitions.flatMap(({ id, label }) => {
      const value = values[label];
      return value === undefined ? [] : [[String(id), value]];
    }),
  );
};

const foreignNames = [
  'affected_company_id',
  'affected_party_id',
  'affected_person_id',
  'harm_source_id',
  'work_activity_id',
  'managed_equipment_id',
] as const;

const seedNearMisses = async (
  tx: Db,
  now: number,
  seat: Seat,
  lookups: Lookups,
  incidents: Incidents,
  count: number,
): Promise<void> => {
  const random = randomFrom(20_261_121);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const numbers = new Map<number, number>();
  const rows = Array.from({ length: count }, (_, index) => {
    const incident = pick(incidents);
    const number = (numbers.get(incident.id) ?? 0) + 1;
    numbers.set(incident.id, number);
    const text = pick(words.whatHappened);
    // Oldest first, so that ids and moments run the same way.
    const at = now - Math.floor(((count - index) * 180 * DAY) / count) + Math.floor(random() * 3e6);
    const chosen = foreignNames.map((name) => [name, random() < 0.8 ? pick(lookups[name]) : null]);
    const foreign = chosen as [string, { id: number; name: string } | null][];
    return {
      company_id: seat.company_id,
      project_id: seat.project_id,
      incident_id: incident.id,
      number,
      recordable: 0,
      ...Object.fromEntries(foreign.map(([name, row]) => [name, row?.id ?? null])),
      created_by: seat.user_id,
      created_at: Math.min(at, now - 60_000),
      updated_at: Math.min(at, now - 60_000),
      deleted_at: null,
      version: 1,
      attachment_count: 0,
      custom_fields: JSON.stringify(customValues(lookups.definitions, pick, at)),
      description: `<p>${text}</p>`,
      description_plain_text: text,
      search: foldAll([
        incident.title,
        text,
        number,
        `${incident.number}-${number}`,
        ...foreign.map(([, row]) => row?.name),
      ]),
    };
  });
  await insert(tx, 'near_misses', rows);
  for (const [id, last] of numbers)
    await tx
      .updateTable('incidents')
      .set({ last_near_miss_number: last })
      .where('company_id', '=', seat.company_id)
      .where('id', '=', id)
      .execute();
};

/** The demo company and the other one, each with documents whose bytes are in the file store already. */
export const seedDemo = async (
  tx: Db,
  now: number,
  documents: readonly (readonly KeptDocument[])[],
): Promise<{ seat: Seat; other: Seat }> => {
  const seat = await seedPlace(tx, now, {
    company: words.companyNames[0],
    project: 'Harbour Bridge East',
    user: words.people[0],
  });
  const lookups = await seedLookups(tx, now, seat, 1);
  await seedDocuments(tx, now, seat, documents[0] ?? []);
  const incidents = await seedIncidents(tx, now, seat, words.incidents);
  await seedNearMisses(tx, now, seat, lookups, incidents, 250);

  const other = await seedPlace(tx, now, {
    company: words.companyNames[1],
    project: 'Mill Lane Flats',
    user: words.otherUser,
  });
  const otherLookups = await seedLookups(tx, now, other, 0.5);
  await seedDocuments(tx, now, other, documents[1] ?? []);
  const otherIncidents = await seedIncidents(tx, now, other, [
    ['Stair core', 'Precast stairs, blocks A and B.', 'Block A'],
  ]);
  await seedNearMisses(tx, now, other, otherLookups, otherIncidents, 12);
  return { seat, other };
};

/**
 * A new firm: one company, one project, its first user, one incident to put records in, and the lists that are the same on
 * every site. Names of people and firms are the users' own to add.
 */
export const seedFirm = async (tx: Db, now: number, firm: Firm): Promise<Seat> => {
  const seat = await seedPlace(tx, now, firm);
  await seedSiteLists(tx, now, seat.company_id);
  await seedIncidents(tx, now, seat, [
    ['General', 'Everything without an incident of its own.', null],
  ]);
  return seat;
};

/** A laptop without a server. */
export const seedLocal = (tx: Db, now: number): Promise<Seat> =>
  seedFirm(tx, now, { company: 'My company', project: 'My site', user: words.localUser });
