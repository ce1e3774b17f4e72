/**
 * The cells of a spreadsheet as an import takes them (decisions §11.5), alike by the command and in the window: a cell is a text, here it
 * becomes what its field is. Pure.
 */
import { fold } from './fold.ts';

const FLAGS: ReadonlySet<string> = new Set(['active', 'required', 'private', 'time_unknown']);
const IDS: ReadonlySet<string> = new Set(['id', 'number', 'project_id', 'folder_id']);
const YES: ReadonlySet<string> = new Set(['true', 'yes', 'y', 'si', '1', 'x']);
const NO: ReadonlySet<string> = new Set(['false', 'no', 'n', '0']);

/** How sheets call the two states of an incident. */
const STATUS: Readonly<Record<string, string>> = {
  open: 'open',
  abierto: 'open',
  abierta: 'open',
  closed: 'closed',
  cerrado: 'closed',
  cerrada: 'closed',
};

/** Letters and digits alone, without case and accents: `Origin ID` and `origin_id` are the same word. */
export const bareWord = (text: string): string => fold(text).replaceAll(/[^\p{L}\p{N}]/gu, '');

const numberOf = (text: string): string | number => (/^\d{1,16}$/.test(text) ? Number(text) : text);

const choicesOf = (text: string): readonly string[] => text.split('|').map((one) => one.trim());

/**
 * A cell, trimmed and not empty, as its field's value; what does not read so stays a text, which the field then refuses.
 * @param moment how a day and a time are read; left out, they are written as the API wants them
 */
export const cellValue = (
  field: string,
  text: string,
  moment: (text: string) => string = (as_it_is) => as_it_is,
): unknown => {
  const word = bareWord(text);
  if (FLAGS.has(field)) return YES.has(word) || (NO.has(word) ? false : text);
  if (field === 'options') return choicesOf(text);
  if (field === 'status') return STATUS[word] ?? text;
  if (field === 'people_ids') return choicesOf(text).map(numberOf);
  if (field === 'event_date') return moment(text);
  return IDS.has(field) ? numberOf(text) : text;
};
