/**
 * Who may sign in after a start with --demo or --embedded: seeds an empty folder once, and gives out fresh tokens every
 * time (only hashes are kept, so an earlier one cannot be shown again). Those of the last three months stay valid, so that a
 * laptop stays signed in however often the service is started anew. A database that holds a real company is never made a
 * demo, and a demo's tokens end with the first start that is none.
 */
import { mintToken } from '../domain/tokens.ts';
import type { FileStore } from '../files/file-store.ts';
import type { Db, Store } from '../store/db.ts';
import { deleteSeatTokens, findOtherCompany, findSeatByLogin } from '../store/users.ts';
import { keepEntryFiles } from './company-records.ts';
import { keepDocuments } from './documents.ts';
import { keepPhotos } from './photos.ts';
import { planRecords } from './records.ts';
import type { Seat } from './rows.ts';
import { seedDemo, seedLocal, type DemoFiles } from './seed.ts';
import { localUser, otherUser, people, timeAndMaterialFiles } from './words.ts';

/** As printed on the first line of stdout (decisions §10). */
export interface Access {
  readonly token: string;
  readonly company_id: number;
  readonly project_id: number;
}

const findSeats = async (db: Db) => {
  const seat = await findSeatByLogin(db, people[0][1]);
  const other = await findSeatByLogin(db, otherUser[1]);
  return seat && other ? { seat, other } : undefined;
};

/** So long a token of a seat is good over later starts, in ms. */
const TOKEN_MS = 90 * 24 * 60 * 60 * 1000;

const open = async (tx: Db, seat: Seat, now: number): Promise<Access> => {
  await deleteSeatTokens(tx, seat.user_id, now - TOKEN_MS);
  return {
    token: await mintToken(tx, seat.user_id, now),
    company_id: seat.company_id,
    project_id: seat.project_id,
  };
};

/** A sentence for whoever typed --demo. */
export class NoDemo extends Error {}

const refuseReal = async (db: Db, seats: Awaited<ReturnType<typeof findSeats>>): Promise<void> => {
  const known = seats ? [seats.seat.company_id, seats.other.company_id] : [];
  const real = await findOtherCompany(db, known);
  if (real !== undefined)
    throw new NoDemo(
      `This database holds the company "${real.name}", which is no demo. Start without --demo, or give the demo a folder of its own with --data-dir.`,
    );
};

/** A start without --demo: the demo's companies stay, but nobody comes in by its tokens. */
export const endDemo = async (store: Store): Promise<void> => {
  if (!(await findSeats(store.read))) return;
  await store.write(async (tx) => {
    const seats = await findSeats(tx);
    for (const seat of seats ? [seats.seat, seats.other] : [])
      await deleteSeatTokens(tx, seat.user_id, Number.MAX_SAFE_INTEGER);
  });
};

/** Both companies' records and files, the files kept: before the transaction, which is short. */
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
 * @param furnished photos of the near misses, too, which are most of the second that seeding takes, files of extra work, and
 *   insurances; without them the company's lists start empty
 * @throws {NoDemo} when the database holds a company of somebody's own
 */
export const openDemo = async (
  store: Store,
  now: number,
  files: FileStore,
  furnished = true,
): Promise<Access & { readonly other: Access }> => {
  const found = await findSeats(store.read);
  await refuseReal(store.read, found);
  const made = found ? null : await prepare(now, files, furnished);
  return store.write(async (tx) => {
    // Another process on the same database may have seeded in between.
    const there = await findSeats(tx);
    await refuseReal(tx, there);
    const seats = there ?? (made && (await seedDemo(tx, now, ...made)));
    if (seats === null) throw new Error('the demo company was there a moment ago');
    return { ...(await open(tx, seats.seat, now)), other: await open(tx, seats.other, now) };
  });
};

export const openLocal = (store: Store, now: number): Promise<Access> =>
  store.write(async (tx) =>
    open(tx, (await findSeatByLogin(tx, localUser[1])) ?? (await seedLocal(tx, now)), now),
  );
