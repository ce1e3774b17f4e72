/**
 * Who may sign in after a start with --demo or --embedded: seeds an empty folder once, and gives out fresh tokens every
 * time (only hashes are kept, so an earlier one cannot be shown again; it stays valid).
 */
import { mintToken } from '../domain/tokens.ts';
import type { FileStore } from '../files/file-store.ts';
import type { Db, Store } from '../store/db.ts';
import { findSeatByLogin } from '../store/users.ts';
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

const open = async (tx: Db, seat: Seat, now: number): Promise<Access> => ({
  token: await mintToken(tx, seat.user_id, now),
  company_id: seat.company_id,
  project_id: seat.project_id,
});

const findSeats = async (db: Db) => {
  const seat = await findSeatByLogin(db, people[0][1]);
  const other = await findSeatByLogin(db, otherUser[1]);
  return seat && other ? { seat, other } : undefined;
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
      ...{ plan, photos: photos.slice(0, scenes.length), entry_files: entry_files ?? null },
    },
    { documents: await keepDocuments(files), plan: other, photos: [], entry_files: null },
  ];
};

/**
 * @param furnished photos of the near misses, too, which are most of the second that seeding takes, files of extra work, and
 *   insurances; without them the company's lists start empty
 */
export const openDemo = async (
  store: Store,
  now: number,
  files: FileStore,
  furnished = true,
): Promise<Access & { readonly other: Access }> => {
  const seeded = (await findSeats(store.read)) !== undefined;
  const made = seeded ? null : await prepare(now, files, furnished);
  return store.write(async (tx) => {
    // Another process on the same database may have seeded in between.
    const seats = (await findSeats(tx)) ?? (made && (await seedDemo(tx, now, ...made)));
    if (seats === null) throw new Error('the demo company was there a moment ago');
    return { ...(await open(tx, seats.seat, now)), other: await open(tx, seats.other, now) };
  });
};

export const openLocal = (store: Store, now: number): Promise<Access> =>
  store.write(async (tx) =>
    open(tx, (await findSeatByLogin(tx, localUser[1])) ?? (await seedLocal(tx, now)), now),
  );
