/** Ranges of time in filters (decisions §2.4). */
import { z } from 'zod';
import { asQuery } from './described.ts';

const moment = String.raw`\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2}))?`;
const rangePattern = new RegExp(`^(?:${moment})?\\.\\.\\.(?:${moment})?$`);

const RANGE_WORDS =
  '<start>...<end>, each YYYY-MM-DD, YYYY-MM-DDTHH:MM:SSZ or YYYY-MM-DDTHH:MM:SS+HH:MM, the start not after the end';

/** `start...end`: each side is a date, a UTC or zoned time, or empty (decisions §2.4). `parseRange` parses it further. */
export const dateRange = z
  .string({ error: 'must be one range' })
  .refine((value) => parseRange(value) !== null, `must be ${RANGE_WORDS}`)
  .meta(asQuery({ type: 'string', description: `${RANGE_WORDS}; one of them may be left out` }));

export interface MomentRange {
  /** Inclusive, milliseconds since the epoch; null if open. */
  readonly from: number | null;
  /** Inclusive, milliseconds since the epoch; null if open. */
  readonly to: number | null;
}

const DAY_MS = 86_400_000;

const realDate = (text: string): boolean => {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === text.slice(0, 10);
};

/** An unescaped `+` in a query string, as in `+02:00`, arrives as a space. */
const plusOfZone = / (?=\d{2}:\d{2}(?:\.\.\.|$))/g;

/** Duration in milliseconds that a date or time covers: a day, a second, or one millisecond if it has a fraction. */
const widthOf = (text: string): number => {
  if (text.length === 10) return DAY_MS;
  return text.includes('.') ? 1 : 1000;
};

/** Parses a range with both ends inclusive. A date alone means that whole UTC day. Null if the text is not a range. */
export const parseRange = (text: string): MomentRange | null => {
  const value = text.replace(plusOfZone, '+');
  if (!rangePattern.test(value)) return null;
  const [start = '', end = ''] = value.split('...');
  if (start === '' && end === '') return null;
  for (const side of [start, end]) {
    if (side === '') continue;
    if (!realDate(side) || Number.isNaN(Date.parse(side))) return null;
  }
  const from = start === '' ? null : Date.parse(start);
  const to = end === '' ? null : Date.parse(end) + widthOf(end) - 1;
  return from !== null && to !== null && from > to ? null : { from, to };
};
