/**
 * Keeps drafts in the host's journal, where they outlive the profile and origin they were typed in and move between
 * shells. `keepDrafts` writes changes about a second after the first unwritten one, and at once when a photo is added
 * or the window is left. `agreeOnDrafts` reconciles database and journal at every start.
 *
 * The newer state of a draft wins (data/near-misses/draft-stamp.ts). The transaction that ends a draft leaves a
 * tombstone with its last state, so that a crash before the journal is updated revives nothing.
 */
import { z } from 'zod';
import type { EndedDraft, HostOutput, JournalDraft } from '../../../contract/host.ts';
import { ok, type Result } from '../../../contract/problem.ts';
import type { Deps, DraftRow, PhotoRow, SpotterDb } from '../../data/db/db.ts';
import { asAdded, photoRowOf } from '../../data/model/photo-rows.ts';
import { draftSchema } from '../../data/near-misses/draft-schema.ts';
import { draftStamp, heardStamp } from '../../data/near-misses/draft-stamp.ts';
import { hearDraftWrites } from '../../data/db/draft-writes.ts';
import { carriedPhoto } from '../../operations/carried-photo.ts';
import { isInSight, onSightChange } from '../../data/model/in-sight.ts';
import { withJournal } from '../queue/enqueue.ts';

/** Debounce after the first unwritten change, in milliseconds: one fsync for everything typed meanwhile. */
const KEEP_DELAY = 1_000;
/** Milliseconds to wait when the window is left, for the form's last writes. */
const LEAVING = 300;
const BATCH = 100;

/**
 * A photo in portable form, with its owner. Unknown fields are kept, because a newer version of Spotter may have
 * written them.
 */
const photoSchema = carriedPhoto
  .extend({
    account: z.string(),
    draft_id: z.string(),
    state: z.literal('draft'),
    created_at: z.number(),
  })
  .loose();

/** The journal's form of a draft: its rows without thumbnails, which can be regenerated. */
const formOf = async (db: SpotterDb, draft: DraftRow): Promise<JournalDraft> => {
  const photos = asAdded(await db.photos.where('draft_id').equals(draft.id).toArray());
  return {
    id: draft.id,
    account: draft.account,
    at: draft.updated_at,
    draft,
    photos: photos.map((photo) => ({ ...photo, thumbnail: null })),
  };
};

/** Writes imported drafts to the journal before their operations. If this fails, the import is undone. */
export const appendDrafts = (
  { db, host }: Pick<Deps, 'db' | 'host'>,
  ids: readonly string[],
): Promise<Result<null>> =>
  withJournal(async () => {
    for (let at = 0; at < ids.length; at += BATCH) {
      const rows = await db.drafts.bulkGet(ids.slice(at, at + BATCH));
      const drafts: JournalDraft[] = [];
      for (const row of rows) if (row !== undefined) drafts.push(await formOf(db, row));
      const kept = await host.call('drafts.keep', { drafts, ended: [] });
      if (!kept.ok) return kept;
    }
    return ok(null);
  });

/**
 * The ended drafts in the journal, by id. Raises the stamp clock, so that every later stamp of this window is larger.
 */
export const heardEnds = async ({
  host,
}: Pick<Deps, 'host'>): Promise<Result<ReadonlyMap<string, number>>> => {
  const listed = await host.call('drafts.list', {});
  if (!listed.ok) return listed;
  const { drafts, ended } = listed.value;
  for (const { at } of [...drafts, ...ended]) heardStamp(at);
  return ok(new Map(ended.map(({ id, at }) => [id, at])));
};

/**
 * Ended drafts to report to the journal. One that became a near miss is reported only after the journal has that near
 * miss.
 */
