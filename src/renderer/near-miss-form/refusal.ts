/**
 * Pure: maps a refusal of the server to the form's controls, so that "Fix" leads to the field. It stays until the field is
 * changed.
 */
import type { Problem } from '../../contract/problem.ts';
import { isText } from '../../contract/rest/near-miss-fields.ts';
import { type Answers, LOOKUPS, type LookupName } from './answers.ts';

/** The control of an API field: `near_miss.work_activity_id`, `near_miss.custom_field_7`; null if there is none. */
const controlOf = (field: string): string | null => {
  const last = field.split('.').at(-1) ?? field;
  if (last === 'description') return 'what';
  const known =
    /^custom_field_\d+$/u.test(last) || isText(last) || LOOKUPS.some((name) => name === last);
  return known ? last : null;
};

const valueOf = ({ what, lookups, texts, custom }: Answers, key: string): unknown => {
  if (key === 'what') return what;
  if (isText(key)) return texts[key];
  return key in lookups ? lookups[key as LookupName] : (custom[key] ?? null);
};

/** By control: the server's messages without the final full stop. */
type Refusals = Readonly<Record<string, string>>;

export const refusalsOf = (problem: Problem | null): Refusals => {
  if (problem?.kind !== 'refused' && problem?.kind !== 'bad_input') return {};
  return Object.fromEntries(
    Object.entries(problem.fields).flatMap(([field, messages]) => {
      const key = controlOf(field);
      const said = messages.map((message) => message.trim().replace(/\.$/u, '')).join('; ');
      return key === null ? [] : [[key, said]];
    }),
  );
};

/** The refusals whose refused value is still in the form. */
export const standing = (refusals: Refusals, refused: Answers, now: Answers): Refusals =>
  Object.fromEntries(
    Object.entries(refusals).filter(([key]) => valueOf(refused, key) === valueOf(now, key)),
  );
