/**
 * [ours] Erases a name from one near miss in one transaction: texts, history, comments, names of photos, and photos that become a blurred
 * copy (decisions §21.2). It is a change of the near miss, so laptops replace what they keep of it.
 */
import type { HistoryChange } from '../../../contract/rest/history/near-miss-history.ts';
import { isText } from '../../../contract/rest/near-miss-fields.ts';
import { captionLabels } from '../../../contract/field-labels.ts';
import { fieldByLabel } from '../../../contract/text/field-by-label.ts';
import { readSeen } from '../../../contract/text/seen.ts';
import { renameFile } from '../../store/erasure/files.ts';
import type { ItemRow } from '../../store/erasure/erasures.ts';
import type { Db } from '../../store/engine/db.ts';
import { findComment, removeComment } from '../../store/near-misses/near-miss-comments.ts';
import { findEntry, redactEntry } from '../../store/near-misses/near-miss-history.ts';
import { findForSweep, type NearMissRow } from '../../store/near-misses/near-miss-lists.ts';
import * as nearMisses from '../../store/near-misses/near-misses.ts';
import { findUpload } from '../../store/uploads.ts';
import { writeTexts } from '../../store/erasure/texts.ts';
import { readDefinitions } from '../catalog.ts';
import { recordsOf } from '../context.ts';
import type { StoredFields } from '../near-misses/custom-fields.ts';
import { recordHistory } from '../near-misses/near-miss-history.ts';
import { REMOVED, seenWithout } from '../retention/anonymised.ts';
import { plainTextOf } from '../rich-text.ts';
import { searchText } from '../search-text.ts';
import { replacePhoto, type Blurred } from './blurred.ts';
import { textOfEntry } from './search.ts';
import type { Task } from './task.ts';

export type Outcome = string;

/** The near miss while it is being changed. */
interface Draft {
  readonly row: NearMissRow;
  description: string;
  created_with: string | null | undefined;
  readonly custom: Record<string, string>;
  readonly texts: Record<string, string>;
  comment_count: number;
  /** For the history: never the name, and never what was there before. */
  readonly changes: HistoryChange[];
}

interface Scene {
  readonly tx: Db;
  readonly task: Task;
  readonly at: number;
  readonly draft: Draft;
  readonly item: ItemRow;
  /** By the id of the photo. */
  readonly blurred: ReadonlyMap<number, Blurred | null>;
}

const DONE = 'done';
const GONE = 'gone';

const whereOf = ({ task, draft }: Scene) => ({
  company_id: task.company_id,
  near_miss_id: draft.row.id,
});

const customWithout = (value: string, { task, item }: Scene): string => {
  if (item.act === 'pseudonymise') return task.finder.without(value, task.pseudonym);
  return readSeen(value).at === null ? REMOVED : seenWithout(value);
};

const eraseText = (scene: Scene): Outcome => {
  const { draft, item, task } = scene;
  const { field, act } = item;
  const next = (value: string): string =>
    act === 'pseudonymise' ? task.finder.without(value, task.pseudonym) : '';
  const isThere = (value: string | null | undefined): value is string =>
    typeof value === 'string' && task.finder.find(value) !== null;
  if (field === 'created_with') draft.created_with = null;
  else if (field === 'description') {
    if (!isThere(draft.description)) return GONE;
    draft.description = next(draft.description);
    draft.changes.push({ field, from: null, to: draft.description || null });
  } else if (isText(field)) {
    const value = draft.row[field];
    if (!isThere(value)) return GONE;
    draft.texts[field] = next(value);
    draft.changes.push({ field, from: null, to: draft.texts[field] || null });
  } else {
    const id = field.replace('custom_field_', '');
    const value = draft.custom[id];
    if (!isThere(value)) return GONE;
    draft.custom[id] = customWithout(value, scene);
    draft.changes.push({ field, from: null, to: draft.custom[id] });
  }
  return DONE;
};

const eraseEntry = async (scene: Scene): Promise<Outcome> => {
  const { tx, task, draft, item } = scene;
  const position = Number(item.part);
  const entry = await findEntry(tx, whereOf(scene), position);
  if (!entry || task.finder.find(textOfEntry(entry.changes, entry.client)) === null) return GONE;
  if (entry.client !== null && task.finder.find(entry.client) !== null)
    await writeTexts(
      tx,
      task.company_id,
      { table: 'near_miss_history', keys: ['near_miss_id', 'position'], columns: [] },
      { near_miss_id: draft.row.id, position },
      { client: null },
    );
  if (task.finder.find(textOfEntry(entry.changes, null)) !== null) {
    await redactEntry(tx, whereOf(scene), position);
    draft.changes.push({ field: 'history', from: position, to: null });
  }
  return DONE;
};

