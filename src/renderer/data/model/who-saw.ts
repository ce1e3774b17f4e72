/**
 * Reads who saw a near miss, and the code with which somebody who stays unnamed asks for the answer (decisions §4.12). Both are custom
 * fields, found by their labels in any language. Pure.
 */
import { whoSawParts } from '../../../contract/field-labels.ts';
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import { fold } from '../../../contract/text/fold.ts';
import { customKey, fieldOfPart } from '../../../contract/text/field-by-label.ts';
import { namesNobody, SOMEBODY_ELSE, UNNAMED } from '../../../contract/text/who-saw.ts';
import type { NearMissFields } from '../db/db.ts';

export interface WhoSawFields {
  readonly who: CustomFieldDefinition;
  readonly code: CustomFieldDefinition;
}

/** Null when one of them has no field: then the form does not ask. A required field does not qualify: the reporter has no name in it. */
export const whoSawFields = (
  definitions: readonly CustomFieldDefinition[],
): WhoSawFields | null => {
  const free = definitions.filter(({ required }) => !required);
  const who = fieldOfPart(free, whoSawParts.who);
  const code = fieldOfPart(free, whoSawParts.code);
  return who && code ? { who, code } : null;
};

type Values = Pick<NearMissFields, 'custom_fields'>;

const textOf = ({ custom_fields }: Values, field: CustomFieldDefinition): string =>
  String(custom_fields[customKey(field)] ?? '').trim();

export interface WhoSaw {
  readonly unnamed: boolean;
  /** '' for the reporter, and for somebody without a name. */
  readonly name: string;
  /** '' if the near miss has none. */
  readonly code: string;
}

export const whoSawOf = (values: Values, fields: WhoSawFields): WhoSaw => {
  const who = textOf(values, fields.who);
  return {
    unnamed: who === UNNAMED,
    name: namesNobody(who) ? '' : who,
    code: textOf(values, fields.code),
  };
};

/** Replaces a name by a text without one, for places that must not keep a name before the report is saved. */
export const withoutName = <T extends Partial<Values>>(
  values: T,
  fields: WhoSawFields | null,
): T => {
  const key = fields === null ? '' : customKey(fields.who);
  const who = values.custom_fields?.[key];
  if (typeof who !== 'string' || namesNobody(who)) return values;
  return { ...values, custom_fields: { ...values.custom_fields, [key]: SOMEBODY_ELSE } };
};

/**
 * Consonants without L, Q and V, which are read as I, O and U. Without vowels no code is a word. There are 18^6 = 34,012,224
 * codes: beside 1,000 others, a new code equals one of them once in 34,000 times.
 */
const LETTERS = 'BCDFGHJKMNPRSTWXYZ';
const LENGTH = 6;

/** A new code, from the random numbers of the system. */
export const newAnswerCode = (): string => {
  let code = '';
  while (code.length < LENGTH) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
    // The bytes above the last multiple of 18 would make some letters likelier.
    if (byte < 256 - (256 % LETTERS.length)) code += LETTERS.charAt(byte % LETTERS.length);
  }
  return code;
};

/** A code as typed, in any case and with blanks or hyphens; null if it is none. */
export const readAnswerCode = (typed: string): string | null => {
  const code = fold(typed)
    .replace(/[\s-]+/gu, '')
    .toUpperCase();
  return code.length === LENGTH && [...code].every((letter) => LETTERS.includes(letter))
    ? code
    : null;
};

/** Two groups of three letters, to read out. */
export const spacedCode = (code: string): string =>
  readAnswerCode(code) === code ? `${code.slice(0, 3)} ${code.slice(3)}` : code;
