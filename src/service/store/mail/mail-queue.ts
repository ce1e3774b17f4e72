/**
 * The outbox of mail. A row is written in the transaction of the event, claimed by a conditional update of its lease as hooks are
 * (webhook-queue.ts), and stays after the end, so that an event is never mailed twice to a user.
 */
import { sql } from 'kysely';
import { gathered } from '../engine/batch.ts';
import { insertMany } from '../engine/bulk-sql.ts';
import type { Db } from '../engine/db.ts';
import { takeIds } from '../engine/ids.ts';
import { countOf, newestFirst, type Slice } from '../engine/newest-first.ts';
import type { Database } from '../engine/schema.ts';
import type { Lease, Moment } from '../webhooks/webhook-queue.ts';
import { readsNearMiss } from './mail-readers.ts';

export interface MailKey {
  readonly company_id: number;
  readonly id: number;
}

export type MailLease = Lease;

export type MailRow = Database['mails'];

export type NewMail = Pick<
  MailRow,
  'company_id' | 'user_id' | 'near_miss_id' | 'kind' | 'event' | 'due' | 'created_at'
> &
  Partial<Pick<MailRow, 'figures' | 'by_user_id'>>;

const insertRows = insertMany(
  'mails',
  {
    company_id: 'bigint',
    id: 'bigint',
    user_id: 'bigint',
    near_miss_id: 'bigint',
    kind: 'text',
    event: 'text',
    due: 'text',
    figures: 'text',
    by_user_id: 'bigint',
    created_at: 'bigint',
    failures: 'integer',
    failing_since: 'bigint',
    next_attempt_at: 'bigint',
    lease_owner: 'text',
    lease_until: 'bigint',
    ended_at: 'bigint',
    outcome: 'text',
    error: 'text',
  },
  sql`on conflict (company_id, user_id, event) do nothing`,
);

/** Mails to one user of a company in any 24 hours (decisions §16.3). Somebody who names a colleague a thousand times fills no mailbox. */
const MAILS_PER_DAY = 100;
/** Maximum of them caused by the changes of one other user, so that one user cannot use up the whole limit. */
const MAILS_BY_ONE = 20;
/** Maximum of them that are reminders, because anyone can file near misses that are due. */
const REMINDERS = 50;
const DAY_MS = 86_400_000;

const mostAlike = ({ by_user_id = null, kind }: NewMail): number => {
  if (by_user_id !== null) return MAILS_BY_ONE;
  return kind === 'weekly' ? MAILS_PER_DAY : REMINDERS;
};

/** @returns the mails that stay within the limits of their user, the first ones first */
const withinLimit = async (tx: Db, mails: readonly NewMail[]): Promise<NewMail[]> => {
  const [{ company_id, created_at }] = mails as [NewMail];
  const rows = await tx
    .selectFrom('mails')
    .select((query) => ['user_id', 'by_user_id', query.fn.countAll<number>().as('written')])
    .where('company_id', '=', company_id)
    .where('user_id', 'in', [...new Set(mails.map(({ user_id }) => user_id))])
    .where('created_at', '>', created_at - DAY_MS)
    .groupBy(['user_id', 'by_user_id'])
    .execute();
  const written = new Map<string, number>();
  const count = (key: string): number => written.get(key) ?? 0;
  const add = (keys: readonly string[], more: number): void => {
    for (const key of keys) written.set(key, count(key) + more);
  };
  const keysOf = ({ user_id, by_user_id = null }: Pick<NewMail, 'user_id' | 'by_user_id'>) =>
    [`${user_id}`, `${user_id} by ${by_user_id}`] as const;
  for (const row of rows) add(keysOf(row), Number(row.written));
  return mails.filter((mail) => {
    const [all, alike] = keysOf(mail);
    if (count(all) >= MAILS_PER_DAY || count(alike) >= mostAlike(mail)) return false;
    add([all, alike], 1);
    return true;
  });
};

