/**
 * Pure: what has to be done after a near miss (decisions §4.7), told by the names of its custom fields, in either language. That
 * it is due is never stored: it is read from this computer's day.
 */
import type { CustomFieldDefinition } from '../../contract/rest/catalog.ts';
import type { NearMissFields } from './db.ts';
import { fieldByLabel } from './field-by-label.ts';

/** What firms call a part, as `bareLabel` writes it; the likeliest first. */
const parts = {
  what: {
    types: ['string', 'text'],
    labels: [
      'follow up',
      'follow up action',
      'corrective action',
      'further action',
      'seguimiento',
      'accion de seguimiento',
      'accion correctiva',
    ],
  },
  who: {
    types: ['string'],
    labels: [
      'follow up by',
      'follow up owner',
      'action owner',
      'responsible',
      'seguimiento a cargo de',
      'responsable del seguimiento',
      'responsable',
      'a cargo de',
    ],
  },
  due: {
    types: ['date'],
    labels: [
      'follow up date',
      'follow up due',
      'due date',
      'due',
      'fecha de seguimiento',
      'fecha limite',
      'plazo',
    ],
  },
  done: {
    types: ['date'],
    labels: [
      'follow up done',
      'follow up closed',
      'closed on',
      'completed on',
      'seguimiento hecho',
      'seguimiento cerrado',
      'fecha de cierre',
    ],
  },
} as const;
type Part = keyof typeof parts;

/** A custom field for each part. */
export type FollowUpFields = Readonly<Record<Part, CustomFieldDefinition>>;

const fieldOf = (definitions: readonly CustomFieldDefinition[], part: Part) => {
  const types: readonly string[] = parts[part].types;
  const fit = definitions.filter(({ data_type }) => types.includes(data_type));
  return fieldByLabel(fit, parts[part].labels);
};

/** Null where a part has no field: then nothing can be followed up here. */
export const followUpFields = (
  definitions: readonly CustomFieldDefinition[],
): FollowUpFields | null => {
  const [what, who] = [fieldOf(definitions, 'what'), fieldOf(definitions, 'who')];
  const [due, done] = [fieldOf(definitions, 'due'), fieldOf(definitions, 'done')];
  return what && who && due && done ? { what, who, due, done } : null;
};

/** `due`: today. `none`: nothing has to be done. */
export type Standing = 'none' | 'open' | 'due' | 'overdue' | 'done';

export interface FollowUp {
  readonly what: string;
  readonly who: string;
  /** Days, `2026-11-20`; '' where there is none. */
  readonly due: string;
  readonly done: string;
  readonly standing: Standing;
}

const keyOf = ({ id }: CustomFieldDefinition): string => `custom_field_${id}`;

const standingOf = (said: Omit<FollowUp, 'standing'>, today: string): Standing => {
  if (said.done !== '') return 'done';
  if (said.what + said.who + said.due === '') return 'none';
  if (said.due === '' || said.due > today) return 'open';
  return said.due === today ? 'due' : 'overdue';
};

/** @param today this computer's day, `2026-11-20` */
export const followUpOf = (
  { custom_fields }: Pick<NearMissFields, 'custom_fields'>,
  fields: FollowUpFields,
  today: string,
): FollowUp => {
  const text = (part: Part): string => String(custom_fields[keyOf(fields[part])] ?? '').trim();
  const said = { what: text('what'), who: text('who'), due: text('due'), done: text('done') };
  return { ...said, standing: standingOf(said, today) };
};

/** As it stood on a day that has passed: what was done later was not done yet. */
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

/** Of what stands in a form the parts that were typed over: `stood` is what it was opened with. */
export const followUpTyped = (
  typed: Readonly<Partial<Record<Part, string>>>,
  stood: Readonly<Partial<Record<Part, string>>>,
): Readonly<Partial<Record<Part, string>>> =>
  Object.fromEntries(
    (Object.keys(typed) as Part[])
      .filter((part) => typed[part]?.trim() !== stood[part])
      .map((part) => [part, typed[part]]),
  );

/** What a near miss is changed by: '' takes a part away. Parts that are left out stay as they are. */
export const followUpChange = (
  fields: FollowUpFields,
  said: Readonly<Partial<Record<Part, string>>>,
): Pick<NearMissFields, 'custom_fields'> => ({
  custom_fields: Object.fromEntries(
    (Object.keys(said) as Part[]).map((part) => [keyOf(fields[part]), said[part]?.trim() || null]),
  ),
});
