/**
 * [ours] Decides which mails a change of a near miss causes, and writes them to the outbox in the transaction of the change
 * (decisions §16.1). Nobody is mailed about an own change, and nobody about a private incident.
 */
import type { MailKind } from '../../../contract/rest/access/mail.ts';
import type { Db } from '../../store/engine/db.ts';
import { insertMails } from '../../store/mail/mail-queue.ts';
import { choiceOf, preferencesOf } from '../../store/mail/mail-preferences.ts';
import { listReaders, type ReaderRow } from '../../store/mail/mail-readers.ts';
import { readDefinitions } from '../catalog.ts';
import type { StoredFields } from '../near-misses/custom-fields.ts';
import { isMailAddress } from './address.ts';
import { namesUser, mailFieldsOf, saidIn, type Said } from './follow-up.ts';

export interface MailChange {
  readonly db: Db;
  /** False: the service sends no mail, so none is written. */
  readonly mail: boolean;
  readonly company_id: number;
  readonly project_id: number;
  /** The user who makes the change. */
  readonly user_id: number;
  readonly now: number;
}

/** A near miss after the change. */
export interface MailedRecord {
  readonly id: number;
  readonly author_id: number;
  readonly incident_private: number;
  readonly custom_fields: string;
  /** The stamp of the change, which makes its events unique. */
  readonly updated_at: number;
}

const nothing: Said = { what: '', who: '', due: '', done: '', answer: '', severest: false };

type ChangeKind = Extract<MailKind, 'assigned' | 'answered' | 'done' | 'severe'>;

/** The kinds of mail that a change causes, before the recipients are chosen. */
export const kindsOf = (before: Said, after: Said): readonly ChangeKind[] => [
  ...(after.who !== '' && after.who !== before.who && after.done === ''
    ? (['assigned'] as const)
    : []),
  ...(after.answer !== '' && before.answer === '' ? (['answered'] as const) : []),
  ...(after.done !== '' && before.done === '' ? (['done'] as const) : []),
  ...(after.severest && !before.severest ? (['severe'] as const) : []),
];

const hears = (kind: ChangeKind, reader: ReaderRow, record: MailedRecord, said: Said): boolean => {
  if (!preferencesOf(reader)[choiceOf(kind)]) return false;
  if (kind === 'assigned') return namesUser(said.who, reader);
  return kind === 'severe' || reader.id === record.author_id;
};

/** @param had the custom fields before the change; null for a new near miss */
export const recordMails = async (
  { db, mail, company_id, project_id, user_id, now }: MailChange,
  record: MailedRecord,
  had: string | null,
): Promise<void> => {
  // Most changes touch no custom field, and then nothing is read.
  if (!mail || record.incident_private === 1 || record.custom_fields === (had ?? '{}')) return;
  const fields = mailFieldsOf(await readDefinitions(db, { company_id, project_id }));
  const said = saidIn(fields, JSON.parse(record.custom_fields) as StoredFields);
  const before = had === null ? nothing : saidIn(fields, JSON.parse(had) as StoredFields);
  const kinds = kindsOf(before, said);
  if (kinds.length === 0) return;
  const { id: near_miss_id, author_id, updated_at } = record;
  const readers = await listReaders(db, { company_id, project_id, author_id });
  const others = readers.filter(({ id, login }) => id !== user_id && isMailAddress(login));
  await insertMails(
    db,
    kinds.flatMap((kind) =>
      others
        .filter((reader) => hears(kind, reader, record, said))
        .map((reader) => ({
          company_id,
          user_id: reader.id,
          near_miss_id,
          kind,
          event: `${kind}/${near_miss_id}/${updated_at}`,
          due: kind === 'assigned' && said.due !== '' ? said.due : null,
          by_user_id: user_id,
          created_at: now,
        })),
    ),
  );
};
