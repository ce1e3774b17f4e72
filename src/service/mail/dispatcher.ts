/**
 * Sends the outbox of mail (decisions §16.3). A worker takes one mail by a lease, asks again whether its recipient may hear of it, and
 * records the outcome. A killed process leaves a lease that expires; the next worker sends the same bytes with the same Message-ID.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { RecordMailKind } from '../../contract/rest/access/mail.ts';
import { startLoop, type Loop } from '../delivery/loop.ts';
import { backoff, type RetryRules } from '../delivery/retry.ts';
import { isMailAddress } from '../domain/mail/address.ts';
import { commentOfEvent, concerns } from '../domain/mail/comment-mails.ts';
import { recordDueFollowUps } from '../domain/mail/due-follow-ups.ts';
import { readFigures, recordWeeklyMails } from '../domain/mail/weekly.ts';
import { mailFieldsOf, namesUser, saidIn } from '../domain/mail/follow-up.ts';
import { readDefinitions } from '../domain/catalog.ts';
import type { StoredFields } from '../domain/near-misses/custom-fields.ts';
import type { Signer } from '../files/signing.ts';
import type { Db, Store } from '../store/engine/db.ts';
import * as queue from '../store/mail/mail-queue.ts';
import { choiceOf, preferencesOf } from '../store/mail/mail-preferences.ts';
import { findWeeklyRecipient } from '../store/mail/weekly-mail.ts';
import { isThere, listCommenters } from '../store/near-misses/near-miss-comments.ts';
import { after, type Moment } from '../store/webhooks/webhook-queue.ts';
import { composeMail, type Letter } from './compose.ts';
import { sendMail, type MailOutcome, type SendRules } from './send.ts';

export interface MailDispatchParts {
  readonly store: Store;
  readonly signer: Signer;
  /** The wall clock, for dates and records. */
  readonly now: () => number;
  /** The queue's clock, for backoff and leases; shared by all processes that send from this database. */
  readonly moment: () => Moment;
  /** True if the clock was set back, so that stored leases and backoff times lie in the future. */
  readonly set_back: boolean;
  readonly alone: boolean;
  readonly log: Logger;
  readonly public_url: string;
  readonly send: SendRules;
  readonly retry: RetryRules;
  /** Milliseconds after which a mail is given up. */
  readonly give_up: number;
  readonly workers: number;
  /** Longest time between polls of the outbox, milliseconds. */
  readonly interval: number;
  /** Retention of ended mails, milliseconds. */
  readonly kept: number;
}

const MAILS_PER_SWEEP = 500;

/** A mail about an open follow-up is withdrawn if it was done or given to somebody else since, a reminder also if its date moved. */
const isStillTheirs = async (
  db: Db,
  row: queue.MailRow,
  content: queue.MailContent,
): Promise<boolean> => {
  const { company_id } = row;
  const { project_id, custom_fields } = content;
  const fields = mailFieldsOf(await readDefinitions(db, { company_id, project_id }));
  const said = saidIn(fields, JSON.parse(custom_fields) as StoredFields);
  const same = row.kind === 'assigned' || said.due === row.due;
  return said.done === '' && same && namesUser(said.who, content);
};

/** A mail about a comment is withdrawn if the comment was removed, or if it concerns its reader no longer. */
const stillConcerns = async (
  db: Db,
  row: queue.MailRow,
  content: queue.MailContent,
): Promise<boolean> => {
  const { company_id, user_id } = row;
  const { project_id, near_miss_id, author_id, custom_fields } = content;
  if (!(await isThere(db, company_id, commentOfEvent(row.event)))) return false;
  const commenters = await listCommenters(db, { company_id, near_miss_id });
  const fields = mailFieldsOf(await readDefinitions(db, { company_id, project_id }));
  const { who } = saidIn(fields, JSON.parse(custom_fields) as StoredFields);
  return concerns({ author_id, commenters, who }, user_id, content);
};

const weeklyLetterOf = async (
  { store, signer, send, public_url }: MailDispatchParts,
  row: queue.MailRow,
): Promise<Letter | null> => {
  const recipient = await findWeeklyRecipient(store.read, row);
  if (!recipient || row.figures === null || !isMailAddress(recipient.login)) return null;
  const { weekly, language } = preferencesOf(recipient);
  if (!weekly) return null;
  return composeMail({ signer, sender: send.sender, public_url }, row, {
    to: recipient.login,
    language,
    created_at: row.created_at,
    about: { kind: 'weekly', figures: readFigures(row.figures) },
  });
};

