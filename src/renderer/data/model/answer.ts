/**
 * Reads and writes the answer to a near miss (decisions §4.10): who has seen it and when, and one line about what was done. Both are
 * custom fields, found by their labels in either language. Pure.
 */
import { answerParts } from '../../../contract/field-labels.ts';
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import { readSeen, writeSeen } from '../../../contract/text/seen.ts';
import { fieldByLabel } from '../../../contract/text/field-by-label.ts';
import type { NearMissFields } from '../db/db.ts';

export interface AnswerFields {
  readonly seen: CustomFieldDefinition;
  readonly what: CustomFieldDefinition;
}

const fieldOf = (definitions: readonly CustomFieldDefinition[], part: keyof AnswerFields) => {
  const types: readonly string[] = answerParts[part].types;
  const fit = definitions.filter(({ data_type }) => types.includes(data_type));
  return fieldByLabel(fit, answerParts[part].labels);
};

/** Null when one of them has no field: then nobody can answer in this project. */
export const answerFields = (
  definitions: readonly CustomFieldDefinition[],
): AnswerFields | null => {
  const [seen, what] = [fieldOf(definitions, 'seen'), fieldOf(definitions, 'what')];
  return seen && what ? { seen, what } : null;
};

export interface Answer {
  /** '' when nobody has. */
  readonly seen_by: string;
  /** Milliseconds; null when nobody has, or when another program wrote no time. */
  readonly seen_at: number | null;
  readonly what: string;
  readonly answered: boolean;
}

const keyOf = ({ id }: CustomFieldDefinition): string => `custom_field_${id}`;

export const answerOf = (
  { custom_fields }: Pick<NearMissFields, 'custom_fields'>,
  fields: AnswerFields,
): Answer => {
  const text = (part: keyof AnswerFields): string =>
    String(custom_fields[keyOf(fields[part])] ?? '').trim();
  const { by, at } = readSeen(text('seen'));
  const what = text('what');
  return { seen_by: by, seen_at: at, what, answered: by !== '' || what !== '' };
};

/** The field change of a press on *Seen*, or of a new line. '' clears a part; omitted parts stay unchanged. */
export const answerChange = (
  fields: AnswerFields,
  to: {
    readonly seen?: { readonly by: string; readonly at: number } | null;
    readonly what?: string;
  },
): Pick<NearMissFields, 'custom_fields'> => ({
  custom_fields: {
    ...(to.seen === undefined
      ? {}
      : { [keyOf(fields.seen)]: to.seen && writeSeen(to.seen.by, to.seen.at) }),
    ...(to.what === undefined ? {} : { [keyOf(fields.what)]: to.what.trim() || null }),
  },
});
