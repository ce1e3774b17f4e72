/**
 * [ours] Replaces people's names in what an evidence pack shows (decisions §19.4). Pure. Fields that hold a person, and the answer code,
 * are replaced whole; in all other texts the names that the company knows are.
 */
import { answerParts, followUpParts, whoSawParts } from '../../../contract/field-labels.ts';
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import type { HistoryChange } from '../../../contract/rest/history/near-miss-history.ts';
import { bareLabel, customKey, fieldOfPart } from '../../../contract/text/field-by-label.ts';
import { readSeen } from '../../../contract/text/seen.ts';
import { namesNobody } from '../../../contract/text/who-saw.ts';
import { withoutNames, type KnownNames } from '../../../contract/text/without-names.ts';
import { plainTextOf } from '../rich-text.ts';

const INSTEAD = '[name]';
/** The answer code leads from the slip of somebody who stays unnamed to the report (decisions §4.12). */
const INSTEAD_OF_CODE = '[code]';

/** Labels of fields that hold a person, besides those with a part of their own: `Told by`, `Testigo`, `Nazwisko świadka`. */
const PERSON_LABEL =
  /(?:^| )(?:by|por|przez|name|nombre|imie|nazwisko|witness(?:es)?|testigos?|swiadek|swiadka|swiadkowie)$/;

export interface Masker {
  readonly text: (text: string) => string;
  /** `key`: `custom_field_7`. */
  readonly field: (key: string, value: string) => string;
  readonly changes: (changes: readonly HistoryChange[]) => HistoryChange[];
}

/** Shows everything as it is written. */
export const noMask: Masker = {
  text: (text) => text,
  field: (_key, value) => value,
  changes: (changes) => [...changes],
};

/** Names that the fields of persons hold, or held: the record names these people, so parts of their names are masked too. */
export const namesInFields = (
  definitions: readonly CustomFieldDefinition[],
  values: (key: string) => readonly (string | number | null)[],
): string[] =>
  definitions
    .filter((one) => isPersonField(definitions, one))
    .flatMap((one) => values(customKey(one)))
    .filter((value) => typeof value === 'string')
    .filter((text) => !namesNobody(text))
    .map((text) => readSeen(text).by);

const isPersonField = (
  definitions: readonly CustomFieldDefinition[],
  one: CustomFieldDefinition,
): boolean =>
  [followUpParts.who, answerParts.seen, whoSawParts.who].some(
    (part) => fieldOfPart(definitions, part)?.id === one.id,
  ) ||
  (['string', 'text', 'select'].includes(one.data_type) && PERSON_LABEL.test(bareLabel(one.label)));

/** Tags may split a name, and attributes hold one: where there is one, the text alone is shown. */
const richText = (html: string, text: Masker['text']): string => {
  const [plain, masked] = [plainTextOf(html), text(plainTextOf(html))];
  return masked === plain.normalize('NFC') && text(html) === html.normalize('NFC') ? html : masked;
};

/** *Seen* keeps its moment, and *Who saw it* that somebody stays unnamed. */
const maskedPerson = (value: string): string => {
  if (namesNobody(value)) return value;
  const { at } = readSeen(value);
  return at === null ? INSTEAD : `${new Date(at).toISOString()} ${INSTEAD}`;
};

export const maskerOf = (
  definitions: readonly CustomFieldDefinition[],
  known: KnownNames,
): Masker => {
  const persons = new Set(
    definitions.filter((one) => isPersonField(definitions, one)).map(customKey),
  );
  const code = fieldOfPart(definitions, whoSawParts.code);
  const text = (value: string): string => withoutNames(value, known, INSTEAD);
  const field: Masker['field'] = (key, value) => {
    if (code !== undefined && key === customKey(code)) return INSTEAD_OF_CODE;
    return persons.has(key) ? maskedPerson(value) : text(value);
  };
  const value = (key: string, one: HistoryChange['from']): HistoryChange['from'] => {
    if (typeof one !== 'string') return one;
    return key === 'description' ? richText(one, text) : field(key, one);
  };
  return {
    text,
    field,
    changes: (changes) =>
      changes.map((change) => {
        // A file's name is free text that is rarely read.
        if (change.field === 'attachments')
          return {
            ...change,
            from: change.from === null ? null : '[photo]',
            to: change.to === null ? null : '[photo]',
          };
        return {
          ...change,
          from: value(change.field, change.from),
          to: value(change.field, change.to),
        };
      }),
  };
};
