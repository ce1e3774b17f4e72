/**
 * Photos chosen for a draft whose bytes are not on disk yet. Their names are in the draft's row, so if the window ends early, the
 * next start says which photos to choose again (failures A65).
 */
import type { ComingPhoto, Deps, DraftRow, NearMissFields, SpotterDb } from '../db/db.ts';
import { saveDraft, tablesOfDraft } from '../near-misses/drafts.ts';

/** Ids of photos that this window is reading, by database. */
const reading = new WeakMap<SpotterDb, Set<string>>();

const readingFor = (db: SpotterDb): Set<string> => {
  const had = reading.get(db) ?? new Set<string>();
  reading.set(db, had);
  return had;
};

const change = (
  db: SpotterDb,
  draft_id: string,
  next: (coming: readonly ComingPhoto[]) => readonly ComingPhoto[],
): Promise<unknown> =>
  db.drafts
    .where('id')
    .equals(draft_id)
    .modify((draft: { coming?: readonly ComingPhoto[] }) => {
      const coming = next(draft.coming ?? []);
      if (coming.length > 0) draft.coming = coming;
      else delete draft.coming;
    });

/** Writes the draft with the names of these photos. @throws if the database cannot be written */
export const announcePhotos = async (
  deps: Deps,
  draft: DraftRow,
  photos: readonly ComingPhoto[],
  record?: NearMissFields,
): Promise<void> => {
  const mine = readingFor(deps.db);
  for (const { photo_id } of photos) mine.add(photo_id);
  await deps.db.transaction('rw', tablesOfDraft(deps.db, draft), async () => {
    await saveDraft(deps, draft, record);
    await change(deps.db, draft.id, (coming) => [...coming, ...photos]);
  });
};

/** Removes a photo's name once it has a row, or the person was told why it was refused. */
export const settlePhoto = async (
  { db }: Pick<Deps, 'db'>,
  draft_id: string,
  photo_id: string,
): Promise<void> => {
  await change(db, draft_id, (coming) => coming.filter((one) => one.photo_id !== photo_id));
  readingFor(db).delete(photo_id);
};

/** A draft of an earlier window, and the names of its photos that never reached the disk. */
export interface LostPhotos {
  readonly draft: DraftRow;
  readonly filenames: readonly string[];
}

/** liveQuery: drafts of a project with lost photos, newest first. */
export const lostPhotos = async (
  { db }: Pick<Deps, 'db'>,
  { account, project_id }: Pick<DraftRow, 'account' | 'project_id'>,
): Promise<readonly LostPhotos[]> => {
  const mine = readingFor(db);
  const drafts = await db.drafts
    .where('[account+project_id+updated_at]')
    .between([account, project_id, -Infinity], [account, project_id, Infinity])
    .reverse()
    .filter(({ coming, thrown_at }) => coming !== undefined && thrown_at === undefined)
    .toArray();
  const found = await Promise.all(
    drafts.map(async (draft) => {
      const rows = await db.photos.where('draft_id').equals(draft.id).toArray();
      const there = new Set(rows.flatMap((row) => [row.photo_id, row.original?.photo_id]));
      const lost = (draft.coming ?? []).filter(
        ({ photo_id }) => !mine.has(photo_id) && !there.has(photo_id),
      );
      return { draft, filenames: lost.map(({ filename }) => filename) };
    }),
  );
  return found.filter(({ filenames }) => filenames.length > 0);
};

/** Forgets the lost photos of a draft once the person has seen the list. */
export const forgetLost = async ({ db }: Pick<Deps, 'db'>, draft_id: string): Promise<void> => {
  const mine = readingFor(db);
  await change(db, draft_id, (coming) => coming.filter(({ photo_id }) => mine.has(photo_id)));
};
