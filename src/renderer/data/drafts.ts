/**
 * Near misses begun and not yet saved, and edits of saved ones. A draft is on disk from the first key, several may be open, photos belong to
 * one from the moment they are taken, and saving it keeps its id, so that a double tap saves once. Every change is stamped
 * (draft-stamp.ts) and goes into the host's journal too (outbox/draft-journal.ts).
 */
import { ulid } from 'ulid';
import type { Deps, DraftRow, NearMissFields, NearMissRow, PhotoRow, SpotterDb } from './db.ts';
import { discardBytes } from './discard-bytes.ts';
import { draftStamp } from './draft-stamp.ts';
import { asAdded } from './photo-rows.ts';

/** How long after a key the draft is written, milliseconds. */
export const DRAFT_DELAY = 250;
/** How long after a write that failed it is tried again, milliseconds: there may be room by then. */
const DRAFT_AGAIN = 5_000;

export interface DraftOwner {
  readonly account: string;
  readonly company_id: number;
  readonly project_id: number;
}

/** A draft that is not on disk before the first `change` or photo. */
export const newDraft = (
  deps: Deps,
  owner: DraftOwner,
  fields: Partial<NearMissFields> = {},
): DraftRow => {
  const now = deps.clock.now();
  return { id: ulid(), ...owner, fields, created_at: now, updated_at: draftStamp(deps.clock) };
};

/** The one unfinished edit a near miss may have: its draft's id. */
export const editDraftId = (key: string): string => `edit-${key}`;

/** Like `newDraft`, for changes to a saved near miss. */
export const newEditDraft = (deps: Deps, owner: DraftOwner, key: string): DraftRow => ({
  ...newDraft(deps, owner),
  id: editDraftId(key),
  edits: key,
});

export const saveDraft = async (deps: Deps, draft: DraftRow): Promise<void> => {
  await deps.db.drafts.put({ ...draft, updated_at: draftStamp(deps.clock) });
};

export interface DraftWriter {
  /** Remembers the newest state and writes it DRAFT_DELAY after the first unwritten change. */
  change(draft: DraftRow): void;
  /** Writes what is unwritten now: call it when the screen goes away and on `visibilitychange`. */
  flush(): Promise<void>;
  /** Forgets what is unwritten: the draft was saved or thrown away. */
  drop(): void;
}

/** Writers with something that is not in the database yet, and who is told when there are any, and when there are none. */
const unwritten = new Set<DraftWriter>();
const hearers = new Set<(any: boolean) => void>();

/** Hears it now and at every change, until the answered function is called. */
export const hearUnwritten = (hear: (any: boolean) => void): (() => void) => {
  hearers.add(hear);
  hear(unwritten.size > 0);
  return () => void hearers.delete(hear);
};

const markUnwritten = (writer: DraftWriter, is: boolean): void => {
  const before = unwritten.size > 0;
  if (is) unwritten.add(writer);
  else unwritten.delete(writer);
  const any = unwritten.size > 0;
  if (any !== before) for (const hear of hearers) hear(any);
};

/** What became of a write: what failed is tried again until it is written or dropped. */
export interface DraftTold {
  readonly failed?: (error: unknown) => void;
  readonly written?: () => void;
}

/** Debounced writing with one write at a time, the newest state winning. */
export const draftWriter = (
  deps: Deps,
  { failed = () => {}, written = () => {} }: DraftTold = {},
): DraftWriter => {
  let newest: DraftRow | null = null;
  let cancel: (() => void) | null = null;
  let writing: Promise<void> = Promise.resolve();
  /** Counts what was dropped: what was being written then is not written again. */
  let drops = 0;
  const write = async (draft: DraftRow, dropped: number): Promise<void> => {
    try {
      await saveDraft(deps, draft);
      if (newest === null) markUnwritten(writer, false);
      written();
    } catch (error) {
      if (dropped !== drops) return;
      newest ??= draft;
      cancel ??= deps.clock.after(DRAFT_AGAIN, () => void flush());
      failed(error);
    }
  };
  const flush = (): Promise<void> => {
    cancel?.();
    cancel = null;
    const draft = newest;
    newest = null;
    const dropped = drops;
    if (draft !== null) writing = writing.then(() => write(draft, dropped));
    return writing;
  };
  const writer: DraftWriter = {
    change(draft) {
      newest = draft;
      markUnwritten(writer, true);
      cancel ??= deps.clock.after(DRAFT_DELAY, () => void flush());
    },
    flush,
    drop() {
      drops += 1;
      cancel?.();
      cancel = null;
      newest = null;
      markUnwritten(writer, false);
    },
  };
  return writer;
};

