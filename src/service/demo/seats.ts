/**
 * Creates access after a start with --demo or --embedded. Seeds an empty folder once and issues fresh tokens at every
 * start, because only hashes are stored. Tokens of the last 90 days stay valid, so that a laptop stays signed in
 * across restarts. A database with a real company never becomes a demo, and the demo's tokens end with the first
 * start without --demo.
 */
import type { Level } from '../../contract/rest/access/levels.ts';
import { mintToken } from '../domain/tokens.ts';
import type { FileStore } from '../files/file-store.ts';
import type { Db, Store } from '../store/engine/db.ts';
import { findUserByLogin } from '../store/access/logins.ts';
import { deleteSeatTokens } from '../store/access/tokens.ts';
import { findOtherCompany, findSeatByLogin } from '../store/users.ts';
import { keepEntryFiles } from './company-records.ts';
import { keepDocuments } from './documents.ts';
import { keepPhotos } from './photos.ts';
import { planRecords } from './records.ts';
import type { Seat } from './rows.ts';
import { seedDemo, seedLocal, seedUsers, type DemoFiles } from './seed.ts';
import { demoUsers, localUser, otherUser, people, timeAndMaterialFiles } from './words.ts';

/** Printed on the first line of stdout (decisions §10). */
export interface Access {
  readonly token: string;
  readonly company_id: number;
  readonly project_id: number;
}

/** Further output of `--demo`: a second company, and a token of each level in the first. */
interface DemoAccess extends Access {
  readonly other: Access;
  readonly tokens: Readonly<Record<Level, string>>;
}

const findSeats = async (db: Db) => {
  const seat = await findSeatByLogin(db, people[0][1]);
  const other = await findSeatByLogin(db, otherUser[1]);
  return seat && other ? { seat, other } : undefined;
};

/** Validity of a token over later starts, milliseconds. */
const TOKEN_MS = 90 * 24 * 60 * 60 * 1000;

const open = async (tx: Db, seat: Seat, now: number): Promise<Access> => {
  await deleteSeatTokens(tx, seat.user_id, now - TOKEN_MS);
  return {
    token: await mintToken(tx, seat.user_id, now),
    company_id: seat.company_id,
    project_id: seat.project_id,
  };
};

/** An error for the user of --demo. */
export class NoDemo extends Error {}

const refuseReal = async (db: Db, seats: Awaited<ReturnType<typeof findSeats>>): Promise<void> => {
  const known = seats ? [seats.seat.company_id, seats.other.company_id] : [];
  const real = await findOtherCompany(db, known);
  if (real !== undefined)
    throw new NoDemo(
      `This database holds the company "${real.name}", which is no demo. Start without --demo, or give the demo a folder of its own with --data-dir.`,
    );
};

const openLevels = async (
  tx: Db,
  seat: Seat,
  admin: string,
  now: number,
): Promise<DemoAccess['tokens']> => {
  const users = await seedUsers(tx, now, seat.company_id);
  const tokenOf = async (user_id: number) => (await open(tx, { ...seat, user_id }, now)).token;
  return {
    admin,
    standard: await tokenOf(users.standard),
    reporter: await tokenOf(users.reporter),
    read_only: await tokenOf(users.read_only),
  };
};

/** Revokes the demo's tokens at a start without --demo; its companies stay. */
export const endDemo = async (store: Store): Promise<void> => {
  if (!(await findSeats(store.read))) return;
  await store.write(async (tx) => {
    const seats = await findSeats(tx);
    const users = seats ? [seats.seat.user_id, seats.other.user_id] : [];
    for (const [, [, login]] of demoUsers) {
      const user = await findUserByLogin(tx, login);
      if (user) users.push(user.id);
    }
    for (const user_id of users) await deleteSeatTokens(tx, user_id, Number.MAX_SAFE_INTEGER);
  });
};

/** Stores the files of both companies and plans their records, before the transaction, which must be short. */
const prepare = async (
  now: number,
  files: FileStore,
  furnished: boolean,
): Promise<[DemoFiles, DemoFiles]> => {
  const plan = planRecords(now, { live: 250, binned: 6, photos: furnished });
  const scenes = plan.map((record) => record.photos);
  const work = furnished
    ? timeAndMaterialFiles.map(([scene, count]) => ({ scene, count }))
    : undefined;
  const photos = await keepPhotos(files, [...scenes, ...(work ?? [])]);
  const entry_files = work && (await keepEntryFiles(files, photos.slice(scenes.length)));
  const other = planRecords(now, { live: 12, binned: 0, photos: false });
  return [
    {
      documents: await keepDocuments(files),
      plan,
      photos: photos.slice(0, scenes.length),
      entry_files: entry_files ?? null,
    },
    { documents: await keepDocuments(files), plan: other, photos: [], entry_files: null },
  ];
};

/**
 * @param furnished also seeds photos of near misses, files of time-and-material entries, and insurances; the photos
 * take most of the time
 * @throws {NoDemo} when the database holds a real company
 */
export const openDemo = async (
  store: Store,
  now: number,
  files: FileStore,
  furnished = true,
): Promise<DemoAccess> => {
  const found = await findSeats(store.read);
  await refuseReal(store.read, found);
  const made = found ? null : await prepare(now, files, furnished);
  return store.write(async (tx) => {
    // Another process on the same database may have seeded meanwhile.
    const there = await findSeats(tx);
    await refuseReal(tx, there);
    const seats = there ?? (made && (await seedDemo(tx, now, ...made)));
    if (seats === null) throw new Error('the demo company was there a moment ago');
    const access = await open(tx, seats.seat, now);
    return {
      ...access,
      other: await open(tx, seats.other, now),
      tokens: await openLevels(tx, seats.seat, access.token, now),
    };
  });
};

export const openLocal = (store: Store, now: number): Promise<Access> =>
  store.write(async (tx) =>
    open(tx, (await findSeatByLogin(tx, localUser[1])) ?? (await seedLocal(tx, now)), now),
  );
