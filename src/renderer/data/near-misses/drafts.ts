/**
 * Drafts: unsaved near misses and edits of saved ones. A draft is on disk shortly after the first key, several may be open, and
 * photos belong to a draft as soon as they are taken. Saving keeps the draft's id, so a double tap saves once. Every change is
 * stamped (draft-stamp.ts) and also goes to the host's journal (outbox/journal/draft-journal.ts).
 */
import { ulid } from 'ulid';
import { isText } from '../../../contract/rest/near-miss-fields.ts';
import { namesNobody } from '../../../contract/text/who-saw.ts';
import type { Deps, DraftRow, NearMissFields, NearMissRow, PhotoRow, SpotterDb } from '../db/db.ts';
import { discardBytes } from '../photos/discard-bytes.ts';
import { draftStamp } from './draft-stamp.ts';
import { asAdded } from '../model/photo-rows.ts';
import { textOf, titleOf } from '../model/text.ts';

/** Debounce of draft writes, in milliseconds. */
const DRAFT_DELAY = 250;
/** Delay before a failed write is retried, in milliseconds: the disk may have room by then. */
const DRAFT_AGAIN = 5_000;

export interface DraftOwner {
  readonly account: string;
  readonly company_id: number;
  readonly project_id: number;
}

/** A draft in memory: the first `change` or photo writes it to disk. */
export const newDraft = (
  deps: Deps,
  owner: DraftOwner,
  fields: Partial<NearMissFields> = {},
): DraftRow => {
  const now = deps.clock.now();
  return { id: ulid(), ...owner, fields, created_at: now, updated_at: draftStamp(deps.clock) };
};

/** Draft id of a near miss's unfinished edit. A near miss has at most one. */
export const editDraftId = (key: string): string => `edit-${key}`;

/** Like `newDraft`, for changes to a saved near miss. */
export const newEditDraft = (deps: Deps, owner: DraftOwner, key: string): DraftRow => ({
  ...newDraft(deps, owner),
  id: editDraftId(key),
  edits: key,
});

/** A record's fields with unfinished changes applied. */
export const withChanges = (
  fields: NearMissFields,
  changes: Partial<NearMissFields> = {},
): NearMissFields => ({
  ...fields,
  ...changes,
  custom_fields: { ...fields.custom_fields, ...changes.custom_fields },
});

/** The tables that `saveDraft` uses. */
export const tablesOfDraft = (db: SpotterDb, { edits }: DraftRow) =>
  edits === undefined ? [db.drafts] : [db.drafts, db.near_misses];

/** Writes a form's state. The list of photos being read stays as it is in the database. */
export const saveDraft = async (
  { db, clock }: Deps,
  draft: DraftRow,
  /**
   * For an edit: the record's fields. They are saved with the draft when the record no longer exists, as by
   * `orphanEdits`.
   */
  record?: NearMissFields,
): Promise<void> => {
  await db.transaction('rw', tablesOfDraft(db, draft), async () => {
    const { coming: _known_before, ...said } = draft;
    const coming = (await db.drafts.get(draft.id))?.coming;
    const is_gone =
      draft.edits !== undefined && (await db.near_misses.get(draft.edits)) === undefined;
    const fields = record && is_gone ? withChanges(record, draft.fields) : draft.fields;
    const updated_at = draftStamp(clock);
    await db.drafts.put({ ...said, fields, ...(coming ? { coming } : {}), updated_at });
  });
};

export interface DraftWriter {
  /** Keeps the newest state and writes it DRAFT_DELAY after the first unwritten change. */
  change(draft: DraftRow): void;
  /** Writes unwritten changes now. Call it when the screen closes and when the window is hidden. */
  flush(): Promise<void>;
  /** Discards unwritten changes, because the draft was saved or deleted. */
  drop(): void;
  /** The newest state that is not in the database yet; null if all is written. */
  unwritten(): DraftRow | null;
}

/** Writers with changes that are not in the database yet. */
const unwritten = new Set<DraftWriter>();
const hearers = new Set<(any: boolean) => void>();

/** The newest state of every draft that is not in the database yet. */
export const unwrittenDrafts = (): readonly DraftRow[] =>
  [...unwritten].flatMap((writer) => writer.unwritten() ?? []);

/** Reports whether any writer has unwritten changes, now and at every change. Returns the function that unsubscribes. */
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

/** Callbacks for the results of writes. A failed write is retried until it succeeds or is dropped. */
export interface DraftCallbacks {
  /** For an edit: the fields of its record. */
  readonly record?: NearMissFields | undefined;
  readonly failed?: (error: unknown) => void;
  readonly written?: () => void;
}