/**
 * Drafts whose save has begun in this window; a large video keeps one waiting. They are nobody's to go on with: what is typed
 * into one whose near miss is there already would be lost, because a draft is saved once.
 */
const being_saved = new Set<string>();

/** Until the answered function is called the draft is not offered. */
export const beginSave = (id: string): (() => void) => {
  being_saved.add(id);
  return () => void being_saved.delete(id);
};

/** liveQuery: the near misses begun in a project, newest first. Unfinished edits are found by their record. */
export const listDrafts = (
  { db }: Pick<Deps, 'db'>,
  account: string,
  project_id: number,
): Promise<DraftRow[]> =>
  db.drafts
    .where('[account+project_id+updated_at]')
    .between([account, project_id, -Infinity], [account, project_id, Infinity])
    .reverse()
    .filter(
      ({ id, edits, thrown_at }) =>
        edits === undefined && thrown_at === undefined && !being_saved.has(id),
    )
    .toArray();

/** A draft as a list shows it. */
export interface DraftSummary {
  readonly id: string;
  readonly fields: Partial<NearMissFields>;
  readonly photos: number;
  /** The first photo's small picture, where there is one. */
  readonly thumbnail: Blob | null;
  readonly updated_at: number;
}

/** liveQuery: the drafts of a project, newest first, as a list shows them. */
export const listDraftSummaries = async (
  deps: Pick<Deps, 'db'>,
  account: string,
  project_id: number,
): Promise<readonly DraftSummary[]> => {
  const drafts = await listDrafts(deps, account, project_id);
  return Promise.all(
    drafts.map(async ({ id, fields, updated_at }) => {
      const photos = await photosOfDraft(deps, id);
      const thumbnail = photos.find((photo) => photo.thumbnail !== null)?.thumbnail ?? null;
      return { id, updated_at, fields, photos: photos.length, thumbnail };
    }),
  );
};

export const getDraft = ({ db }: Pick<Deps, 'db'>, id: string): Promise<DraftRow | undefined> =>
  db.drafts.get(id);

/** liveQuery: the photos of a draft, in the order they were added. */
export const photosOfDraft = async (
  { db }: Pick<Deps, 'db'>,
  draft_id: string,
): Promise<PhotoRow[]> => asAdded(await db.photos.where('draft_id').equals(draft_id).toArray());

/** An unfinished edit of a near miss that is no longer here, and how many photos it has. */
export interface OrphanedEdit {
  readonly draft: DraftRow;
  readonly photos: number;
}

/** liveQuery: unfinished edits whose near miss is gone for good. */
export const orphanedEdits = async (
  { db }: Pick<Deps, 'db'>,
  account: string,
): Promise<readonly OrphanedEdit[]> => {
  const edits = await db.drafts
    .filter((draft) => draft.account === account && draft.edits !== undefined)
    .toArray();
  const rows = await db.near_misses.bulkGet(edits.map((draft) => draft.edits ?? ''));
  const orphans = edits.filter((_draft, index) => rows[index] === undefined);
  return Promise.all(
    orphans.map(async (draft) => ({
      draft,
      photos: await db.photos.where('draft_id').equals(draft.id).count(),
    })),
  );
};

/**
 * Inside the transaction that removes near misses: an unfinished edit of one keeps the whole text, not only what was
 * changed, so that it can become a report of its own.
 */
