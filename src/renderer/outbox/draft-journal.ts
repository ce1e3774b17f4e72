/**
 * Drafts in the host's journal: there they outlive the profile and the origin they were typed in, and cross from one shell to the
 * other. `keepDrafts` puts what changed there, about a second after the first unwritten change and at once when the window is left;
 * `agreeOnDrafts` brings database and journal in agreement at every start.
 *
 * Of two states of a draft the one that knows more counts (data/draft-stamp.ts). A draft that ended leaves a tombstone in the
 * transaction that ended it, with the state it was in: a crash before the journal heard of it brings nothing back.
 */
import { z } from 'zod';
import type { EndedDraft, HostOutput, JournalDraft } from '../../contract/host.ts';
import { ok, type Result } from '../../contract/problem.ts';
import type { Deps, DraftRow, PhotoRow, SpotterDb } from '../data/db.ts';
import { asAdded, photoRowOf } from '../data/photo-rows.ts';
import { draftStamp, heardStamp } from '../data/draft-stamp.ts';
import { hearDraftWrites } from '../data/draft-writes.ts';
import { carriedPhoto } from '../entries/carried-photo.ts';
import { withJournal } from './enqueue.ts';

/** How long after the first unwritten change, milliseconds: one fsync for all that is typed meanwhile. */
export const KEEP_DELAY = 1_000;
/** When the window is left: only what the form still writes is waited for. */
const LEAVING = 300;
const BATCH = 100;

const draftSchema = z.looseObject({
  id: z.string(),
  account: z.string(),
  company_id: z.number(),
  project_id: z.number(),
  fields: z.looseObject({}),
  created_at: z.number(),
  updated_at: z.number(),
});
/** A photo as it is carried, and whose it is. Loose: what a newer Spotter knows of it goes along. */
const photoSchema = carriedPhoto
  .extend({
    account: z.string(),
    draft_id: z.string(),
    state: z.literal('draft'),
    created_at: z.number(),
  })
  .loose();

/** As the journal keeps it: rows, without the small pictures, which are made again. */
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

