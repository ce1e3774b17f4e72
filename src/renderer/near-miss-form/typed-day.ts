/**
 * Pure: parses a day, optionally with a time, as people type it: `20/11/2026`, `20.11.26 14:32`, `20 Nov`, `Nov 20, 2026`,
 * `20 de noviembre`, `2026-11-20T14:32`, `today`, `ayer 9:10`, in every language. Ambiguous numbers are read day first. The
 * field shows the month's name, so that a wrong guess is visible.
 */
import { languages, type Language } from '../../contract/languages.ts';
import { fold } from '../../contract/text/fold.ts';
import { localDay, twoDigits } from '../data/model/local-day.ts';
import type { Format } from '../words/format.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

/** True if `value` is a real day (or day and time), not unparsed input or a date that no calendar has. */
export const isDayValue = (value: string, with_time: boolean): boolean => {
  if (!(with_time ? MOMENT : DAY).test(value)) return false;
  // Date rolls an invalid day over into the next month.
  const at = new Date(`${value.slice(0, 10)}T00:00:00Z`);
  const real = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value.slice(0, 10));
  return real && (!with_time || value.slice(11) < '24:00') && value.slice(-2) < '60';
};

/** The names of a month: alone, and after a day, which Polish writes in another case (`maj`, `3 maja`). */
const namesOf = (language: Language, month: number): readonly string[] => {
  const alone = new Intl.DateTimeFormat(language, { month: 'long' });
  const in_date = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long' });
  const day = new Date(2026, month, 15);
  return [...alone.formatToParts(day), ...in_date.formatToParts(day)].flatMap(({ type, value }) =>
    type === 'month' ? [fold(value)] : [],
  );
};
const MONTHS = Array.from({ length: 12 }, (_, month) =>
  languages.flatMap((language) => namesOf(language, month)),
);

/** 1 to 12; null if no month starts with the text. */
const monthOf = (text: string): number | null => {
  if (text.length < 3) return null;
  const at = MONTHS.findIndex((names) => names.some((name) => name.startsWith(text)));
  return at < 0 ? null : at + 1;
};

const yearOf = (text: string | undefined, now: number): number => {
  if (text === undefined || text === '') return new Date(now).getFullYear();
  return Number(text.length === 2 ? `20${text}` : text);
};

const dayOf = (year: number, month: number, day: number): string | null => {
  const at = new Date(Date.UTC(year, month - 1, day));
  const real = at.getUTCMonth() === month - 1 && at.getUTCDate() === day && year >= 1900;
  return real ? `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}` : null;
};

/** Folded words for a day, by language. */
const NEAR_DAYS: Readonly<Record<Language, Readonly<Record<string, number>>>> = {
  en: { today: 0, yesterday: 1 },
  es: { hoy: 0, ayer: 1 },
  pl: { dzisiaj: 0, dzis: 0, wczoraj: 1 },
};
/** Days before today, by the word. */
const AGO = new Map(languages.flatMap((language) => Object.entries(NEAR_DAYS[language])));

const inNumbers = (text: string, now: number): string | null => {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text);
  if (iso) return dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const said = /^(\d{1,2})[-/. ]+(\d{1,2})(?:[-/. ]+(\d{4}|\d{2}))?$/.exec(text);
  if (!said) return null;
  const [first, second] = [Number(said[1]), Number(said[2])];
  const year = yearOf(said[3], now);
  return second > 12 ? dayOf(year, first, second) : dayOf(year, second, first);
};

const inWords = (text: string, now: number): string | null => {
  const ago = AGO.get(text);
  if (ago !== undefined) {
    const day = new Date(now);
    day.setDate(day.getDate() - ago);
    return localDay(day.getTime());
  }
  const day_first = /^(\d{1,2}) (?:de )?(\p{L}+)(?: (?:del? )?(\d{4}|\d{2}))?$/u.exec(text);
  const month_first = /^(\p{L}+) (\d{1,2})(?: (\d{4}))?$/u.exec(text);
  const [, day, month, year] = day_first ?? [
    '',
    month_first?.[2],
    month_first?.[1],
    month_first?.[3],
  ];
  const number = monthOf(month ?? '');
  return number === null ? null : dayOf(yearOf(year, now), number, Number(day));
};

/** Splits a trailing time (`14:32`) from the text before it. Null if the time is invalid. */
const timeOf = (text: string): { readonly time: string | null; readonly rest: string } | null => {
  const said = /(?:^|[\sT])(\d{1,2})[:h](\d{2})(?::\d{2})?(?: ?([ap])\.? ?m\.?)?$/i.exec(text);
  if (!said) return { time: null, rest: text };
  const half = said[3]?.toLowerCase();
  const hour = Number(said[1]);
  const real = half === undefined ? hour <= 23 : hour >= 1 && hour <= 12;
  if (!real || Number(said[2]) > 59) return null;
  const of_day = half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0);
  return { time: `${twoDigits(of_day)}:${said[2]}`, rest: text.slice(0, said.index).trim() };
};

/**
 * Parses typed input.
 * @param before the value before typing; supplies the time if only a day is typed, and the day if only a time is typed
 * @returns `2026-11-20`, or with a time `2026-11-20T14:32`; null if unparsable
 */
export const readTypedDay = (
  typed: string,
  { with_time, before, now }: { with_time: boolean; before: string; now: number },
): string | null => {
  const text = typed.trim().replace(/,/g, ' ').replace(/\s+/g, ' ');
  const said = with_time ? timeOf(text) : { time: null, rest: text };
  if (said === null || text === '') return null;
  const plain = fold(said.rest).replace(/(?<=\p{L})\./gu, '');
  const day =
    said.rest === ''
      ? before.slice(0, 10) || localDay(now)
      : (inNumbers(plain, now) ?? inWords(plain, now));
  if (day === null || !DAY.test(day)) return null;
  const time = said.time ?? (MOMENT.test(before) ? before.slice(11) : '00:00');
  return with_time ? `${day}T${time}` : day;
};

/** Formats a value for its field: `20 Nov 2026`, `20 Nov 2026, 14:32`. Any other text is returned unchanged. */
export const sayDay = (value: string, format: Pick<Format, 'day' | 'moment'>): string => {
  if (isDayValue(value, false)) return format.day(Date.parse(`${value}T12:00`));
  return isDayValue(value, true) ? format.moment(Date.parse(value)) : value;
};
