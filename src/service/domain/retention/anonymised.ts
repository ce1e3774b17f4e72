/**
 * [ours] What is left of a near miss that was anonymised (decisions §20.3): what figures count, and nothing that a person wrote. Pure.
 */
import { answerParts, followUpParts } from '../../../contract/field-labels.ts';
import { languages, type Language } from '../../../contract/languages.ts';
import {
  eachField,
  lookupFields,
  textFields,
  type LookupField,
} from '../../../contract/rest/near-miss-fields.ts';
import { type FieldPart, fieldOfPart } from '../../../contract/text/field-by-label.ts';
import { readSeen } from '../../../contract/text/seen.ts';
import type { NearMissRow } from '../../store/near-misses/near-miss-lists.ts';
import type { Definitions, StoredFields } from '../near-misses/custom-fields.ts';
import { conflict } from '../problem.ts';

/** In place of a text that figures count as given. It is the same in every language. */
export const REMOVED = '—';

/** Types of fields in which nobody writes a text. */
const KEPT_TYPES: readonly string[] = ['number', 'date', 'datetime', 'boolean', 'select'];

/** The moment of an answer stays, because figures measure how long it took. */
export const seenWithout = (text: string): string =>
  readSeen(text).at === null ? REMOVED : `${text.slice(0, 23)} ${REMOVED}`;

/** Texts go, choices stay. Of follow-up and answer stays that there was one. */
const customWithout = (stored: StoredFields, definitions: Definitions): StoredFields => {
  const all = [...definitions.values()];
  const idOf = (part: FieldPart): string => String(fieldOfPart(all, part)?.id ?? '');
  const [what, who] = [idOf(followUpParts.what), idOf(followUpParts.who)];
  const [seen, answer] = [idOf(answerParts.seen), idOf(answerParts.what)];
  const has = (id: string): boolean => (stored[id] ?? '').trim() !== '';
  const kept = Object.entries(stored).filter(([id]) =>
    KEPT_TYPES.includes(definitions.get(Number(id))?.data_type ?? ''),
  );
  return {
    ...Object.fromEntries(kept),
    ...(has(what) || has(who) ? { [what === '' ? who : what]: REMOVED } : {}),
    ...(has(seen) ? { [seen]: seenWithout((stored[seen] ?? '').trim()) } : {}),
    ...(has(answer) ? { [answer]: REMOVED } : {}),
  };
};

/** The description in every language, because it is stored once for all readers. */
const anonymisedOn: Readonly<Record<Language, (day: string) => string>> = {
  en: (day) => `Anonymised on ${day}.`,
  es: (day) => `Anonimizado el ${day}.`,
  pl: (day) => `Zanonimizowano ${day}.`,
};

/** Lookups that name a person. */
const PEOPLE: readonly LookupField[] = ['affected_party_id', 'affected_person_id'];

/** The row as it is afterwards. @param at the stamp of the change */
export const withoutPeople = (
  row: NearMissRow,
  definitions: Definitions,
  at: number,
): NearMissRow => {
  const day = new Date(at).toISOString().slice(0, 10);
  const text = languages.map((one) => anonymisedOn[one](day)).join(' ');
  return {
    ...row,
    ...eachField(textFields, () => ''),
    ...eachField(
      lookupFields.filter((name) => PEOPLE.includes(name)),
      () => null,
    ),
    affected_party_name: null,
    affected_person_name: null,
    affected_person_login: null,
    description: text,
    description_plain_text: text,
    custom_fields: JSON.stringify(
      customWithout(JSON.parse(row.custom_fields) as StoredFields, definitions),
    ),
    attachment_count: 0,
    comment_count: 0,
    anonymised_at: at,
    updated_at: at,
  };
};

/** A near miss that was anonymised gets no new texts. @throws Refusal 409 */
export const requireNames = ({ anonymised_at }: Pick<NearMissRow, 'anonymised_at'>): void => {
  if (typeof anonymised_at !== 'number') return;
  const day = new Date(anonymised_at).toISOString().slice(0, 10);
  throw conflict(
    `This near miss was anonymised on ${day}, because the company keeps reports for a limited time. It can no longer be changed.`,
  );
};
