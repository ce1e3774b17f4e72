/**
 * [ours] Writes the weekly mail of those who chose it (decisions §16.6). It runs every hour; the name of the event holds the Monday, so
 * each user has one mail a week. The figures are stored with the mail, so that a repeated attempt sends the same bytes.
 */
import { z } from 'zod';
import type { Db, Store } from '../../store/engine/db.ts';
import {
  listProjectKeys,
  mailedNearMisses,
  type ProjectKey,
} from '../../store/mail/due-near-misses.ts';
import { insertMails } from '../../store/mail/mail-queue.ts';
import { listWeeklyReaders, type WeeklyReader } from '../../store/mail/weekly-mail.ts';
import { readDefinitions } from '../catalog.ts';
import type { StoredFields } from '../near-misses/custom-fields.ts';
import { isMailAddress } from './address.ts';
import { mailFieldsOf, saidIn, type Said } from './follow-up.ts';

const DAY_MS = 86_400_000;
const PART = 500;

const count = z.number().int().nonnegative();
const tallySchema = z.object({
  /** Near misses filed in the week. */
  reported: count,
  /** Filed near misses with the highest potential severity. */
  severe: count,
  /** Follow-ups done in the week. */
  done: count,
  /** Follow-ups that are open when the mail is written. */
  open: count,
  /** Open follow-ups that were due before the Monday after the week. */
  overdue: count,
});
type Tally = z.infer<typeof tallySchema>;

const figuresSchema = tallySchema.extend({
  /** First and last day of the week in UTC, `2026-11-16`. */
  from: z.iso.date(),
  to: z.iso.date(),
});
export type WeeklyFigures = z.infer<typeof figuresSchema>;

/** Reads the stored figures of a mail. */
export const readFigures = (json: string): WeeklyFigures => figuresSchema.parse(JSON.parse(json));

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export interface Week {
  /** Milliseconds: Monday 00:00 UTC of the last whole week, and seven days later. */
  readonly begin: number;
  readonly end: number;
}

/** The last whole week in UTC, from Monday to Sunday, because a company has no time zone. */
export const lastWeek = (now: number): Week => {
  const since_monday = (new Date(now).getUTCDay() + 6) % 7;
  const end = Math.floor(now / DAY_MS) * DAY_MS - since_monday * DAY_MS;
  return { begin: end - 7 * DAY_MS, end };
};

const none: Tally = { reported: 0, severe: 0, done: 0, open: 0, overdue: 0 };

/** Adds one near miss to the figures. */
export const tallyOf = (
  { begin, end }: Week,
  { created_at, said }: { readonly created_at: number; readonly said: Said },
): Tally => {
  const filed = created_at >= begin && created_at < end;
  const open = said.what + said.who + said.due !== '' && said.done === '';
  return {
    reported: Number(filed),
    severe: Number(filed && said.severest),
    done: Number(said.done >= dayOf(begin) && said.done < dayOf(end)),
    open: Number(open),
    overdue: Number(open && said.due !== '' && said.due < dayOf(end)),
  };
};

const sum = (one: Tally, other: Tally): Tally => ({
  reported: one.reported + other.reported,
  severe: one.severe + other.severe,
  done: one.done + other.done,
  open: one.open + other.open,
  overdue: one.overdue + other.overdue,
});

/** The figures of a project by author, because a reporter reads only their own reports. */
type ByAuthor = ReadonlyMap<number, Tally>;

const tallyProject = async (sweep: Sweep, key: ProjectKey, week: Week): Promise<ByAuthor> => {
  const { store, stopping } = sweep;
  const fields = mailFieldsOf(await readDefinitions(store.read, key));
  const found = new Map<number, Tally>();
  for (let after_id = 0; !stopping();) {
    const rows = await mailedNearMisses(store.long, key, { after_id, limit: PART })
      .select('n.created_at')
      .execute();
    for (const { author_id, created_at, custom_fields } of rows) {
      const said = saidIn(fields, JSON.parse(custom_fields) as StoredFields);
      const tally = tallyOf(week, { created_at, said });
      found.set(author_id, sum(found.get(author_id) ?? none, tally));
    }
    after_id = rows.at(-1)?.id ?? 0;
    if (rows.length < PART) break;
  }
  return found;
};

const reads = ({ project_ids }: WeeklyReader, { project_id }: ProjectKey): boolean =>
  project_ids === null || project_ids.includes(`,${project_id},`);

const figuresFor = (
  reader: WeeklyReader,
  projects: readonly (readonly [ProjectKey, ByAuthor])[],
  { begin, end }: Week,
): WeeklyFigures => {
  const tallies = projects
    .filter(([key]) => reads(reader, key))
    .flatMap(([, by_author]) =>
      reader.level === 'reporter'
        ? [by_author.get(reader.user_id) ?? none]
        : [...by_author.values()],
    );
  return { ...tallies.reduce(sum, none), from: dayOf(begin), to: dayOf(end - DAY_MS) };
};

interface Sweep {
  readonly store: Store;
  readonly now: () => number;
  readonly stopping: () => boolean;
}

const eventOf = ({ end }: Week): string => `weekly/${dayOf(end)}`;

const writeFor = async (
  sweep: Sweep,
  company_id: number,
  readers: readonly WeeklyReader[],
  week: Week,
): Promise<void> => {
  const { store, now, stopping } = sweep;
  const keys = (await listProjectKeys(store.read)).filter((key) => key.company_id === company_id);
  const projects: (readonly [ProjectKey, ByAuthor])[] = [];
  for (const key of keys) projects.push([key, await tallyProject(sweep, key, week)]);
  // Half a sum would be a false figure.
  if (stopping()) return;
  const mails = readers.map((reader) => ({
    company_id,
    user_id: reader.user_id,
    near_miss_id: null,
    kind: 'weekly',
    event: eventOf(week),
    due: null,
    figures: JSON.stringify(figuresFor(reader, projects, week)),
    created_at: now(),
  }));
  await store.write((tx: Db) => insertMails(tx, mails), company_id);
};

export const recordWeeklyMails = async (sweep: Sweep): Promise<void> => {
  const week = lastWeek(sweep.now());
  const waiting = await listWeeklyReaders(sweep.store.read, eventOf(week));
  const reached = waiting.filter(({ login }) => isMailAddress(login));
  for (const [company_id, readers] of Map.groupBy(reached, (one) => one.company_id)) {
    if (sweep.stopping()) return;
    await writeFor(sweep, company_id, readers, week);
  }
};
