/**
 * [ours] Mails about a new comment (decisions §16.1, §18): to the reporter, to whom "Follow-up by" names, and to those who commented
 * before. Nobody is mailed about an own comment, and nobody about a private incident.
 */
import { insertMails } from '../../store/mail/mail-queue.ts';
import { preferencesOf } from '../../store/mail/mail-preferences.ts';
import { listReaders } from '../../store/mail/mail-readers.ts';
import { readDefinitions } from '../catalog.ts';
import type { StoredFields } from '../near-misses/custom-fields.ts';
import { isMailAddress } from './address.ts';
import { mailFieldsOf, namesUser, saidIn } from './follow-up.ts';
import type { MailChange, MailedRecord } from './mail-events.ts';

/** The comment that a mail is about, by the event of the mail. */
export const commentOfEvent = (event: string): number => Number(event.split('/')[2]);

interface Concern {
  readonly author_id: number;
  /** The users who commented. */
  readonly commenters: ReadonlySet<number>;
  /** The text of "Follow-up by". */
  readonly who: string;
}

/** Whether a comment concerns a user. It is asked again when the mail is sent. */
export const concerns = (
  { author_id, commenters, who }: Concern,
  user_id: number,
  named: Parameters<typeof namesUser>[1],
): boolean => user_id === author_id || commenters.has(user_id) || namesUser(who, named);

export const recordCommentMails = async (
  { db, mail, company_id, project_id, user_id, now }: MailChange,
  record: Pick<MailedRecord, 'id' | 'author_id' | 'incident_private' | 'custom_fields'>,
  comment: {
    readonly id: number;
    /** The users who commented before. */
    readonly earlier: ReadonlySet<number>;
  },
): Promise<void> => {
  if (!mail || record.incident_private === 1) return;
  const { id: near_miss_id, author_id } = record;
  const fields = mailFieldsOf(await readDefinitions(db, { company_id, project_id }));
  const { who } = saidIn(fields, JSON.parse(record.custom_fields) as StoredFields);
  const readers = await listReaders(db, { company_id, project_id, author_id });
  const concerned = readers.filter(
    (reader) =>
      reader.id !== user_id &&
      isMailAddress(reader.login) &&
      preferencesOf(reader).comments &&
      concerns({ author_id, commenters: comment.earlier, who }, reader.id, reader),
  );
  const event = `commented/${near_miss_id}/${comment.id}`;
  const about = { company_id, near_miss_id, kind: 'commented', event, due: null };
  await insertMails(
    db,
    concerned.map(({ id }) => ({ ...about, user_id: id, by_user_id: user_id, created_at: now })),
  );
};