const unackedEnds = async (db: SpotterDb): Promise<EndedDraft[]> => {
  const stones = await db.tombstones.filter(({ draft_at }) => draft_at !== undefined).toArray();
  const unwritten = await db.operations.where('journaled').equals(0).toArray();
  const lanes = new Set(unwritten.map(({ lane }) => lane));
  return stones
    .filter(({ operation_id }) => !lanes.has(operation_id.replace(/^edit-/, '')))
    .map(({ operation_id, draft_at = 0 }) => ({ id: operation_id, at: draft_at }));
};

/** Reports ended drafts to the journal and removes their tombstones. Runs within `withJournal`. */
export const appendEndedDrafts = async ({
  db,
  host,
}: Pick<Deps, 'db' | 'host'>): Promise<Result<null>> => {
  const ends = await unackedEnds(db);
  for (let at = 0; at < ends.length; at += BATCH) {
    const ended = ends.slice(at, at + BATCH);
    const kept = await host.call('drafts.keep', { drafts: [], ended });
    if (!kept.ok) return kept;
    await db.transaction('rw', db.tombstones, async () => {
      for (const { id, at: draft_at } of ended)
        await db.tombstones
          .where('operation_id')
          .equals(id)
          .and((stone) => stone.draft_at === draft_at)
          .delete();
    });
  }
  return ok(null);
};

/** Writes draft changes to the journal until the returned function is called, which writes the rest. */
export const keepDrafts = (deps: Pick<Deps, 'db' | 'host' | 'clock'>): (() => Promise<void>) => {
  const { db, host, clock } = deps;
  /** The state that this window last wrote to the journal. */
  const acked = new Map<string, { readonly at: number; readonly text: string }>();
  let stop = (): void => {};
  let due = Infinity;
  let running: Promise<void> = Promise.resolve();

  /** Gives the draft a new stamp if only its photos changed. */
  const stamped = async (draft: DraftRow): Promise<JournalDraft> => {
    const form = await formOf(db, draft);
    const last = acked.get(draft.id);
    if (last === undefined || last.at !== form.at || last.text === JSON.stringify(form))
      return form;
    const updated_at = draftStamp(clock);
    await db.drafts.update(draft.id, { updated_at });
    return { ...form, at: updated_at, draft: { ...draft, updated_at } };
  };

  const look = async (): Promise<void> => {
    const forms: JournalDraft[] = [];
    await db.transaction('rw', db.drafts, db.photos, async () => {
      // A damaged row is not a draft (failures A20). It stays as it is and does not keep the others from the journal.
      for (const draft of await db.drafts.toArray())
        if (draftSchema.safeParse(draft).success) forms.push(await stamped(draft));
    });
    const news = forms.filter((form) => acked.get(form.id)?.text !== JSON.stringify(form));
    for (let at = 0; at < news.length; at += BATCH) {
      const drafts = news.slice(at, at + BATCH);
      const kept = await host.call('drafts.keep', { drafts, ended: [] });
      if (!kept.ok) return void lookAfter(KEEP_DELAY);
      for (const form of drafts) acked.set(form.id, { at: form.at, text: JSON.stringify(form) });
    }
    const ended = await appendEndedDrafts(deps);
    if (!ended.ok || (await unackedEnds(db)).length > 0) lookAfter(KEEP_DELAY);
  };
  const lookNow = (): void => {
    due = Infinity;
    running = running
      .then(() => withJournal(look))
      .catch(() => {
        // The database is gone; the next start does it.
      });
  };
  /** Schedules a look; the earlier of two requests wins. */
  const lookAfter = (ms: number): void => {
    const at = clock.monotonic() + ms;
    if (at >= due) return;
    stop();
    due = at;
    stop = clock.after(ms, lookNow);
  };

  // A photo is not typed again, so another shell must find it even if this window ends within the second.
  const unhear = hearDraftWrites(db, (photo_added) =>
    lookAfter(isInSight() && !photo_added ? KEEP_DELAY : 0),
  );
  const leaving = (): void => lookAfter(LEAVING);
  window.addEventListener('blur', leaving);
  const unseen = onSightChange(leaving);
  lookAfter(KEEP_DELAY);
  return async () => {
    unhear();
    window.removeEventListener('blur', leaving);
    unseen();
    stop();
    if (due !== Infinity) lookNow();
    await running;
  };
};

