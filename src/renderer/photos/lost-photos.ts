/**
 * Cleans up photos that a crash left behind: rows of deleted drafts, and originals in the spool without a row. Old rows
 * are deleted here. For originals, this database reports its photos to the host, which drops those that no database
 * knows (host/photos/orphans.ts). Nothing that a draft, a record or a queued operation names is touched.
 */
import { ulid } from 'ulid';
import type { Deps, SpotterDb } from '../data/db/db.ts';
import { discardBytes } from '../data/photos/discard-bytes.ts';

const DAY = 86_400_000;
const DRAFTLESS_AGE = 30 * DAY;
const ULIDS = /[0-7][0-9A-HJKMNP-TV-Z]{25}/g;

/** The id of this database, whatever its profile is called. */
const storeOf = (db: SpotterDb): Promise<string> =>
  db.transaction('rw', db.meta, async () => {
    const known = (await db.meta.get('store'))?.value;
    if (typeof known === 'string') return known;
    const made = ulid();
    await db.meta.put({ name: 'store', value: made });
    return made;
  });

/** Every photo named by a row, a queued operation or a quarantined one. */
const knownPhotos = async (db: SpotterDb): Promise<string[]> => {
  const known = new Set<string>();
  const all = (value: unknown) => {
    for (const [id] of (JSON.stringify(value) ?? '').matchAll(ULIDS)) known.add(id);
  };
  await db.photos.each(({ photo_id, original }) => {
    known.add(photo_id);
    if (original) known.add(original.photo_id);
  });
  await db.tm_attachments.each(({ key, in_spool }) => void (in_spool && all(key)));
  await db.operations.each(({ payload }) => all(payload));
  await db.quarantine.each(({ raw }) => all(raw));
  return [...known];
};

/** Deletes rows of deleted drafts, because nothing shows them again. */
const dropDraftless = async (deps: Pick<Deps, 'db' | 'host' | 'clock'>): Promise<void> => {
  const { db, clock } = deps;
  const gone = await db.transaction('rw', db.photos, db.drafts, async () => {
    const drafts = new Set(await db.drafts.toCollection().primaryKeys());
    const rows = await db.photos
      .where('draft_id')
      .above('')
      .filter(
        ({ draft_id, state, created_at }) =>
          state === 'draft' &&
          !drafts.has(draft_id ?? '') &&
          created_at < clock.now() - DRAFTLESS_AGE,
      )
      .toArray();
    await db.photos.bulkDelete(rows.map(({ photo_id }) => photo_id));
    return rows;
  });
  for (const photo of gone) await discardBytes(deps, photo);
};

/** @returns the number of dropped orphans */
export const sweepOrphans = async (deps: Pick<Deps, 'db' | 'host' | 'clock'>): Promise<number> => {
  await dropDraftless(deps);
  const photo_ids = await knownPhotos(deps.db);
  const store = await storeOf(deps.db);
  const claimed = await deps.host.call('photos.claim', { store, photo_ids });
  return claimed.ok ? claimed.value.dropped : 0;
};

/** Delay after the start, which has more urgent work, in milliseconds. */
const AFTER_START = 60_000;

/** Sweeps periodically while the window is open, until the returned function is called. */
export const keepSweeping = (deps: Pick<Deps, 'db' | 'host' | 'clock'>): (() => void) => {
  let cancel: () => void;
  const look = (): void => {
    sweepOrphans(deps).catch(() => {
      // The database is gone; the next start sweeps again.
    });
    cancel = deps.clock.after(DAY, look);
  };
  cancel = deps.clock.after(AFTER_START, look);
  return () => cancel();
};
