/** Stores what users want to be mailed about (decisions §16.2). */
import type { Language } from '../../../contract/languages.ts';
import {
  mailDefaults,
  type MailPreferences,
  type RecordMailKind,
} from '../../../contract/rest/access/mail.ts';
import type { Db } from '../engine/db.ts';

interface Of {
  readonly company_id: number;
  readonly user_id: number;
}

/** The columns of a left join: null without a row. */
export interface PreferenceColumns {
  readonly language: string | null;
  readonly assigned: number | null;
  readonly due: number | null;
  readonly done: number | null;
  readonly severe: number | null;
  readonly weekly: number | null;
  readonly comments: number | null;
}

/** The choice of a user that a kind of mail follows. */
export const choiceOf = (kind: RecordMailKind) => {
  if (kind === 'due_tomorrow' || kind === 'overdue') return 'due';
  if (kind === 'commented') return 'comments';
  return kind === 'answered' ? 'done' : kind;
};

export const preferencesOf = (row: PreferenceColumns | undefined): MailPreferences =>
  row?.language === undefined || row.language === null
    ? mailDefaults
    : {
        language: row.language as Language,
        assigned: row.assigned === 1,
        due: row.due === 1,
        done: row.done === 1,
        severe: row.severe === 1,
        weekly: row.weekly === 1,
        comments: row.comments === 1,
      };

export const findPreferences = async (db: Db, of: Of): Promise<MailPreferences> =>
  preferencesOf(
    await db
      .selectFrom('mail_preferences')
      .select(['language', 'assigned', 'due', 'done', 'severe', 'weekly', 'comments'])
      .where('company_id', '=', of.company_id)
      .where('user_id', '=', of.user_id)
      .executeTakeFirst(),
  );

export const savePreferences = async (tx: Db, of: Of, next: MailPreferences): Promise<void> => {
  const flag = (on: boolean): number => (on ? 1 : 0);
  const values = {
    language: next.language,
    assigned: flag(next.assigned),
    due: flag(next.due),
    done: flag(next.done),
    severe: flag(next.severe),
    weekly: flag(next.weekly),
    comments: flag(next.comments),
  };
  const { company_id, user_id } = of;
  await tx
    .insertInto('mail_preferences')
    .values({ company_id, user_id, ...values })
    .onConflict((oc) => oc.columns(['company_id', 'user_id']).doUpdateSet(values))
    .execute();
};