/** Null if the user may not, or does not want to, hear of it any more. */
const letterOf = async (parts: MailDispatchParts, row: queue.MailRow): Promise<Letter | null> => {
  if (row.kind === 'weekly') return weeklyLetterOf(parts, row);
  const { store, signer, send, public_url } = parts;
  const content = await queue.findMailContent(store.read, row);
  if (!content || !isMailAddress(content.login)) return null;
  const kind = row.kind as RecordMailKind;
  const chosen = preferencesOf(content);
  const choice = choiceOf(kind);
  if (!chosen[choice]) return null;
  const open = choice === 'due' || choice === 'assigned';
  if (open && !(await isStillTheirs(store.read, row, content))) return null;
  if (kind === 'commented' && !(await stillConcerns(store.read, row, content))) return null;
  return composeMail({ signer, sender: send.sender, public_url }, row, {
    to: content.login,
    language: chosen.language,
    created_at: row.created_at,
    about: {
      kind,
      near_miss: {
        company_id: row.company_id,
        project_id: content.project_id,
        id: content.near_miss_id,
        number: `${content.incident_number}-${content.number}`,
      },
      due: row.due,
    },
  });
};

const settle = async (
  parts: MailDispatchParts,
  row: queue.MailRow,
  lease: queue.MailLease,
  outcome: MailOutcome | 'withdrawn',
): Promise<void> => {
  const { store, moment, retry, give_up } = parts;
  const now = parts.now();
  const record = (next: queue.Settled, at: Moment | null = null): Promise<void> =>
    store.write((tx) => queue.settleMail(tx, row, lease, next, at), row.company_id);
  if (outcome === 'withdrawn')
    return record({ outcome: 'withdrawn', ended_at: now, error: row.error });
  if (outcome.error === null) return record({ outcome: 'sent', ended_at: now, error: null });
  const failures = row.failures + 1;
  const failing_since = row.failing_since ?? now;
  const tried = { failures, failing_since, error: outcome.error };
  if (outcome.refused) return record({ ...tried, outcome: 'refused', ended_at: now });
  // The window begins with the first failure, so that the first attempt after a closed week is not the last.
  const left = failing_since + give_up - now;
  if (left <= 0) return record({ ...tried, outcome: 'given_up', ended_at: now });
  const wait = Math.min(backoff(failures, retry), left);
  return record({ ...tried, outcome: null, ended_at: null }, after(moment(), wait));
};

/** Sends one mail, if no other process has it. */
const serve = async (
  parts: MailDispatchParts,
  owner: string,
  key: queue.MailKey,
): Promise<void> => {
  const { store, moment, send } = parts;
  const lease = { owner, until: after(moment(), 2 * send.timeout + 1000) };
  const row = await store.write((tx) => queue.claimMail(tx, key, lease, moment()), key.company_id);
  if (!row) return;
  const letter = await letterOf(parts, row);
  await settle(parts, row, lease, letter === null ? 'withdrawn' : await sendMail(letter, send));
};

const forget = async (
  { store, now, kept }: MailDispatchParts,
  stopping: () => boolean,
): Promise<void> => {
  const before = now() - kept;
  while (!stopping()) {
    const gone = await store.write((tx) => queue.deleteMailsBefore(tx, before, MAILS_PER_SWEEP));
    if (gone < MAILS_PER_SWEEP) return;
  }
};

export const startMailDispatcher = (parts: MailDispatchParts): Loop => {
  const { store, log, moment, now, workers, interval } = parts;
  const owner = randomUUID();
  const loop = startLoop<queue.MailKey>({
    what: 'mail',
    log,
    workers,
    interval,
    nameOf: ({ company_id, id }) => `${company_id}/${id}`,
    listDue: (limit) => queue.listDueMails(store.read, moment(), limit),
    nextDue: () => queue.nextDueMail(store.read, moment()),
    serve: (key) => serve(parts, owner, key),
    hourly: async (stopping) => {
      await forget(parts, stopping);
      await recordDueFollowUps({ store, now, stopping });
      await recordWeeklyMails({ store, now, stopping });
      loop.wake();
    },
    hurry: parts.set_back
      ? () => store.write((tx) => queue.hurryMails(tx, moment(), parts.alone))
      : null,
  });
  return loop;
};
