/** [ours] What a user is mailed about, and the list of a company's mails (decisions §16.2, §16.5). */
import type {
  Mail,
  MailPreferences,
  ShownMailPreferences,
} from '../../../contract/rest/access/mail.ts';
import type { Db } from '../../store/engine/db.ts';
import { findPreferences, savePreferences } from '../../store/mail/mail-preferences.ts';
import * as queue from '../../store/mail/mail-queue.ts';
import { contentTag, requireMatch } from '../etag.ts';
import { wireTime, wireTimeOrNull } from '../near-misses/near-miss-view.ts';
import { pageOf, type Page, type Paged } from '../page.ts';
import { isMailAddress } from './address.ts';

interface Owner {
  readonly company_id: number;
  readonly user: { readonly id: number; readonly login: string };
  /** True if this service sends mail. */
  readonly offered: boolean;
}

/** The choices and the ETag of this state (decisions §1.7). */
interface Tagged {
  readonly data: ShownMailPreferences;
  readonly etag: string;
}

const shown = ({ user, offered }: Owner, chosen: MailPreferences): Tagged => {
  const data = { ...chosen, offered, reachable: isMailAddress(user.login) };
  return { data, etag: contentTag(data) };
};

const keyOf = ({ company_id, user }: Owner) => ({ company_id, user_id: user.id });

export const showPreferences = async (db: Db, owner: Owner): Promise<Tagged> =>
  shown(owner, await findPreferences(db, keyOf(owner)));

type Given = { readonly [N in keyof MailPreferences]?: MailPreferences[N] | undefined };

/** @throws Refusal 412 */
export const updatePreferences = async (
  tx: Db,
  owner: Owner,
  given: Given,
  if_match: string | undefined,
): Promise<Tagged> => {
  const had = await findPreferences(tx, keyOf(owner));
  requireMatch(if_match, shown(owner, had).etag);
  const next: MailPreferences = {
    language: given.language ?? had.language,
    assigned: given.assigned ?? had.assigned,
    due: given.due ?? had.due,
    done: given.done ?? had.done,
    severe: given.severe ?? had.severe,
    weekly: given.weekly ?? had.weekly,
    comments: given.comments ?? had.comments,
  };
  await savePreferences(tx, keyOf(owner), next);
  return shown(owner, next);
};

/** Ends all mail of a user in a company. The user may choose again later. */
export const unsubscribe = async (
  tx: Db,
  of: { readonly company_id: number; readonly user_id: number },
): Promise<void> => {
  const { language } = await findPreferences(tx, of);
  const none = { assigned: false, due: false, done: false, comments: false };
  await savePreferences(tx, of, { language, ...none, severe: false, weekly: false });
};

type Row = Awaited<ReturnType<typeof queue.listMails>>[number];

const view = (row: Row): Mail => ({
  id: row.id,
  user: { id: row.user_id, name: row.name, login: row.login },
  kind: row.kind as Mail['kind'],
  created_at: wireTime(row.created_at),
  ended_at: wireTimeOrNull(row.ended_at),
  outcome: (row.outcome ?? 'waiting') as Mail['outcome'],
  failures: row.failures,
  error: row.error,
});

/** Newest first. */
export const listMails = (db: Db, company_id: number, paged: Paged): Promise<Page<Mail>> =>
  pageOf(paged, {
    count: () => queue.countMails(db, company_id),
    rows: (slice) => queue.listMails(db, company_id, slice),
    view: (rows) => rows.map(view),
  });
