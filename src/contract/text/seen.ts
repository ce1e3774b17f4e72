/**
 * [ours] The text of the field *Seen* (decisions §4.10): `2026-11-27 14:05 +01:00 Ana Ruiz`. It is readable in a spreadsheet, and its
 * moment can be counted with.
 */

/** Characters that a text field keeps. */
const LENGTH_MAX = 255;

const two = (n: number): string => String(n).padStart(2, '0');

/** @param offset minutes east of UTC; default: that of this machine at that moment */
export const writeSeen = (
  by: string,
  at: number,
  offset: number = -new Date(at).getTimezoneOffset(),
): string => {
  const local = new Date(at + offset * 60_000).toISOString();
  const [sign, minutes] = [offset < 0 ? '-' : '+', Math.abs(offset)];
  const zone = `${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return `${local.slice(0, 10)} ${local.slice(11, 16)} ${zone} ${by}`.trim().slice(0, LENGTH_MAX);
};

export interface Seen {
  /** '' if nobody has seen it. A text in another form is taken for the name. */
  readonly by: string;
  /** Milliseconds; null if the text has no moment. */
  readonly at: number | null;
}

const SEEN = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d) ([+-]\d\d:\d\d)(?: (.*))?$/s;

export const readSeen = (text: string): Seen => {
  const [whole, day = '', time = '', zone = '', by = ''] = SEEN.exec(text) ?? [];
  const at = whole === undefined ? Number.NaN : Date.parse(`${day}T${time}:00${zone}`);
  return Number.isNaN(at) ? { by: text, at: null } : { by: by.trim() || text, at };
};
