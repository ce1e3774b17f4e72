/**
 * Pure: what was refused of a report, by the form's own controls, so that "Fix" leads to the field and says why. It stands at a
 * field until what is in it was changed.
 */
import type { Problem } from '../../../contract/problem.ts';
import { type Answers, LOOKUPS, type LookupName } from './answers.ts';

/** The control of a field as the API names it: `near_miss.work_activity_id`, `near_miss.custom_field_7`; null: none. */
const controlOf = (field: string): string | null => {
  const last = field.split('.').at(-1) ?? field;
  if (last === 'description') return 'what';
  const known = /^custom_field_\d+$/u.test(last) || LOOKUPS.some((name) => name === last);
  return known ? last : null;
};

const valueOf = ({ what, lookups, custom }: Answers, key: string): unknown => {
  if (key === 'what') return what;
  return key in lookups ? lookups[key as LookupName] : (custom[key] ?? null);
};

/** By control, in the server's words without their full stop. */
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

/** The refusals that still stand: what was refused is still there. */
export const standing = (refusals: Refusals, refused: Answers, now: Answers): Refusals =>
  Object.fromEntries(
    Object.entries(refusals).filter(([key]) => valueOf(refused, key) === valueOf(now, key)),
  );
