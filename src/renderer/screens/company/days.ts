/**
 * Pure: days as spreadsheets write them. `04/05/2030` is in May in one office and in April in another: the other days of the same
 * file tell which it is, or a person does; what is still unclear is refused, never guessed.
 */

export const dayOrders = ['day_month', 'month_day'] as const;
/** Which comes first where both are numbers: `31/12/2030` or `12/31/2030`. */
export type DayOrder = (typeof dayOrders)[number];

const SLASHED = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})(?=$|[ T])/;

/** Does it take an order to read one of these? */
export const needsOrder = (cells: readonly string[]): boolean =>
  cells.some((text) => SLASHED.test(text.trim()));

/** What a cell can only be; null: either, or no such day. */
const toldBy = (text: string): DayOrder | null => {
  const [, a, b] = SLASHED.exec(text.trim()) ?? [];
  if (Number(a) > 12) return 'day_month';
  return Number(b) > 12 ? 'month_day' : null;
};

/** As the cells of one file tell it; null where none does, or two disagree. */
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

/** A cell's day as `2030-12-31`, and what stands after it; or why it is none: no such day, or one of two. */
export type DayRead =
  { readonly day: string; readonly rest: string } | { readonly wrong: 'date' | 'date_unclear' };

/** @param order null: a day is read only where both orders give the same */
export const readDay = (text: string, order: DayOrder | null): DayRead => {
  const made = (y = '', m = '', d = '', length = 0): DayRead => {
    const day = `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`;
    return isDay(day) ? { day, rest: text.slice(length) } : { wrong: 'date' };
  };
  const iso = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?=$|[ T])/.exec(text);
  if (iso) return made(iso[1], iso[2], iso[3], iso[0].length);
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?=$|[ T])/.exec(text);
  if (dotted) return made(dotted[3], dotted[2], dotted[1], dotted[0].length);
  const slashed = SLASHED.exec(text);
  if (!slashed) return { wrong: 'date' };
  const [all, a, b, y] = slashed;
  const first = order ?? toldBy(text) ?? (Number(a) === Number(b) ? 'day_month' : null);
  if (first === null) return { wrong: 'date_unclear' };
  return first === 'day_month' ? made(y, b, a, all.length) : made(y, a, b, all.length);
};
