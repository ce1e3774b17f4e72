/**
 * [ours] The history of a near miss (decisions §15). An entry is written in the transaction of its change. It holds ids instead of
 * names, and a salted digest of its content, so that the content can be redacted while the chain of hashes still proves that no
 * entry was changed or left out.
 */
import { createHash, randomBytes } from 'node:crypto';
import type {
  HistoryChange,
  HistoryEntry,
} from '../../../contract/rest/history/near-miss-history.ts';
import { lookupFields, textFields } from '../../../contract/rest/near-miss-fields.ts';
import { UNNAMED } from '../../../contract/text/who-saw.ts';
import { stampChange } from '../../store/engine/change-clock.ts';
import * as lists from '../../store/near-misses/near-miss-lists.ts';
import * as store from '../../store/near-misses/near-miss-history.ts';
import { seesOwnOnly } from '../access/access.ts';
import type { FilesContext } from '../context.ts';
import { recordAct } from '../evidence/admin-acts.ts';
import { sliceOf, type Page, type Paged } from '../page.ts';
import { notFound } from '../problem.ts';
import { requireNotHeld } from '../retention/legal-holds.ts';
import type { StoredFields } from './custom-fields.ts';
import { wireTime } from './near-miss-view.ts';

type Fields = Pick<
  lists.NearMissRow,
  (typeof lookupFields)[number] | (typeof textFields)[number] | 'description' | 'custom_fields'
>;

const plain = ['description', ...lookupFields, ...textFields] as const;

/** The fields that differ, named as in a request. Texts and ids; an empty text is null. */
export const changedFields = (before: Fields, after: Fields): HistoryChange[] => {
  const changes: HistoryChange[] = [];
  const add = (field: string, from: string | number | null, to: string | number | null): void => {
    if (from !== to) changes.push({ field, from, to });
  };
  for (const name of plain)
    add(name, before[name] === '' ? null : before[name], after[name] === '' ? null : after[name]);
  const [had, has] = [before, after].map(
    ({ custom_fields }) => JSON.parse(custom_fields) as StoredFields,
  ) as [StoredFields, StoredFields];
  for (const id of new Set([...Object.keys(had), ...Object.keys(has)])) {
    // The name of somebody who now stays unnamed is not repeated (decisions §4.12).
    const [from, to] = [had[id] ?? null, has[id] ?? null];
    const forgets = to?.trim() === UNNAMED && from?.trim() !== UNNAMED;
    add(`custom_field_${id}`, forgets ? null : from, to);
  }
  return changes;
};

/** A photo that came, or went. */
export const photoChanges = (
  filenames: readonly string[],
  change: 'added' | 'removed',
): HistoryChange[] =>
  filenames.map((name) => ({
    field: 'attachments',
    from: change === 'removed' ? name : null,
    to: change === 'added' ? name : null,
  }));

const sha256 = (...parts: readonly (string | number)[]): string =>
  createHash('sha256').update(parts.join('\n')).digest('hex');

/** Appends an entry in the transaction of the change. @param at the stamp of the change */
export const recordHistory = async (
  {
    db,
    company_id,
    user_id,
    client,
  }: Pick<FilesContext, 'db' | 'company_id' | 'user_id' | 'client'>,
  near_miss_id: number,
  at: number,
  action: Exclude<HistoryEntry['action'], 'created'>,
  changed: readonly HistoryChange[] = [],
): Promise<void> => {
  const last = await store.lastEntry(db, { company_id, near_miss_id });
  const position = (last?.position ?? 0) + 1;
  const salt = randomBytes(16).toString('hex');
  const changes = JSON.stringify(changed);
  const digest = sha256(salt, changes);
  const hash = sha256(last?.hash ?? '', near_miss_id, position, at, user_id, action, digest);
  const content = { changes, salt, digest, hash };
  await store.insertEntry(db, {
    company_id,
    near_miss_id,
    position,
    at,
    user_id,
    client,
    action,
    ...content,
  });
};

const view = (row: store.ShownEntry): HistoryEntry => ({
  id: row.position,
  at: wireTime(row.at),
  user: { id: row.user_id, name: row.user_name, login: row.user_login },
  client: row.client,
  action: row.action as HistoryEntry['action'],
  changes: row.changes === null ? [] : (JSON.parse(row.changes) as HistoryChange[]),
  redacted: row.changes === null,
  digest: row.digest,
  salt: row.salt,
  hash: row.hash,
});

/**
 * Accepts a recycled near miss too.
 * @throws Refusal 404
 */
const requireVisible = async (
  context: FilesContext,
  near_miss_id: number,
): Promise<store.Where & { readonly number: string }> => {
  const { db, company_id, project_id, user_id, access } = context;
  const scope = { company_id, project_id, user_id, recycled: null, own: seesOwnOnly(access) };
  const row = await lists.findNearMiss(db, scope, near_miss_id);
  if (!row) throw notFound();
  return { company_id, near_miss_id, number: `${row.incident_number}-${row.number}` };
};

const beginningOf = async (context: FilesContext, where: store.Where): Promise<HistoryEntry[]> => {
  const row = await store.findBeginning(context.db, where);
  if (!row) return [];
  return [
    {
      id: 0,
      at: wireTime(row.created_at),
      user: { id: row.user_id, name: row.user_name, login: row.user_login },
      client: row.created_with ?? null,
      action: 'created',
      changes: [],
      redacted: false,
      digest: null,
      salt: null,
      hash: null,
    },
  ];
};

/** Newest first; the last entry is the creation. @throws Refusal 404 */
export const listHistory = async (
  context: FilesContext,
  near_miss_id: number,
  paged: Paged,
): Promise<Page<HistoryEntry>> => {
  const where = await requireVisible(context, near_miss_id);
  const total = ((await store.lastEntry(context.db, where))?.position ?? 0) + 1;
  const slice = sliceOf(paged);
  const rows = await store.listEntries(context.db, where, slice);
  const holdsLast = slice.offset < total && slice.offset + slice.limit >= total;
  const beginning = holdsLast ? await beginningOf(context, where) : [];
  return { data: [...rows.map(view), ...beginning], total };
};

/** Removes the content of an entry, and records who did. Redacting it again changes nothing. @throws Refusal 404 */
export const redactHistory = async (
  context: FilesContext,
  near_miss_id: number,
  entry_id: number,
): Promise<HistoryEntry> => {
  const where = await requireVisible(context, near_miss_id);
  const found = await store.findEntry(context.db, where, entry_id);
  if (!found) throw notFound();
  if (found.changes === null) return view(found);
  await requireNotHeld(context.db, where, 'redact');
  await store.redactEntry(context.db, where, entry_id);
  const { db, company_id, now } = context;
  const at = await stampChange(db, company_id, now);
  await recordHistory(context, near_miss_id, at, 'redacted', [
    { field: 'history', from: entry_id, to: null },
  ]);
  const { project_id } = context;
  await recordAct(db, context, {
    act: 'history_redacted',
    details: { project_id, near_miss_id, number: where.number, entry_id },
  });
  return view({ ...found, changes: null, salt: null });
};
