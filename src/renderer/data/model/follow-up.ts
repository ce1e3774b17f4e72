/**
 * Reads the follow-up of a near miss (decisions §4.7) from its custom fields, found by their labels in any
 * language. Pure. Whether it is due is never stored: it is computed from the local day.
 */
import { followUpParts } from '../../../contract/field-labels.ts';
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import type { NearMissFields } from '../db/db.ts';
import { customKey, fieldOfPart } from '../../../contract/text/field-by-label.ts';

type Part = keyof typeof followUpParts;

export type FollowUpFields = Readonly<Record<Part, CustomFieldDefinition>>;

/** Null when any part has no field: then this project has no follow-up. */
export const followUpFields = (
  definitions: readonly CustomFieldDefinition[],
): FollowUpFields | null => {
  const fieldOf = (part: Part) => fieldOfPart(definitions, followUpParts[part]);
  const [what, who] = [fieldOf('what'), fieldOf('who')];
  const [due, done] = [fieldOf('due'), fieldOf('done')];
  return what && who && due && done ? { what, who, due, done } : null;
};

/** `due`: due today. `none`: no follow-up. */
export type Standing = 'none' | 'open' | 'due' | 'overdue' | 'done';

export interface FollowUp {
  readonly what: string;
  readonly who: string;
  /** Days, `2026-11-20`; '' when empty. */
  readonly due: string;
  readonly done: string;
  readonly standing: Standing;
}

const standingOf = (said: Omit<FollowUp, 'standing'>, today: string): Standing => {
  if (said.done !== '') return 'done';
  if (said.what + said.who + said.due === '') return 'none';
  if (said.due === '' || said.due > today) return 'open';
  return said.due === today ? 'due' : 'overdue';
};

/** @param today the local day, `2026-11-20` */
export const followUpOf = (
  { custom_fields }: Pick<NearMissFields, 'custom_fields'>,
  fields: FollowUpFields,
  today: string,
): FollowUp => {
  const text = (part: Part): string => String(custom_fields[customKey(fields[part])] ?? '').trim();
  const said = { what: text('what'), who: text('who'), due: text('due'), done: text('done') };
  return { ...said, standing: standingOf(said, today) };
};

/** The follow-up as it was on a past day: later completion does not count. */
export const followUpThen = (
  near_miss: Pick<NearMissFields, 'custom_fields'>,
  fields: FollowUpFields,
  day: string,
): FollowUp => {
  const said = followUpOf(near_miss, fields, day);
  if (said.done <= day) return said;
  const then = { ...said, done: '' };
  return { ...then, standing: standingOf(then, day) };
};

/** The parts of a form that differ from `shown`, the values it was opened with. */
export const followUpTyped = (
  typed: Readonly<Partial<Record<Part, string>>>,
  shown: Readonly<Partial<Record<Part, string>>>,
): Readonly<Partial<Record<Part, string>>> =>
  Object.fromEntries(
    (Object.keys(typed) as Part[])
      .filter((part) => typed[part]?.trim() !== shown[part])
      .map((part) => [part, typed[part]]),
  );

/** The field change that saves the given parts. '' clears a part; omitted parts stay unchanged. */
export const followUpChange = (
  fields: FollowUpFields,
  said: Readonly<Partial<Record<Part, string>>>,
): Pick<NearMissFields, 'custom_fields'> => ({
  custom_fields: Object.fromEntries(
    (Object.keys(said) as Part[]).map((part) => [
      customKey(fields[part]),
      said[part]?.trim() || null,
    ]),
  ),
});