const eraseComment = async (scene: Scene): Promise<Outcome> => {
  const { tx, task, at, draft, item } = scene;
  const id = Number(item.part);
  const comment = await findComment(tx, whereOf(scene), id);
  if (!comment || comment.text === null || task.finder.find(comment.text) === null) return GONE;
  if (item.act === 'erase') {
    await removeComment(tx, whereOf(scene), id, { removed_by: task.user_id, removed_at: at });
    draft.comment_count -= 1;
    draft.changes.push({ field: 'comments', from: id, to: null });
  } else
    await writeTexts(
      tx,
      task.company_id,
      { table: 'near_miss_comments', keys: ['id'], columns: [] },
      { id },
      { text: task.finder.without(comment.text, task.pseudonym) },
    );
  return DONE;
};

const nameOfPhoto = ({ item, task }: Scene, filename: string): string =>
  item.act === 'pseudonymise'
    ? task.finder.without(filename, task.pseudonym)
    : `photo${/\.[a-z0-9]{1,5}$/i.exec(filename)?.[0] ?? ''}`;

const erasePhotoName = async (scene: Scene): Promise<Outcome> => {
  const { tx, task, at, item } = scene;
  const upload = await findUpload(tx, task.company_id, item.part);
  if (!upload || task.finder.find(upload.response_filename) === null) return GONE;
  const { company_id } = task;
  const { uuid: upload_uuid, stored_file_id } = upload;
  const filename = nameOfPhoto(scene, upload.response_filename);
  await renameFile(tx, { company_id, upload_uuid, stored_file_id }, filename, at);
  await renameInCaptions(scene, upload.response_filename, filename);
  return DONE;
};

/** Captions name their photo by its file (decisions §4.8). */
const renameInCaptions = async (scene: Scene, from: string, to: string): Promise<void> => {
  const { tx, task, draft } = scene;
  const { project_id } = draft.row;
  const all = await readDefinitions(tx, { company_id: task.company_id, project_id });
  const field = fieldByLabel([...all.values()], captionLabels);
  const value = field && draft.custom[String(field.id)];
  if (field && typeof value === 'string')
    draft.custom[String(field.id)] = value.replaceAll(`${from}:`, `${to}:`);
};

const erasePhoto = async (scene: Scene): Promise<Outcome> => {
  const { tx, task, at, draft, item, blurred } = scene;
  const id = Number(item.part);
  const copy = blurred.get(id);
  if (copy === undefined) return GONE;
  if (copy === null) return 'no_picture';
  const names = await replacePhoto(tx, { ...whereOf(scene), id, now: task.now }, copy, at);
  if (names === null) return GONE;
  if (names.from !== names.to) await renameInCaptions(scene, names.from, names.to);
  const shown = task.finder.find(names.to) === null ? names.to : 'photo.jpg';
  draft.changes.push({ field: 'attachments', from: null, to: shown });
  return DONE;
};

const eraseOne = (scene: Scene): Outcome | Promise<Outcome> => {
  switch (scene.item.kind) {
    case 'report':
      return eraseText(scene);
    case 'history':
      return eraseEntry(scene);
    case 'comment':
      return eraseComment(scene);
    case 'photo_name':
      return erasePhotoName(scene);
    case 'photo':
      return erasePhoto(scene);
    default:
      return 'legal_hold';
  }
};

/** Reports of a search come first, then their history: what the erasure itself writes holds no name. */
export const eraseInReport = async (
  tx: Db,
  task: Task,
  near_miss_id: number,
  items: readonly ItemRow[],
  blurred: Scene['blurred'],
  at: number,
): Promise<Outcome[]> => {
  const { company_id, user_id, now } = task;
  const row = await findForSweep(tx, company_id, near_miss_id);
  if (!row) return items.map(() => GONE);
  const draft: Draft = {
    row,
    description: row.description,
    created_with: undefined,
    custom: { ...(JSON.parse(row.custom_fields) as StoredFields) },
    texts: {},
    comment_count: row.comment_count,
    changes: [],
  };
  const outcomes: Outcome[] = [];
  for (const item of items) outcomes.push(await eraseOne({ tx, task, at, draft, item, blurred }));
  if (!outcomes.includes(DONE)) return outcomes;
  const next = {
    ...row,
    ...draft.texts,
    description: draft.description,
    description_plain_text: plainTextOf(draft.description),
    custom_fields: JSON.stringify(draft.custom),
    comment_count: draft.comment_count,
  };
  const { project_id } = row;
  await nearMisses.updateNearMiss(
    tx,
    { company_id, project_id, id: row.id },
    {
      ...draft.texts,
      ...(draft.created_with === null ? { created_with: null } : {}),
      description: next.description,
      description_plain_text: next.description_plain_text,
      custom_fields: next.custom_fields,
      comment_count: next.comment_count,
      updated_at: at,
      erased_at: at,
      search: searchText(next),
    },
  );
  const context = { db: tx, company_id, project_id, user_id, client: null, now };
  await recordHistory(context, row.id, at, 'redacted', draft.changes);
  await recordsOf('Near Misses')(context, row.id, 'update');
  return outcomes;
};
