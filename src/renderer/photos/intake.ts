/**
 * Imports photos and videos of a near miss, from picker, drop, paste, camera, phone or folder. Brings them to the spool
 * (bring-in.ts) and adds them to their draft, with time and location.
 */
import { nameKey } from '../../contract/file-name.ts';
import { fail, ok, type Result } from '../../contract/problem.ts';
import type { Deps, PhotoRow } from '../data/db/db.ts';
import { photoRowOf } from '../data/model/photo-rows.ts';
import { storageProblem } from '../data/db/storage-problem.ts';
import {
  bringIn,
  type Brought,
  type IntakeOptions,
  type IntakeProgress,
  type Outcome,
  type Sent,
} from './bring-in.ts';
import { readMetadata } from './metadata.ts';
import { swap } from './rendition.ts';

export interface IntakeTarget {
  readonly account: string;
  /** The draft of the photos. For a saved near miss: its edit's draft, then `addPhotos(deps, key, draft_id)`. */
  readonly draft_id: string;
  /** The saved near miss being edited; its photos count as existing. */
  readonly near_miss_key?: string | undefined;
  /** sha256 of photos that only the server has. */
  readonly known?: readonly string[] | undefined;
  /** Names of photos that only the server has. */
  readonly names?: readonly string[] | undefined;
}

export type IntakeOutcome = Outcome<PhotoRow>;

export const asTheyAre: IntakeOptions = { privacy: false, max_side: null };

/**
 * Makes a name unique, because a phone names every photo `image.jpg`: the second becomes `image-2.jpg`. Adds it to
 * `taken`.
 */
const freeName = (filename: string, taken: Set<string>): string => {
  const dot = filename.lastIndexOf('.');
  const end = dot > 0 ? dot : filename.length;
  let name = filename;
  for (let n = 2; taken.has(nameKey(name)); n += 1)
    name = `${filename.slice(0, end)}-${n}${filename.slice(end)}`;
  taken.add(nameKey(name));
  return name;
};

const namesThere = async (
  { db }: Deps,
  { draft_id, near_miss_key, names = [] }: IntakeTarget,
): Promise<Set<string>> => {
  const rows = await db.photos.where('draft_id').equals(draft_id).toArray();
  if (near_miss_key !== undefined)
    rows.push(...(await db.photos.where('near_miss_key').equals(near_miss_key).toArray()));
  return new Set([...names, ...rows.map(({ filename }) => filename)].map(nameKey));
};

/** Takes files in. Every file has an outcome, in the given order; no file stops the others. */
export const takeIn = async (
  deps: Deps,
  target: IntakeTarget,
  files: readonly Blob[],
  onProgress: (progress: IntakeProgress) => void = () => {},
  options: IntakeOptions = asTheyAre,
): Promise<readonly IntakeOutcome[]> => {
  const taken = await namesThere(deps, target).catch(() => new Set<string>());
  return bringIn(deps, files, {
    ...options,
    purpose: 'photo',
    onProgress,
    nameAs: (filename) => freeName(filename, taken),
    keep: (brought) => keepPhoto(deps, target, brought),
    show: ({ photo_id }, thumbnail) => deps.db.photos.update(photo_id, { thumbnail }),
  });
};

/** Writes the row as soon as the bytes are spooled. A smaller version replaces the photo once it is made. */
const keepPhoto = async (
  deps: Deps,
  target: IntakeTarget,
  brought: Brought,
): Promise<Result<PhotoRow | null>> => {
  const row = await rowOf(deps, target, brought);
  const added = await addOnce(deps, target, row);
  if (!added.ok) return added;
  if (!added.value) return ok(null);
  const kept = await shrink(deps, row, await brought.scaled());
  if (kept.ok && !brought.signal?.aborted) return kept;
  await deps.db.photos.bulkDelete([row.photo_id, ...(kept.ok ? [kept.value.photo_id] : [])]);
  // The photo was removed meanwhile, which is not a problem.
  return kept.ok || kept.problem.kind === 'gone' ? fail({ kind: 'cancelled' }) : kept;
};

const shrink = async (deps: Deps, row: PhotoRow, sent: Result<Sent>): Promise<Result<PhotoRow>> => {
  if (!sent.ok) return sent;
  return sent.value.original === undefined ? ok(row) : swap(deps, row, { ...row, ...sent.value });
};

const rowOf = async (
  deps: Deps,
  { account, draft_id }: IntakeTarget,
  { whole, seen, cleaned }: Brought,
): Promise<PhotoRow> => {
  const photo = { ...whole, ...(await readMetadata(seen)), cleaned };
  const owner = { account, draft_id, near_miss_key: null, created_at: deps.clock.now() };
  return { ...photoRowOf(photo, owner), ...(seen.cut_off ? { cut_off: true } : {}) };
};

const hashes = (row: Pick<PhotoRow, 'sha256' | 'original'>): readonly string[] =>
  row.original === undefined ? [row.sha256] : [row.sha256, row.original.sha256];

/** Adds the row unless the record has its bytes. Search and addition are one transaction. */
const addOnce = async (
  { db }: Deps,
  { draft_id, near_miss_key, known }: IntakeTarget,
  row: PhotoRow,
): Promise<Result<boolean>> => {
  try {
    const added = await db.transaction('rw', db.photos, async () => {
      const there = await db.photos.where('draft_id').equals(draft_id).toArray();
      if (near_miss_key !== undefined)
        there.push(...(await db.photos.where('near_miss_key').equals(near_miss_key).toArray()));
      const mine = hashes(row);
      const had = there.some((one) => hashes(one).some((hash) => mine.includes(hash)));
      if (had || mine.some((hash) => known?.includes(hash))) return false;
      await db.photos.add(row);
      return true;
    });
    return ok(added);
  } catch (error) {
    return fail(storageProblem(error));
  }
};
