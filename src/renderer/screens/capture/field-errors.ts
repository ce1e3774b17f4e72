/** Pure: the sentence at a field of the form, for what is missing or unreadable in it or what the server refused. */
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import type { Trouble } from '../../near-miss-form/answers.ts';
import { customKey } from '../../../contract/text/field-by-label.ts';
import { words } from '../../words/words.ts';

export interface FieldErrors {
  /** By key: `what`, `incident_id`, `custom_field_7`. Empty until Save was pressed. */
  readonly troubles: Readonly<Record<string, Trouble>>;
  /** By key: what the server says about a value that is still in the form. */
  readonly refused: Readonly<Record<string, string>>;
  readonly definitions: readonly CustomFieldDefinition[];
  readonly nameOf: (key: string) => string;
}

export const errorAt = (
  key: string,
  { troubles, refused, definitions, nameOf }: FieldErrors,
): string | undefined => {
  const t = words.capture;
  const trouble = troubles[key];
  if (trouble === undefined)
    return refused[key] === undefined ? undefined : t.refused_here(refused[key]);
  if (key === 'what') return trouble === 'too_long' ? t.what_long : t.what_missing;
  if (key === 'incident_id') return t.incident_missing;
  switch (trouble) {
    case 'not_a_day': {
      const field = definitions.find((definition) => customKey(definition) === key);
      return words.dates[field?.data_type === 'date' ? 'unreadable' : 'unreadable_time'];
    }
    case 'not_a_number':
      return t.not_a_number;
    case 'not_a_choice':
      return t.not_a_choice;
    default:
      return t.required(nameOf(key));
  }
};
