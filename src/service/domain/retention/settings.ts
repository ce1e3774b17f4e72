/** [ours] The company's choice how long reports are kept, and what it would do (decisions §20.1, §20.2). */
import type {
  DueNearMiss,
  Retention,
  RetentionPreview,
  RetentionPreviewQuery,
  RetentionUpdate,
} from '../../../contract/rest/retention/retention.ts';
import type { Db } from '../../store/engine/db.ts';
import { listProjectKeys } from '../../store/mail/due-near-misses.ts';
import { listCandidates, type Candidate } from '../../store/retention/due-near-misses.ts';
import { changeRetention, findRetention } from '../../store/retention/settings.ts';
import { readDefinitions } from '../catalog.ts';
import { contentTag, requireMatch } from '../etag.ts';
import { recordAct, type Actor } from '../evidence/admin-acts.ts';
import { wireTime } from '../near-misses/near-miss-view.ts';
import { sliceOf } from '../page.ts';
import { notFound } from '../problem.ts';
import { DAY_MS, dueOf, whenFieldOf, yearsFrom, type Due } from './due.ts';

/** The choice and its ETag (decisions §1.7). */
interface Tagged {
  readonly data: Retention;
  readonly etag: string;
}

/** @throws Refusal 404 */
export const showRetention = async (db: Db, company_id: number): Promise<Tagged> => {
  const data = await findRetention(db, company_id);
  if (!data) throw notFound();
  return { data, etag: contentTag(data) };
};

/** @throws Refusal 404, 412 */
export const updateRetention = async (
  tx: Db,
  actor: Actor,
  { years, bin_days }: RetentionUpdate,
  if_match: string | undefined,
): Promise<Tagged> => {
  const { company_id } = actor;
  const had = await showRetention(tx, company_id);
  requireMatch(if_match, had.etag);
  const next = {
    years: years === undefined ? had.data.years : years,
    bin_days: bin_days === undefined ? had.data.bin_days : bin_days,
  };
  if (contentTag(next) === had.etag) return had;
  await changeRetention(tx, company_id, next);
  await recordAct(tx, actor, {
    act: 'retention_changed',
    details: {
      years_from: had.data.years,
      years_to: next.years,
      bin_days_from: had.data.bin_days,
      bin_days_to: next.bin_days,
    },
  });
  return { data: next, etag: contentTag(next) };
};

export interface DueRow {
  readonly row: Candidate;
  readonly due: Due;
}

const PART = 500;

/**
 * Near misses of a company that are due until a time, a part at a time.
 * @param user_id who looks; 0: nobody
 */
export async function* dueNearMisses(
  db: Db,
  company_id: number,
  retention: Retention,
  until: number,
  user_id: number,
): AsyncGenerator<readonly DueRow[]> {
  const { years, bin_days } = retention;
  const limits = {
    event_before: years === null ? null : yearsFrom(until + DAY_MS, -years),
    deleted_before: bin_days === null ? null : until - bin_days * DAY_MS,
  };
  for (const key of await listProjectKeys(db)) {
    if (key.company_id !== company_id) continue;
    const when = whenFieldOf(await readDefinitions(db, key));
    for (let after_id = 0; ;) {
      const part = { after_id, limit: PART };
      const rows = await listCandidates(db, key, limits, when, user_id, part);
      yield rows.flatMap((row): DueRow[] => {
        const due = dueOf(row, retention, when);
        return due !== null && due.at <= until ? [{ row, due }] : [];
      });
      after_id = rows.at(-1)?.id ?? 0;
      if (rows.length < PART) break;
    }
  }
}

/** Days that a preview looks ahead. */
const SOON_DAYS = 30;

const view = ({ row, due }: DueRow): DueNearMiss => ({
  id: row.id,
  project_id: row.project_id,
  number: `${row.incident_number}-${row.number}`,
  act: due.act,
  due_at: wireTime(due.at),
  held: row.held_at !== null,
});

const orOff = (tried: number | undefined, stored: number | null): number | null =>
  tried === undefined ? stored : tried === 0 ? null : tried;

/** @param db for slow queries @throws Refusal 404 */
export const previewRetention = async (
  db: Db,
  caller: { readonly company_id: number; readonly user_id: number; readonly now: number },
  query: RetentionPreviewQuery,
): Promise<RetentionPreview> => {
  const { company_id, user_id, now } = caller;
  const { data: stored } = await showRetention(db, company_id);
  const years = orOff(query.years, stored.years);
  const bin_days = orOff(query.bin_days, stored.bin_days);
  const found: DueRow[] = [];
  const until = now + SOON_DAYS * DAY_MS;
  for await (const part of dueNearMisses(db, company_id, { years, bin_days }, until, user_id))
    found.push(...part);
  const free = found.filter(({ row }) => row.held_at === null);
  const count = (act: Due['act']) => {
    const of = free.filter(({ due }) => due.act === act);
    const today = of.filter(({ due }) => due.at <= now).length;
    return { now: today, soon: of.length - today };
  };
  const listed = found.filter(({ row }) => row.visible === 1);
  const { offset, limit } = sliceOf(query);
  return {
    years,
    bin_days,
    anonymise: count('anonymise'),
    delete: count('delete'),
    held: found.length - free.length,
    hidden: found.length - listed.length,
    near_misses: listed
      .toSorted((a, b) => a.due.at - b.due.at || a.row.id - b.row.id)
      .slice(offset, offset + limit)
      .map(view),
  };
};
