/**
 * Reads who saw a near miss, and the code with which somebody who stays unnamed asks for the answer (decisions §4.12). Both are custom
 * fields, found by their labels in any language. Pure.
 */
import { whoSawParts } from '../../../contract/field-labels.ts';
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
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