/** Debounces writes and runs one at a time; the newest state wins. */
export const draftWriter = (
  deps: Deps,
  { record, failed = () => {}, written = () => {} }: DraftCallbacks = {},
): DraftWriter => {
  let newest: DraftRow | null = null;
  /** The draft that is being written now. */
  let going: DraftRow | null = null;
  let cancel: (() => void) | null = null;
  let writing: Promise<void> = Promise.resolve();
  /** Number of drops. A failed write from before a drop is not retried. */
  let drops = 0;
  const write = async (draft: DraftRow, dropped: number): Promise<void> => {
    going = draft;
    try {
      await saveDraft(deps, draft, record);
      if (going === draft) going = null;
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
      going = null;
      markUnwritten(writer, false);
    },
    unwritten: () => newest ?? going,
  };
  return writer;
};

/**
 * Drafts that are being saved in this window; a large video may delay a save. They must not be opened: a draft is saved once, so
 * text typed into it after its near miss exists would be lost.
 */
const being_saved = new Set<string>();

/** Hides the draft until the returned function is called. */
export const beginSave = (id: string): (() => void) => {
  being_saved.add(id);
  return () => void being_saved.delete(id);
};

/**
 * Newest first.
 * @param project_id null for all projects, grouped by project
 */
const openDrafts = ({ db }: Pick<Deps, 'db'>, account: string, project_id: number | null) =>
  db.drafts
    .where('[account+project_id+updated_at]')
    .between(
      [account, project_id ?? -Infinity, -Infinity],
      [account, project_id ?? Infinity, Infinity],
    )
    .reverse()
    .filter(({ id, thrown_at }) => thrown_at === undefined && !being_saved.has(id));

/** liveQuery: unsaved near misses of a project, newest first. Unfinished edits are found by their record. */
export const listDrafts = (
  deps: Pick<Deps, 'db'>,
  account: string,
  project_id: number,
): Promise<DraftRow[]> =>
  openDrafts(deps, account, project_id)
    .filter(({ edits }) => edits === undefined)
    .toArray();

export interface DraftSummary {
  readonly id: string;
  readonly fields: Partial<NearMissFields>;
  readonly photos: number;
  /** The photo shown for the draft: the first with a thumbnail, else the first. */
  readonly cover: PhotoRow | null;
  readonly updated_at: number;
}

/** liveQuery: summaries of a project's drafts, newest first. */
export const listDraftSummaries = async (
  deps: Pick<Deps, 'db'>,
  account: string,
  project_id: number,
): Promise<readonly DraftSummary[]> => {
  const drafts = await listDrafts(deps, account, project_id);
  return Promise.all(
    drafts.map(async ({ id, fields, updated_at }) => {
      const photos = await photosOfDraft(deps, id);
      const cover = photos.find((photo) => photo.thumbnail !== null) ?? photos[0] ?? null;
      return { id, updated_at, fields, photos: photos.length, cover };
    }),
  );
};

export interface Unfinished {
  readonly id: string;
  /** Key of the edited near miss; null for a new report. */
  readonly edits: string | null;
  /** First line of the text or of another answer; '' if there is none yet. */
  readonly title: string;
  readonly photos: number;
  readonly project_id: number;
  readonly updated_at: number;
  /** The edited near miss is in the recycle bin. */
  readonly in_bin: boolean;
}

/** The form fills in the time, so a time alone does not count as an answer, nor does who saw it. */
const firstAnswer = (answers: NearMissFields['custom_fields'] = {}): string =>
  Object.values(answers).find(
    (one): one is string =>
      typeof one === 'string' && !namesNobody(one) && !/^\d{4}-\d\d-\d\d/.test(one),
  ) ?? '';

/** Empty for a new report without text and photos, and for an edit whose near miss no longer exists (`orphanedEdits`). */
const unfinishedOf = async (
  { db }: Pick<Deps, 'db'>,
  { id, edits, fields, project_id, updated_at }: DraftRow,
): Promise<readonly Unfinished[]> => {
  const photos = await db.photos.where('draft_id').equals(id).count();
  const row = edits === undefined ? undefined : await db.near_misses.get(edits);
  if (edits !== undefined && row === undefined) return [];
  const text = textOf(fields.description ?? row?.fields.description ?? '');
  const title = titleOf(text) || titleOf(firstAnswer(fields.custom_fields));
  if (edits === undefined && title === '' && photos === 0) return [];
  const in_bin = row !== undefined && row.bin !== 0;
  return [{ id, edits: edits ?? null, title, photos, project_id, updated_at, in_bin }];
};

