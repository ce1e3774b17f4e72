/**
 * Reads the answer to a near miss (decisions §4.10): who has seen it and when, and one line about what was done. Both are
 * custom fields, found by their labels in any language. Pure.
 */
import { answerParts } from '../../../contract/field-labels.ts';
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import { readSeen } from '../../../contract/text/seen.ts';
import { customKey, fieldOfPart } from '../../../contract/text/field-by-label.ts';
import type { NearMissFields } from '../db/db.ts';

export interface AnswerFields {
  readonly seen: CustomFieldDefinition;
  readonly what: CustomFieldDefinition;
}

/** Null when one of them has no field: then nobody can answer in this project. */
export const answerFields = (
  definitions: readonly CustomFieldDefinition[],
): AnswerFields | null => {
  const seen = fieldOfPart(definitions, answerParts.seen);
  const what = fieldOfPart(definitions, answerParts.what);
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

export const answerOf = (
  { custom_fields }: Pick<NearMissFields, 'custom_fields'>,
  fields: AnswerFields,
): Answer => {
  const text = (part: keyof AnswerFields): string =>
    String(custom_fields[customKey(fields[part])] ?? '').trim();
  const { by, at } = readSeen(text('seen'));
  const what = text('what');
  return { seen_by: by, seen_at: at, what, answered: by !== '' || what !== '' };
};