const insertSome = async (tx: Db, wanted: readonly NewMail[]): Promise<void> => {
  const mails = await withinLimit(tx, wanted);
  if (mails.length === 0) return;
  const first = await takeIds(tx, 'mails', mails.length);
  const fresh = {
    failures: 0,
    failing_since: null,
    next_attempt_at: 0,
    lease_owner: null,
    lease_until: 0,
    ended_at: null,
    outcome: null,
    error: null,
  };
  await insertRows(
    tx,
    mails.map((mail, at) => ({
      figures: null,
      by_user_id: null,
      ...mail,
      ...fresh,
      id: first + at,
    })),
  );
};

const lastTurn = new WeakMap<Db, Promise<unknown>>();

/** The writes of a batch run concurrently. Each must count the mails of the others, or a batch would exceed the limits. */
const insertInTurn = gathered(async (tx, wanted: readonly (readonly NewMail[])[]) => {
  const before = lastTurn.get(tx) ?? Promise.resolve();
  const turn = before.then(async () => {
    const companies = Map.groupBy(wanted.flat(), ({ company_id }) => company_id);
    for (const mails of companies.values()) await insertSome(tx, mails);
  });
  lastTurn.set(
    tx,
    turn.catch(() => undefined),
  );
  await turn;
  return wanted.map(() => undefined);
});

/**
 * Skips an event of which the user has a mail already, and what is beyond the limits of a day.
 * @param wanted mails of one company and moment
 */
export const insertMails = async (tx: Db, wanted: readonly NewMail[]): Promise<void> => {
  if (wanted.length > 0) await insertInTurn(tx, wanted);
};

/** Returns the events that have a mail. */
export const findMailedEvents = async (
  db: Db,
  company_id: number,
  events: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (events.length === 0) return new Set();
  const rows = await db
    .selectFrom('mails')
    .select('event')
    .distinct()
    .where('company_id', '=', company_id)
    .where('event', 'in', [...events])
    .execute();
  return new Set(rows.map(({ event }) => event));
};

export const listDueMails = (db: Db, now: Moment, limit: number): Promise<MailKey[]> =>
  db
    .selectFrom('mails')
    .select(['company_id', 'id'])
    .where('ended_at', 'is', null)
    .where('next_attempt_at', '<=', now)
    .where('lease_until', '<=', now)
    .orderBy('next_attempt_at')
    .orderBy('company_id')
    .orderBy('id')
    .limit(limit)
    .execute();

/** Milliseconds until the next waiting mail is due; null if none is due later. */
export const nextDueMail = async (db: Db, now: Moment): Promise<number | null> => {
  const moment = sql<number>`case when next_attempt_at > lease_until
    then next_attempt_at else lease_until end`;
  const found = await db
    .selectFrom('mails')
    .select(sql<number | null>`min(${moment} - ${now})`.as('wait'))
    .where('ended_at', 'is', null)
    .where(moment, '>', now)
    .executeTakeFirst();
  return found?.wait ?? null;
};

/** Claims the mail. Undefined if it is no longer due or another process was first. */
export const claimMail = (
  tx: Db,
  key: MailKey,
  lease: Lease,
  now: Moment,
): Promise<MailRow | undefined> =>
  tx
    .updateTable('mails')
    .set({ lease_owner: lease.owner, lease_until: lease.until })
    .where('company_id', '=', key.company_id)
    .where('id', '=', key.id)
    .where('ended_at', 'is', null)
    .where('next_attempt_at', '<=', now)
    .where('lease_until', '<=', now)
    .returningAll()
    .executeTakeFirst();