/** Drafts that came in from a file are told before the import is: whole in the journal, or the import is taken back. */
export const tellDrafts = (
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

/** What the journal knows of drafts that ended, by id; every later stamp of this window is larger. */
export const heardEnds = async ({
  host,
}: Pick<Deps, 'host'>): Promise<Result<ReadonlyMap<string, number>>> => {
  const listed = await host.call('drafts.list', {});
  if (!listed.ok) return listed;
  const { drafts, ended } = listed.value;
  for (const { at } of [...drafts, ...ended]) heardStamp(at);
  return ok(new Map(ended.map(({ id, at }) => [id, at])));
};

/** Ends the journal may hear of: not before the near miss that came of a draft is in it. */
const endsToTell = async (db: SpotterDb): Promise<EndedDraft[]> => {
  const stones = await db.tombstones.filter(({ draft_at }) => draft_at !== undefined).toArray();
  const unwritten = await db.entries.where('journaled').equals(0).toArray();
  const lanes = new Set(unwritten.map(({ lane }) => lane));
  return stones
    .filter(({ entry_id }) => !lanes.has(entry_id.replace(/^edit-/, '')))
    .map(({ entry_id, draft_at = 0 }) => ({ id: entry_id, at: draft_at }));
};

/** Inside the journal's turn (`withJournal`): what ended is told, and its tombstones go. */
export const tellEnds = async ({ db, host }: Pick<Deps, 'db' | 'host'>): Promise<Result<null>> => {
  const ends = await endsToTell(db);
  for (let at = 0; at < ends.length; at += BATCH) {
    const ended = ends.slice(at, at + BATCH);
    const kept = await host.call('drafts.keep', { drafts: [], ended });
    if (!kept.ok) return kept;
    await db.transaction('rw', db.tombstones, async () => {
      for (const { id, at: told } of ended)
        await db.tombstones
          .where('entry_id')
          .equals(id)
          .and((stone) => stone.draft_at === told)
          .delete();
    });
  }
  return ok(null);
};

/** Puts what changed into the journal until the answered function is called, which writes what is unwritten. */
export const keepDrafts = (deps: Pick<Deps, 'db' | 'host' | 'clock'>): (() => Promise<void>) => {
  const { db, host, clock } = deps;
  /** As the journal was told last, by this window. */
  const told = new Map<string, { readonly at: number; readonly text: string }>();
  let stop = (): void => {};
  let due = Infinity;
  let running: Promise<void> = Promise.resolve();

  /** A photo came, went or was marked: the draft knows more than it did. */
  const stamped = async (draft: DraftRow): Promise<JournalDraft> => {
    const form = await formOf(db, draft);
    const last = told.get(draft.id);
    if (last === undefined || last.at !== form.at || last.text === JSON.stringify(form))
      return form;
    const updated_at = draftStamp(clock);
    await db.drafts.update(draft.id, { updated_at });
    return { ...form, at: updated_at, draft: { ...draft, updated_at } };
  };

  const look = async (): Promise<void> => {
    const forms: JournalDraft[] = [];
    await db.transaction('rw', db.drafts, db.photos, async () => {
      // A damaged row is no draft (failures A20): it stays as it is and keeps no other from the journal.
      for (const draft of await db.drafts.toArray())
        if (draftSchema.safeParse(draft).success) forms.push(await stamped(draft));
    });
    const news = forms.filter((form) => told.get(form.id)?.text !== JSON.stringify(form));
    for (let at = 0; at < news.length; at += BATCH) {
      const drafts = news.slice(at, at + BATCH);
      const kept = await host.call('drafts.keep', { drafts, ended: [] });
      if (!kept.ok) return void lookAfter(KEEP_DELAY);
      for (const form of drafts) told.set(form.id, { at: form.at, text: JSON.stringify(form) });
    }
    const ended = await tellEnds(deps);
    if (!ended.ok || (await endsToTell(db)).length > 0) lookAfter(KEEP_DELAY);
  };
  const lookNow = (): void => {
    due = Infinity;
    running = running
      .then(() => withJournal(look))
      .catch(() => {
        // The database went away: the next start does it.
      });
  };
  /** The earlier of two wishes counts. */
  const lookAfter = (ms: number): void => {
    const at = clock.monotonic() + ms;
    if (at >= due) return;
    stop();
    due = at;
    stop = clock.after(ms, lookNow);
  };

  const unhear = hearDraftWrites(db, () =>
    lookAfter(document.visibilityState === 'hidden' ? 0 : KEEP_DELAY),
  );
  const leaving = (): void => lookAfter(LEAVING);
  window.addEventListener('blur', leaving);
  document.addEventListener('visibilitychange', leaving);
  lookAfter(KEEP_DELAY);
  return async () => {
    unhear();
    window.removeEventListener('blur', leaving);
    document.removeEventListener('visibilitychange', leaving);
    stop();
    if (due !== Infinity) lookNow();
    await running;
  };
};

interface Readable {
  readonly draft: DraftRow;
  readonly photos: readonly PhotoRow[];
}

/** Null where a newer version wrote it: it stays in the journal. */
const readForm = ({ draft, photos }: JournalDraft): Readable | null => {
  const row = draftSchema.safeParse(draft);
  const carried = z.array(photoSchema).safeParse(photos);
  if (!row.success || !carried.success) return null;
  const rows = carried.data.map((photo) => photoRowOf(photo, { ...photo, near_miss_key: null }));
  return { draft: draft as DraftRow, photos: rows };
};

/** The draft as another window left it, in this one's place; small pictures that are here stay. */
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

/** Here it is over, without a word to the spool: what came of it may need its photos. */
const drop = async (db: SpotterDb, id: string): Promise<void> => {
  await db.photos.where('draft_id').equals(id).delete();
  await db.drafts.delete(id);
};

/**
 * At every start, before anything of the journal's entries is made again, in the journal's turn (`withJournal`). Answers how
 * many drafts came back.
 * @param became keys of near misses that a draft of the same id became
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
      // Saved, and whoever saved it did not live to say so. Where the end is known this came after it: another report.
      const told = ends.has(id) || (await db.tombstones.get(id)) !== undefined;
      const over = !told && (became.has(id) || (await db.near_misses.get(id)) !== undefined);
      if (over && (here === undefined || here.updated_at <= at)) {
        await drop(db, id);
        await db.tombstones.put({ entry_id: id, links: [], draft_at: at });
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