export const orphanEdits = async (db: SpotterDb, rows: readonly NearMissRow[]): Promise<void> => {
  for (const row of rows) {
    const draft = await db.drafts.get(editDraftId(row.key));
    if (draft === undefined) continue;
    const custom_fields = { ...row.fields.custom_fields, ...draft.fields.custom_fields };
    const fields = { ...row.fields, ...draft.fields, custom_fields };
    await db.drafts.put({ ...draft, fields, updated_at: draft.updated_at + 1 });
  }
};

/** Inside a transaction that holds the tombstones: the draft is over, saved or thrown away; the journal is told. */
export const endDraft = async (db: SpotterDb, id: string): Promise<void> => {
  const draft = await db.drafts.get(id);
  if (draft === undefined) return;
  await db.drafts.delete(id);
  await db.tombstones.put({ entry_id: id, links: [], draft_at: draft.updated_at });
};

/** Inside such a transaction: a draft of an id that may have ended before, as a new one that knows of it. */
export const reviveDraft = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  draft: Omit<DraftRow, 'updated_at'>,
): Promise<void> => {
  await db.drafts.put({ ...draft, updated_at: draftStamp(clock) });
  await db.tombstones.delete(draft.id);
};

/** An orphaned edit becomes a near miss begun in the project in use, with its photos: its draft's id, where the edit is still there. */
export const editAsReport = async (
  deps: Deps,
  id: string,
  owner: DraftOwner,
): Promise<string | null> => {
  const { db } = deps;
  return db.transaction('rw', db.drafts, db.photos, db.tombstones, async () => {
    const draft = await db.drafts.get(id);
    if (draft === undefined) return null;
    const made = newDraft(deps, owner, portableFields(draft, owner.project_id));
    await db.drafts.put(made);
    await db.photos.where('draft_id').equals(id).modify({ draft_id: made.id });
    await endDraft(db, id);
    return made.id;
  });
};

/** Of a near miss that becomes a report of a project: ids of another project mean nothing there. */
export const portableFields = (
  from: Pick<DraftRow, 'project_id' | 'fields'>,
  project_id: number,
): Partial<NearMissFields> => {
  if (from.project_id === project_id) return from.fields;
  const { description, custom_fields } = from.fields;
  return {
    ...(description === undefined ? {} : { description }),
    ...(custom_fields === undefined ? {} : { custom_fields }),
  };
};

/** How long a draft that was thrown away can be brought back, milliseconds: longer than any "Undo" is shown. */
const THROWN_KEPT = 10 * 60_000;

/** Puts a near miss begun away so that it can be brought back for a while. */
export const throwDraftAway = async ({ db, clock }: Deps, id: string): Promise<void> => {
  await db.drafts.update(id, { thrown_at: clock.now(), updated_at: draftStamp(clock) });
};

export const bringDraftBack = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  id: string,
): Promise<void> => {
  await db.drafts
    .where('id')
    .equals(id)
    .modify((draft: { thrown_at?: number; updated_at: number }) => {
      delete draft.thrown_at;
      draft.updated_at = draftStamp(clock);
    });
};

/** What was thrown away long enough ago goes for good, here and in the spool. */
export const clearThrownDrafts = async (deps: Deps, account: string): Promise<void> => {
  const before = deps.clock.now() - THROWN_KEPT;
  const gone = await deps.db.drafts
    .filter(
      ({ account: owner, thrown_at }) => owner === account && (thrown_at ?? Infinity) < before,
    )
    .primaryKeys();
  for (const id of gone) await discardDraft(deps, id);
};

/** Throws a draft and its photos away, here and in the spool. */
export const discardDraft = async (deps: Deps, id: string): Promise<void> => {
  const { db } = deps;
  const photos = await db.transaction('rw', db.drafts, db.photos, db.tombstones, async () => {
    const gone = await db.photos.where('draft_id').equals(id).toArray();
    await db.photos.where('draft_id').equals(id).delete();
    await endDraft(db, id);
    return gone;
  });
  for (const photo of photos) await discardBytes(deps, photo);
};