/** The mail's recipient and record; undefined if the user may no longer hear of it (decisions §16.1). */
export const findMailContent = (db: Db, key: MailKey) =>
  db
    .selectFrom('mails as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .innerJoin('company_users as cu', (join) =>
      join.onRef('cu.company_id', '=', 'm.company_id').onRef('cu.user_id', '=', 'm.user_id'),
    )
    .innerJoin('near_misses as n', (join) =>
      join.onRef('n.company_id', '=', 'm.company_id').onRef('n.id', '=', 'm.near_miss_id'),
    )
    .innerJoin('incidents as i', (join) =>
      join.onRef('i.company_id', '=', 'n.company_id').onRef('i.id', '=', 'n.incident_id'),
    )
    .leftJoin('people as pp', (join) =>
      join.onRef('pp.company_id', '=', 'm.company_id').onRef('pp.login', '=', 'u.login'),
    )
    .leftJoin('mail_preferences as p', (join) =>
      join.onRef('p.company_id', '=', 'm.company_id').onRef('p.user_id', '=', 'm.user_id'),
    )
    .where('m.company_id', '=', key.company_id)
    .where('m.id', '=', key.id)
    .where('n.deleted_at', 'is', null)
    .where('i.private', '=', 0)
    .where(readsNearMiss(sql.ref('n.project_id'), sql.ref('n.created_by')))
    .select([
      'u.login',
      'u.name',
      'pp.name as person_name',
      'n.id as near_miss_id',
      'n.created_by as author_id',
      'n.project_id',
      'n.number',
      'i.number as incident_number',
    ])
    .select([
      'n.custom_fields',
      'p.language',
      'p.assigned',
      'p.due',
      'p.done',
      'p.severe',
      'p.weekly',
      'p.comments',
    ])
    .executeTakeFirst();

export type MailContent = NonNullable<Awaited<ReturnType<typeof findMailContent>>>;

/** The columns that an attempt writes. */
export type Settled = Pick<MailRow, 'outcome' | 'ended_at' | 'error'> &
  Partial<Pick<MailRow, 'failures' | 'failing_since'>>;

/** Records an attempt and releases the lease. Does nothing if another process has taken the mail over. */
export const settleMail = async (
  tx: Db,
  key: MailKey,
  lease: Lease,
  next: Settled,
  next_attempt_at: Moment | null,
): Promise<void> => {
  await tx
    .updateTable('mails')
    .set({
      ...next,
      ...(next_attempt_at === null ? {} : { next_attempt_at }),
      lease_owner: null,
      lease_until: 0,
    })
    .where('company_id', '=', key.company_id)
    .where('id', '=', key.id)
    .where('lease_owner', '=', lease.owner)
    .where('ended_at', 'is', null)
    .execute();
};

/** Runs after the clock was set back: makes delayed mails due now, and releases leases if no other process sends. */
export const hurryMails = async (tx: Db, now: Moment, alone: boolean): Promise<void> => {
  const waiting = tx.updateTable('mails').where('ended_at', 'is', null);
  await waiting.set({ next_attempt_at: now }).where('next_attempt_at', '>', now).execute();
  if (alone)
    await waiting
      .set({ lease_owner: null, lease_until: 0 })
      .where('lease_until', '>', now)
      .execute();
};

/** Deletes up to `limit` mails that ended before a time. Returns how many it selected. */
export const deleteMailsBefore = async (
  tx: Db,
  ended_before: number,
  limit: number,
): Promise<number> => {
  const old = await tx
    .selectFrom('mails')
    .select(['company_id', 'id'])
    .where('ended_at', '<', ended_before)
    .orderBy('ended_at')
    .limit(limit)
    .execute();
  for (const { company_id, id } of old)
    await tx
      .deleteFrom('mails')
      .where('company_id', '=', company_id)
      .where('id', '=', id)
      .execute();
  return old.length;
};

const mailsOf = (db: Db, company_id: number) =>
  db
    .selectFrom('mails as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.company_id', '=', company_id);

export const countMails = (db: Db, company_id: number): Promise<number> =>
  countOf(mailsOf(db, company_id));

export const listMails = (db: Db, company_id: number, slice: Slice) =>
  newestFirst(
    mailsOf(db, company_id)
      .select(['m.id', 'm.kind', 'm.created_at', 'm.ended_at', 'm.outcome', 'm.failures'])
      .select(['m.error', 'm.user_id', 'u.name', 'u.login']),
    slice,
    'm',
  );
