/** Reads the follow-up and the potential severity of a near miss from its custom fields (decisions §4.7, §16.1). Pure. */
import { answerParts, followUpParts, severityPart } from '../../../contract/field-labels.ts';
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import { type FieldPart, fieldOfPart } from '../../../contract/text/field-by-label.ts';
import { isNamed } from '../../../contract/text/is-named.ts';
import type { Definitions, StoredFields } from '../near-misses/custom-fields.ts';

/** The fields of a project; undefined: it has none. */
export interface MailFields {
  readonly what: CustomFieldDefinition | undefined;
  readonly who: CustomFieldDefinition | undefined;
  readonly due: CustomFieldDefinition | undefined;
  readonly done: CustomFieldDefinition | undefined;
  readonly answer: CustomFieldDefinition | undefined;
  readonly severity: CustomFieldDefinition | undefined;
}

export const mailFieldsOf = (definitions: Definitions): MailFields => {
  const all = [...definitions.values()];
  const fieldOf = (part: FieldPart) => fieldOfPart(all, part);
  return {
    what: fieldOf(followUpParts.what),
    who: fieldOf(followUpParts.who),
    due: fieldOf(followUpParts.due),
    done: fieldOf(followUpParts.done),
    answer: fieldOf(answerParts.what),
    severity: fieldOf(severityPart),
  };
};

export interface Said {
  /** '' when empty, like the others. */
  readonly what: string;
  readonly who: string;
  /** `2026-11-20` */
  readonly due: string;
  readonly done: string;
  /** What was done, in words for the reporter (decisions §4.10). */
  readonly answer: string;
  /** True if the potential severity is the last option of its field. */
  readonly severest: boolean;
}

export const saidIn = (fields: MailFields, stored: StoredFields): Said => {
  const text = (field: CustomFieldDefinition | undefined): string =>
    field === undefined ? '' : (stored[String(field.id)] ?? '').trim();
  const severity = text(fields.severity);
  return {
    what: text(fields.what),
    who: text(fields.who),
    due: text(fields.due),
    done: text(fields.done),
    answer: text(fields.answer),
    severest: severity !== '' && severity === fields.severity?.options.at(-1),
  };
};

interface Named {
  readonly name: string;
  readonly login: string;
  readonly person_name: string | null;
}

/** "Follow-up by" names a user by name, login, or the name of the person with the login (decisions §12.3). */
export const namesUser = (who: string, { name, login, person_name }: Named): boolean =>
  isNamed(who, [name, login, person_name ?? '']);
