/**
 * [ours] Writes the mails of follow-ups that are due tomorrow or overdue (decisions §16.1). It runs every hour: the name of the event
 * holds the date, so each follow-up has one mail of each kind for one date, however often this runs.
 */
import type { MailKind } from '../../../contract/rest/access/mail.ts';
import type { Store } from '../../store/engine/db.ts';
import {
  listNearMissesWithDates,
  listProjectKeys,
  type ProjectKey,
} from '../../store/mail/due-near-misses.ts';
import { findMailedEvents, insertMails, type NewMail } from '../../store/mail/mail-queue.ts';
import { preferencesOf } from '../../store/mail/mail-preferences.ts';
import { listReaders } from '../../store/mail/mail-readers.ts';
import { readDefinitions } from '../catalog.ts';
import type { StoredFields } from '../near-misses/custom-fields.ts';
import { isMailAddress } from './address.ts';
import { namesUser, mailFieldsOf, saidIn, type MailFields } from './follow-up.ts';

const DAY_MS = 86_400_000;
/** Older dates are left alone, so that the first start with mail does not write about years of follow-ups. */
const OVERDUE_DAYS = 7;
const PART = 200;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The dates that are mailed about at this time, in UTC, because a company has no time zone. */
export const dueDates = (
  now: number,
): ReadonlyMap<string, Extract<MailKind, 'due_tomorrow' | 'overdue'>> =>
  new Map([
    [dayOf(now + DAY_MS), 'due_tomorrow'],
    ...Array.from(
      { length: OVERDUE_DAYS },
      (_, days) => [dayOf(now - (days + 1) * DAY_MS), 'overdue'] as const,
    ),
  ]);

interface Due {
  readonly near_miss_id: number;
  readonly author_id: number;
  readonly who: string;
  readonly due: string;
  readonly kind: Extract<MailKind, 'due_tomorrow' | 'overdue'>;
}

const eventOf = ({ kind, near_miss_id, due }: Due): string => `${kind}/${near_miss_id}/${due}`;

const mailsOf = async (
  { store }: Sweep,
  { company_id, project_id }: ProjectKey,
  found: readonly Due[],
  now: number,
): Promise<NewMail[]> => {
  const mailed = await findMailedEvents(store.read, company_id, found.map(eventOf));
  const mails: NewMail[] = [];
  for (const due of found.filter((one) => !mailed.has(eventOf(one)))) {
    const { near_miss_id, author_id } = due;
    const readers = await listReaders(store.read, { company_id, project_id, author_id });
    const named = readers.filter(
      (reader) =>
        preferencesOf(reader).due && isMailAddress(reader.login) && namesUser(due.who, reader),
    );
    const about = { company_id, near_miss_id, kind: due.kind, event: eventOf(due), due: due.due };
    mails.push(...named.map(({ id }) => ({ ...about, user_id: id, created_at: now })));
  }
  return mails;
};

interface Sweep {
  readonly store: Store;
  readonly now: () => number;
  readonly stopping: () => boolean;
}

const sweepProject = async (sweep: Sweep, key: ProjectKey, fields: MailFields): Promise<void> => {
  const { store, stopping } = sweep;
  if (fields.due === undefined || fields.who === undefined) return;
  const now = sweep.now();
  const dates = dueDates(now);
  const wanted = { field: fields.due.id, dates: [...dates.keys()] };
  for (let after_id = 0; !stopping();) {
    const rows = await listNearMissesWithDates(store.long, key, wanted, { after_id, limit: PART });
    const found = rows.flatMap((row): Due[] => {
      const said = saidIn(fields, JSON.parse(row.custom_fields) as StoredFields);
      const kind = dates.get(said.due);
      if (kind === undefined || said.done !== '' || said.who === '') return [];
      const { id, author_id } = row;
      return [{ near_miss_id: id, author_id, who: said.who, due: said.due, kind }];
    });
    const mails = await mailsOf(sweep, key, found, now);
    if (mails.length > 0) await store.write((tx) => insertMails(tx, mails), key.company_id);
    after_id = rows.at(-1)?.id ?? 0;
    if (rows.length < PART) return;
  }
};

export const recordDueFollowUps = async (sweep: Sweep): Promise<void> => {
  for (const key of await listProjectKeys(sweep.store.read)) {
    if (sweep.stopping()) return;
    await sweepProject(sweep, key, mailFieldsOf(await readDefinitions(sweep.store.read, key)));
  }
};