interface Readable {
  readonly draft: DraftRow;
  readonly photos: readonly PhotoRow[];
}

/** Null if a newer version wrote it; it stays in the journal. */
const readForm = ({ draft, photos }: JournalDraft): Readable | null => {
  const row = draftSchema.safeParse(draft);
  const carried = z.array(photoSchema).safeParse(photos);
  if (!row.success || !carried.success) return null;
  const rows = carried.data.map((photo) => photoRowOf(photo, { ...photo, near_miss_key: null }));
  return { draft: draft as DraftRow, photos: rows };
};

/** Replaces the local draft with another window's state. Existing thumbnails stay. */
const take = async (db: SpotterDb, { draft, photos }: Readable): Promise<void> => {
  const here = await db.photos.where('draft_id').equals(draft.id).toArray();
  const named = new Set(photos.map(({ photo_id }) => photo_id));
  await db.photos.bulkDelete(
    here.map(({ photo_id }) => photo_id).filter((photo_id) => !named.has(photo_id)),
  );
  for (const photo of photos) {
    const had = await db.photos.get(photo.photo_id);
    // The photo belongs to a near miss by now.
    if (had !== undefined && had.draft_id !== draft.id) continue;
    const thumbnail = had?.sha256 === photo.sha256 ? had.thumbnail : null;
    await db.photos.put({ ...photo, thumbnail });
  }
  await db.drafts.put(draft);
};

/** Removes the local draft but keeps its spooled photos, which its near miss may need. */
const drop = async (db: SpotterDb, id: string): Promise<void> => {
  await db.photos.where('draft_id').equals(id).delete();
  await db.drafts.delete(id);
};

/**
 * Reconciles drafts at every start, before operations are restored, within `withJournal`.
 * @param became keys of near misses that a draft of the same id became
 * @returns the number of restored drafts
 */
export const agreeOnDrafts = async (
  { db, host }: Pick<Deps, 'db' | 'host'>,
  became: ReadonlySet<string>,
): Promise<Result<number>> => {
  const begun = await host.call('drafts.list', {});
  return begun.ok ? ok(await agree(db, begun.value, became)) : begun;
};

const agree = async (
  db: SpotterDb,
  { drafts, ended }: HostOutput<'drafts.list'>,
  became: ReadonlySet<string>,
): Promise<number> => {
  const tables = [db.drafts, db.photos, db.tombstones, db.near_misses];
  const ends = new Set(ended.map(({ id }) => id));
  for (const { at } of [...drafts, ...ended]) heardStamp(at);
  return db.transaction('rw', tables, async () => {
    let back = 0;
    for (const { updated_at } of await db.drafts.toArray()) heardStamp(updated_at);
    for (const { draft_at = 0 } of await db.tombstones.toArray()) heardStamp(draft_at);
    for (const { id, at } of ended) {
      const here = await db.drafts.get(id);
      if (here !== undefined && here.updated_at <= at) await drop(db, id);
    }
    for (const form of drafts) {
      const { id, at } = form;
      const here = await db.drafts.get(id);
      if (((await db.tombstones.get(id))?.draft_at ?? -Infinity) >= at) continue;
      // The draft was saved, but a crash kept its end from being recorded. If its end is known, this draft came later:
      // another report.
      const settled = ends.has(id) || (await db.tombstones.get(id)) !== undefined;
      const over = !settled && (became.has(id) || (await db.near_misses.get(id)) !== undefined);
      if (over && (here === undefined || here.updated_at <= at)) {
        await drop(db, id);
        await db.tombstones.put({ operation_id: id, links: [], draft_at: at });
        continue;
      }
      const read = readForm(form);
      if (read === null || (here !== undefined && here.updated_at >= at)) continue;
      await take(db, read);
      back += 1;
    }
    return back;
  });
};
