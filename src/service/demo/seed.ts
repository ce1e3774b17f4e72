/**
 * Seeds an empty data folder (decisions §10). A demo gets two companies, the second one for testing isolation;
 * `--embedded` gets one local company with the lists of its forms. Rows are deterministic and written in batches, so
 * that a start with --demo takes under a second.
 */
import type { Level } from '../../contract/rest/access/levels.ts';
import type { Db } from '../store/engine/db.ts';
import { insertCompanyUser } from '../store/access/company-users.ts';
import { findUserByLogin } from '../store/access/logins.ts';
import { addUserToPeople, insertUser } from '../store/users.ts';
import { sortKey } from '../../contract/text/fold.ts';
import { seedEntryFiles, seedInsurances } from './company-records.ts';
import type { KeptDocument } from './documents.ts';
import type { KeptFile } from './keep.ts';
import { seedNearMisses } from './near-misses.ts';
import type { PlannedRecord } from './records.ts';
import { insert, seedFiles, seedUploads, type Seat } from './rows.ts';
import * as words from './words.ts';

const DAY = 86_400_000;

interface SeededCompany {
  readonly company: string;
  readonly project: string;
  readonly user: readonly [name: string, login: string];
}

const seedPlace = async (tx: Db, now: number, named: SeededCompany): Promise<Seat> => {
  const [company] = await insert(tx, 'companies', [{ name: named.company, created_at: now }]);
  const [user] = await insert(tx, 'users', [
    { name: named.user[0], login: named.user[1], created_at: now },
  ]);
  if (!company || !user) throw new Error('nothing was seeded');
  const company_id = company.id;
  const member = { company_id, user_id: user.id, now };
  await insertCompanyUser(tx, member, { level: 'admin', project_ids: null, active: true });
  const [project] = await insert(tx, 'projects', [
    {
      company_id,
      name: named.project,
      name_folded: sortKey(named.project),
      last_incident_number: 0,
      created_at: now,
      updated_at: now,
    },
  ]);
  if (!project) throw new Error('nothing was seeded');
  return { user_id: user.id, company_id, project_id: project.id };
};

const namedRow = (company_id: number, now: number) => (name: string) => ({
  company_id,
  project_id: null,
  name,
  name_folded: sortKey(name),
  active: 1,
  created_at: now - 400 * DAY,
  updated_at: now - 400 * DAY,
});

/** Lists that are the same on every site: harm sources, activities, custom fields. */
const seedSiteLists = async (tx: Db, now: number, company_id: number) => {
  const lookup = (name: string, index: number) => ({
    ...namedRow(company_id, now)(name),
    global: index % 2,
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
        label_folded: sortKey(label),
        data_type: data_type as string,
        options: JSON.stringify(options),
        required: 0,
        created_at: now - 400 * DAY,
        updated_at: now - 400 * DAY,
      })),
    ),
  };
};

/** Folders, their documents, and the stored file of each. */
const seedDocuments = async (
  tx: Db,
  now: number,
  seat: Seat,
  kept: readonly KeptDocument[],
): Promise<void> => {
  const named = namedRow(seat.company_id, now);
  const folders = await insert(
    tx,
    'folders',
    words.folders.map(([name]) => named(name)),
  );
  const files = await seedFiles(tx, now, seat.company_id, kept);
  const documents = await insert(
    tx,
    'documents',
    kept.map(({ name, folder }, index) => ({
      ...named(name),
      folder_id: folders.find((row) => row.name === folder)?.id ?? null,
      stored_file_id: files[index]?.id ?? null,
    })),
  );
  await seedUploads(tx, now, seat, kept, (index) => ({
    stored_file_id: files[index]?.id ?? null,
    associated_type: 'document',
    associated_id: documents[index]?.id ?? null,
  }));
};

/** Parties and memberships: everyone except the reference users is a member, even inactive parties. */
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
      ...namedRow(company_id, now)(name),
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

