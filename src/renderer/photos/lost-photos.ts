/**
 * Photos that a crash left behind: rows of drafts that are gone, and originals in the spool that no row names. The rows go
 * here, when they are old enough; of the originals the host is told which ones this database knows, and drops what no
 * database knows (host/photos/unclaimed-photos.ts). Nothing that a draft, a record or a queued entry names is ever touched.
 */
import { ulid } from 'ulid';
import type { Deps, SpotterDb } from '../data/db.ts';
import { discardBytes } from '../data/discard-bytes.ts';

const DAY = 86_400_000;
const DRAFTLESS_AGE = 30 * DAY;
const ULIDS = /[0-7][0-9A-HJKMNP-TV-Z]{25}/g;

/** Of one database, whatever its profile is called. */
const storeOf = (db: SpotterDb): Promise<string> =>
  db.transaction('rw', db.meta, async () => {
    const known = (await db.meta.get('store'))?.value;
    if (typeof known === 'string') return known;
    const made = ulid();
    await db.meta.put({ name: 'store', value: made });
    return made;
  });

/** Every photo that a row, a queued entry or one that could not be read names. */
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
  await db.entries.each(({ payload }) => all(payload));
  await db.quarantine.each(({ raw }) => all(raw));
  return [...known];
};

/** Rows whose draft is gone: nobody finds them again. */
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

/** Answers how many originals nobody knew, and are gone. */
export const sweepOrphans = async (deps: Pick<Deps, 'db' | 'host' | 'clock'>): Promise<number> => {
  await dropDraftless(deps);
  const photo_ids = await knownPhotos(deps.db);
  const store = await storeOf(deps.db);
  const claimed = await deps.host.call('photos.claim', { store, photo_ids });
  return claimed.ok ? claimed.value.dropped : 0;
};

/** The start has better things to do. */
const AFTER_START = 60_000;

/** Now and then while the window is open; the answered function ends it. */
export const keepSweeping = (deps: Pick<Deps, 'db' | 'host' | 'clock'>): (() => void) => {
  let cancel: () => void;
  const look = (): void => {
    sweepOrphans(deps).catch(() => {
      // The database went away: the next start looks again.
    });
    cancel = deps.clock.after(DAY, look);
  };
  cancel = deps.clock.after(AFTER_START, look);
  return () => cancel();
};
