/**
 * Pure: severity in three levels, and on demand the 5 x 5 matrix of severity and likelihood. Stored in custom fields if the
 * catalog has them. The API has no such field, so otherwise both become the last paragraph of the description, which every
 * reader sees and this module parses again.
 */
import type { CustomFieldDefinition } from '../../contract/rest/catalog.ts';
import { words } from '../words/words.ts';

export const FIVE = [1, 2, 3, 4, 5] as const;
export type Five = (typeof FIVE)[number];
/** Minor, serious, could have killed. */
export const LEVELS = [0, 1, 2] as const;
export type Level = (typeof LEVELS)[number];

export interface Risk {
  readonly severity: Five;
  readonly likelihood: Five;
}

/** The part of the rating that has no custom field and goes into the text. */
export interface Rating {
  readonly level: Level | null;
  readonly risk: Risk | null;
}

export const noRating: Rating = { level: null, risk: null };

const LEVEL_OF: readonly Level[] = [0, 0, 0, 1, 2, 2];

/** The level of a matrix severity: first aid is minor, lost days are serious, lifelong harm could have killed. */
export const levelOf = ({ severity }: Risk): Level => LEVEL_OF[severity] ?? 0;

/** The usual bands of a 5 x 5: below 5 low, from 15 high. */
export const bandOf = ({ severity, likelihood }: Risk): 'low' | 'medium' | 'high' => {
  const score = severity * likelihood;
  return score >= 15 ? 'high' : score >= 5 ? 'medium' : 'low';
};

const asFive = (value: unknown): Five | null => FIVE.find((one) => one === Number(value)) ?? null;

/** True if a field can store 1 to 5: a number, or a select with five options. */
export const holdsFive = ({ data_type, options }: CustomFieldDefinition): boolean =>
  data_type === 'number' || (data_type === 'select' && options.length === 5);

/** A value from 1 to 5 as the field stores it. */
export const fiveTo = (definition: CustomFieldDefinition, five: Five): string =>
  definition.data_type === 'select' ? (definition.options[five - 1] ?? '') : String(five);

export const fiveFrom = (
  definition: CustomFieldDefinition,
  value: string | boolean | null | undefined,
): Five | null =>
  definition.data_type === 'select'
    ? asFive(definition.options.indexOf(String(value ?? '')) + 1)
    : asFive(value);

/** The paragraph appended to the description; '' if there is no rating. */
export const ratingText = ({ level, risk }: Rating): string => {
  const t = words.capture.rating;
  return [
    ...(level === null ? [] : [t.level_in_text(level)]),
    ...(risk === null ? [] : [t.risk_in_text(risk.severity, risk.likelihood)]),
  ].join(' ');
};

/** Matches the paragraph in any language: `… (3 of 3).` and `… 5 × 5: … 4, … 2.` */
const LEVEL = /^[^().]{1,60} \(([1-3]) \p{L}{1,8} 3\)\.(?: |$)/u;
const RISK = /^[^.:]{0,40}5 × 5: [^\d.]{1,40}([1-5]), [^\d.]{1,40}([1-5])\.$/u;

const readRating = (paragraph: string): Rating | null => {
  const level = LEVEL.exec(paragraph);
  const rest = level === null ? paragraph : paragraph.slice(level[0].length);
  const risk = RISK.exec(rest);
  if (rest !== '' && risk === null) return null;
  const [severity, likelihood] = [asFive(risk?.[1]), asFive(risk?.[2])];
  return {
    level: level === null ? null : (LEVELS[Number(level[1]) - 1] ?? null),
    risk: severity === null || likelihood === null ? null : { severity, likelihood },
  };
};

/** Splits a description into the typed text and the appended rating. */
export const splitRating = (text: string): { readonly what: string; readonly rating: Rating } => {
  const at = text.lastIndexOf('\n\n');
  const last = text.slice(at < 0 ? 0 : at + 2);
  const rating = last === '' ? null : readRating(last);
  if (rating === null) return { what: text, rating: noRating };
  return { what: at < 0 ? '' : text.slice(0, at), rating };
};

export const joinRating = (what: string, rating: Rating): string =>
  [what.trim(), ratingText(rating)].filter((part) => part !== '').join('\n\n');

export const sameRating = (a: Rating, b: Rating): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