/** Seeds all lists of a project's forms; `share` is the fraction of each list to use. */
const seedLookups = async (tx: Db, now: number, seat: Seat, share: number) => {
  const { company_id } = seat;
  const some = <T>(all: readonly T[]): readonly T[] => all.slice(0, Math.ceil(all.length * share));
  const named = namedRow(company_id, now);
  const people = some(words.people).map(([name, login]) => ({ ...named(name), login }));
  return {
    vendors: await insert(tx, 'vendors', some(words.vendors).map(named)),
    entries: await insert(
      tx,
      'time_and_material_entries',
      some(words.timeAndMaterialEntries).map(named),
    ),
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
      status: 'open',
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

/** The planned records of one company, and its files, stored already. */
export interface DemoFiles {
  readonly documents: readonly KeptDocument[];
  readonly plan: readonly PlannedRecord[];
  /** By index in the plan. */
  readonly photos: readonly (readonly KeptFile[])[];
  /** By time-and-material entry; null if the company gets neither such files nor insurances. */
  readonly entry_files: readonly (readonly KeptFile[])[] | null;
}

/**
 * One user of each level besides the admin, who is there already. An older demo gets those that it lacks. Runs after the people,
 * so that the users are the people of the same logins.
 */
export const seedUsers = async (
  tx: Db,
  now: number,
  company_id: number,
): Promise<Record<Exclude<Level, 'admin'>, number>> => {
  const ids = { read_only: 0, reporter: 0, standard: 0 };
  for (const [level, [name, login]] of words.demoUsers) {
    if (level === 'admin') continue;
    const standing = { level, project_ids: null, active: true };
    const known = await findUserByLogin(tx, login);
    ids[level] = known?.id ?? (await insertUser(tx, { login, name, company_id, now }, standing));
  }
  return ids;
};

/** Seeds both demo companies, which share nothing, not even files. */
export const seedDemo = async (
  tx: Db,
  now: number,
  first: DemoFiles,
  second: DemoFiles,
): Promise<{ seat: Seat; other: Seat }> => {
  const seat = await seedPlace(tx, now, {
    company: words.companyNames[0],
    project: 'Harbour Bridge East',
    user: words.people[0],
  });
  const lookups = await seedLookups(tx, now, seat, 1);
  await seedDocuments(tx, now, seat, first.documents);
  const incidents = await seedIncidents(tx, now, seat, words.incidents);
  const authors = await seedUsers(tx, now, seat.company_id);
  await seedNearMisses(tx, now, seat, { lookups, incidents }, { ...first, authors });
  if (first.entry_files !== null) {
    await seedInsurances(tx, now, seat, lookups.vendors);
    await seedEntryFiles(tx, now, seat, lookups.entries, first.entry_files);
  }

  const other = await seedPlace(tx, now, {
    company: words.companyNames[1],
    project: 'Mill Lane Flats',
    user: words.otherUser,
  });
  const otherLookups = await seedLookups(tx, now, other, 0.5);
  await seedDocuments(tx, now, other, second.documents);
  const otherIncidents = await seedIncidents(tx, now, other, [
    ['Stair core', 'Precast stairs, blocks A and B.', 'Block A'],
  ]);
  await addUserToPeople(tx, { ...other, now });
  const others = { lookups: otherLookups, incidents: otherIncidents };
  await seedNearMisses(tx, now, other, others, { ...second, authors: null });
  return { seat, other };
};

/**
 * Seeds a new company: one project, its first user, one incident to file records under, and the lists that are the
 * same on every site. The user becomes a person of the project; users add other people and companies themselves.
 */
export const seedCompany = async (tx: Db, now: number, named: SeededCompany): Promise<Seat> => {
  const seat = await seedPlace(tx, now, named);
  await addUserToPeople(tx, { ...seat, now });
  await seedSiteLists(tx, now, seat.company_id);
  await seedIncidents(tx, now, seat, [
    ['General', 'Everything without an incident of its own.', null],
  ]);
  return seat;
};

/** Seeds the company of a laptop without a server. */
export const seedLocal = (tx: Db, now: number): Promise<Seat> =>
  seedCompany(tx, now, { company: 'My company', project: 'My site', user: words.localUser });
