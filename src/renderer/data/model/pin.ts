/**
 * Reads and writes the place of a near miss on a plan (decisions §17.4). Pure. It is one plain-text custom field, found by its label
 * in any language, so that any server keeps it and any tool shows it:
 *
 *     Level 3 @0.42,0.61 #57
 *
 * A text in another form is a person's own words and is no pin.
 */
import { pinPart } from '../../../contract/field-labels.ts';
import type { CustomFieldDefinition } from '../../../contract/rest/catalog.ts';
import type { Plan } from '../../../contract/rest/plans/plans.ts';
import { customKey, fieldOfPart } from '../../../contract/text/field-by-label.ts';
import type { NearMissFields } from '../db/db.ts';

/** A place on a drawing: fractions of its width from the left, and of its height from the top. */
export interface PlanPoint {
  readonly x: number;
  readonly y: number;
}

export interface Pin extends PlanPoint {
  /** Name and number of the plan when the pin was set. */
  readonly label: string;
  readonly revision_id: number;
}

/** The field of pins; undefined if the project has none. A required field does not qualify, because few places are on a plan. */
export const pinField = (
  definitions: readonly CustomFieldDefinition[],
): CustomFieldDefinition | undefined =>
  fieldOfPart(
    definitions.filter(({ required }) => !required),
    pinPart,
  );

const FRACTION = String.raw`(0(?:\.\d{1,9})?|1(?:\.0{1,9})?)`;
const PIN = new RegExp(String.raw`^(.*?) ?@${FRACTION},${FRACTION} #([1-9]\d{0,14})$`, 'su');

/** The pin that a text says; null if it says none. */
export const readPin = (text: unknown): Pin | null => {
  if (typeof text !== 'string' || text.length > 500) return null;
  const [, label, x, y, id] = PIN.exec(text.trim()) ?? [];
  return label === undefined
    ? null
    : { label, x: Number(x), y: Number(y), revision_id: Number(id) };
};

const tidy = (label: string): string =>
  label
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** Four decimals: a thousandth of a drawing that is ten metres wide is a centimetre. */
const fraction = (value: number): string =>
  String(Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000);

export const writePin = ({ label, x, y, revision_id }: Pin): string =>
  `${tidy(label)} @${fraction(x)},${fraction(y)} #${revision_id}`.trim();

export const planLabel = ({ name, number }: Pick<Plan, 'name' | 'number'>): string =>
  number === null ? name : `${name} (${number})`;

/** The text of the pin's field; '' if it is empty. */
export const pinTextOf = (
  { custom_fields }: Pick<NearMissFields, 'custom_fields'>,
  field: CustomFieldDefinition | undefined,
): string => {
  const text = field ? custom_fields[customKey(field)] : null;
  return typeof text === 'string' ? text.trim() : '';
};

/** Where a pin is: its plan, its revision, and whether a newer revision exists. */
export interface PinPlace {
  readonly plan: Plan;
  readonly revision: Plan['revisions'][number];
  readonly older: boolean;
}

/** Null if none of these plans has the revision. */
export const placeOfPin = (
  plans: readonly Plan[],
  { revision_id }: Pick<Pin, 'revision_id'>,
): PinPlace | null => {
  for (const plan of plans) {
    const at = plan.revisions.findIndex(({ id }) => id === revision_id);
    const revision = plan.revisions[at];
    if (revision) return { plan, revision, older: at > 0 };
  }
  return null;
};

/** A rectangle on a drawing, each end included. */
export interface PlanArea {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export const isWithin = ({ x, y }: PlanPoint, area: PlanArea): boolean =>
  x >= area.left && x <= area.right && y >= area.top && y <= area.bottom;

/** Plans in the order of their numbers, then names, as on a list of drawings. */
export const sortPlans = (plans: readonly Plan[]): readonly Plan[] => {
  const key = ({ name, number }: Plan): string => `${number ?? '\uffff'} ${name}`;
  return plans.toSorted((a, b) => key(a).localeCompare(key(b), undefined, { numeric: true }));
};
