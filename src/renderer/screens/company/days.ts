/**
 * Parses dates from spreadsheets. `04/05/2030` is in May in one office and in April in another. Other dates of the file, or a
 * person, decide the order. A date that stays ambiguous is refused, never guessed. Pure.
 */
import { fold } from '../../../contract/text/fold.ts';

export const dayOrders = ['day_month', 'month_day'] as const;
/** Order of day and month if both are numbers: `31/12/2030` or `12/31/2030`. */
export type DayOrder = (typeof dayOrders)[number];

/** With `-` the year needs four digits: two digits could be the year at either end. */
const SLASHED = /^(\d{1,2})(?:\/(\d{1,2})\/(\d{4}|\d{2})|-(\d{1,2})-(\d{4}))(?=$|[ T])/;
const ISO = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?=$|[ T])/;
const DOTTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})(?=$|[ T])/;
/** `31-Dec-26`, `1 January 2026`, `1 de enero de 2026`. */
const NAMED = /^(\d{1,2})[ ./-](?:de )?(\p{L}+)\.?[ ,./-]{1,2}(?:de )?(\d{4}|\d{2})(?=$|[ T])/u;
/** `December 31, 2026`. */
const NAMED_FIRST = /^(\p{L}+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4}|\d{2})(?=$|[ T])/u;
const WEEKDAY = /^\p{L}+,? (?=\d|\p{L}+ \d)/u;

const MONTHS = [
  'jan january ene enero',
  'feb february febrero',
  'mar march marzo',
  'apr april abr abril',
  'may mayo',
  'jun june junio',
  'jul july julio',
  'aug august ago agosto',
  'sep sept september set septiembre setiembre',
  'oct october octubre',
  'nov november noviembre',
  'dec december dic diciembre',
].map((names) => names.split(' '));

/** The month as `1` to `12`; `0` if the word is not a month. */
const monthOf = (word: string): string =>
  `${MONTHS.findIndex((names) => names.includes(fold(word))) + 1}`;

const slashedIn = (text: string): readonly [string, string, string, string] | null => {
  const [all, a, b, y, dashed_b, dashed_y] = SLASHED.exec(text) ?? [];
  return all === undefined ? null : [all, a ?? '', b ?? dashed_b ?? '', y ?? dashed_y ?? ''];
};

/** True if one of these cells is ambiguous without an order. */
export const needsOrder = (cells: readonly string[]): boolean =>
  cells.some((text) => SLASHED.test(text.trim()));

/** The order that a cell implies; null if both are possible or it is not such a date. */
const toldBy = (text: string): DayOrder | null => {
  const [, a, b] = slashedIn(text.trim()) ?? [];
  if (Number(a) > 12) return 'day_month';
  return Number(b) > 12 ? 'month_day' : null;
};

/** The order that the cells of one file imply; null if none does, or if two disagree. */
export const guessOrder = (cells: readonly string[]): DayOrder | null => {
  const told = new Set(cells.map(toldBy));
  told.delete(null);
  const [only = null] = told;
  return told.size === 1 ? only : null;
};

const isDay = (day: string): boolean => {
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
};

/** A cell's day as `2030-12-31` with the text after it, or the error: no such day, or an ambiguous one. */
export type DayRead =
  { readonly day: string; readonly rest: string } | { readonly wrong: 'date' | 'date_unclear' };

/** Expands two-digit years like POSIX: `26` is 2026, `69` is 1969. */
const yearOf = (digits: string): string =>
  digits.length === 4 ? digits : `${Number(digits) < 69 ? 20 : 19}${digits}`;

/** Parses an Excel serial date, 1950 to 2099: days since 30 December 1899, with the time as a fraction. */
const serialDay = (text: string): DayRead | null => {
  if (!/^\d{5}(?:\.\d+)?$/.test(text)) return null;
  const serial = Number(text);
  if (serial < 18_264 || serial >= 73_051) return null;
  const minutes = Math.round(serial * 1440);
  const iso = new Date(Date.UTC(1899, 11, 30) + minutes * 60_000).toISOString();
  return { day: iso.slice(0, 10), rest: minutes % 1440 === 0 ? '' : ` ${iso.slice(11, 16)}` };
};

/** @param order null accepts only a date that implies its order or reads the same in both */
export const readDay = (cell: string, order: DayOrder | null): DayRead => {
  const serial = serialDay(cell);
  if (serial !== null) return serial;
  const made = (y = '', m = '', d = '', length = 0): DayRead => {
    const day = `${yearOf(y)}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`;
    return isDay(day) ? { day, rest: text.slice(length) } : { wrong: 'date' };
  };
  const text = cell.replace(WEEKDAY, (word) =>
    monthOf(word.replace(/[, ]+/g, '')) === '0' ? '' : word,
  );
  const iso = ISO.exec(text);
  if (iso) return made(iso[1], iso[2], iso[3], iso[0].length);
  const dotted = DOTTED.exec(text);
  if (dotted) return made(dotted[3], dotted[2], dotted[1], dotted[0].length);
  const named = NAMED.exec(text);
  if (named) return made(named[3], monthOf(named[2] ?? ''), named[1], named[0].length);
  const first = NAMED_FIRST.exec(text);
  if (first) return made(first[3], monthOf(first[1] ?? ''), first[2], first[0].length);
  const slashed = slashedIn(text);
  if (!slashed) return { wrong: 'date' };
  const [all, a, b, y] = slashed;
  const by = order ?? toldBy(text) ?? (Number(a) === Number(b) ? 'day_month' : null);
  if (by === null) return { wrong: 'date_unclear' };
  return by === 'day_month' ? made(y, b, a, all.length) : made(y, a, b, all.length);
};

/** Parses the text after a day as `08:15` or `08:15:30`; `00:00` if empty, null if it is not a time of day. */
export const readTime = (rest: string): string | null => {
  if (rest === '') return '00:00';
  const [all, hours = '', minutes_on = '', half] =
    /^[ T](\d{1,2})(:\d\d(?::\d\d)?)(?: ?([ap])\.?\s?m\.?)?$/i.exec(rest) ?? [];
  const hour = Number(hours);
  if (all === undefined || (half !== undefined && (hour < 1 || hour > 12))) return null;
  const of_day = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  return `${String(of_day).padStart(2, '0')}${minutes_on}`;
};