/** liveQuery: unsaved reports and edits of an account, newest first. */
export const listAllUnfinished = async (
  deps: Pick<Deps, 'db'>,
  account: string,
): Promise<readonly Unfinished[]> => {
  const drafts = await openDrafts(deps, account, null).toArray();
  const found = await Promise.all(drafts.map((draft) => unfinishedOf(deps, draft)));
  return found.flat().toSorted((a, b) => b.updated_at - a.updated_at);
};

/** liveQuery: unsaved reports and edits of a project, newest first, without edits of near misses in the recycle bin. */
export const listUnfinished = async (
  deps: Pick<Deps, 'db'>,
  account: string,
  project_id: number,
): Promise<readonly Unfinished[]> => {
  const drafts = await openDrafts(deps, account, project_id).toArray();
  const found = await Promise.all(drafts.map((draft) => unfinishedOf(deps, draft)));
  return found.flat().filter(({ in_bin }) => !in_bin);
};

export const getDraft = ({ db }: Pick<Deps, 'db'>, id: string): Promise<DraftRow | undefined> =>
  db.drafts.get(id);

/** liveQuery: the photos of a draft, in the order they were added. */
export const photosOfDraft = async (
  { db }: Pick<Deps, 'db'>,
  draft_id: string,
): Promise<PhotoRow[]> => asAdded(await db.photos.where('draft_id').equals(draft_id).toArray());

/** An unfinished edit of a deleted near miss, and its number of photos. */
export interface OrphanedEdit {
  readonly draft: DraftRow;
  readonly photos: number;
}

/** liveQuery: unfinished edits of deleted near misses. */
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
 * Call inside the transaction that removes near misses. An unfinished edit then keeps the whole text, not only the changes, so
 * that it can become a new report.
 */
export const orphanEdits = async (db: SpotterDb, rows: readonly NearMissRow[]): Promise<void> => {
  for (const row of rows) {
    const draft = await db.drafts.get(editDraftId(row.key));
    if (draft === undefined) continue;
    const fields = withChanges(row.fields, draft.fields);
    await db.drafts.put({ ...draft, fields, updated_at: draft.updated_at + 1 });
  }
};

/**
 * Ends a saved or deleted draft and queues the message to the journal. Call inside a transaction that includes the tombstones.
 */
export const endDraft = async (db: SpotterDb, id: string): Promise<void> => {
  const draft = await db.drafts.get(id);
  if (draft === undefined) return;
  await db.drafts.delete(id);
  await db.tombstones.put({ operation_id: id, links: [], draft_at: draft.updated_at });
};

/** Stores a draft under an id that may have ended before. Call inside a transaction that includes the tombstones. */
export const reviveDraft = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  draft: Omit<DraftRow, 'updated_at'>,
): Promise<void> => {
  await db.drafts.put({ ...draft, updated_at: draftStamp(clock) });
  await db.tombstones.delete(draft.id);
};

/**
 * Turns an orphaned edit into a new draft of the current project, with its photos. Returns the draft's id; null if the edit no
 * longer exists.
 */
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

/** The fields that a report in another project can keep: ids of one project mean nothing in another. */
export const portableFields = (
  from: Pick<DraftRow, 'project_id' | 'fields'>,
  project_id: number,
): Partial<NearMissFields> => {
  if (from.project_id === project_id) return from.fields;
  const { description, custom_fields } = from.fields;
  const texts = Object.entries(from.fields).filter(([name]) => isText(name));
  return {
    ...(description === undefined ? {} : { description }),
    ...Object.fromEntries(texts),
    ...(custom_fields === undefined ? {} : { custom_fields }),
  };
};

/** How long a deleted draft can be restored, in milliseconds: longer than any "Undo" is shown. */
const THROWN_KEPT = 10 * 60_000;

/** Deletes a draft so that it can be restored for a while. */
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

/** Permanently deletes drafts whose restore period has ended, here and in the spool. */
export const clearThrownDrafts = async (deps: Deps, account: string): Promise<void> => {
  const before = deps.clock.now() - THROWN_KEPT;
  const gone = await deps.db.drafts
    .filter(
      ({ account: owner, thrown_at }) => owner === account && (thrown_at ?? Infinity) < before,
    )
    .primaryKeys();
  for (const id of gone) await discardDraft(deps, id);
};

/** Permanently deletes a draft and its photos, here and in the spool. */
export const discardDraft = async (deps: Deps, id: string): Promise<void> => {
  const { db } = deps;
  const tables = [db.drafts, db.photos, db.tombstones, db.comment_drafts];
  const photos = await db.transaction('rw', tables, async () => {
    const gone = await db.photos.where('draft_id').equals(id).toArray();
    await db.photos.where('draft_id').equals(id).delete();
    await db.comment_drafts.delete(id);
    await endDraft(db, id);
    return gone;
  });
  for (const photo of photos) await discardBytes(deps, photo);
};
