/**
 * Converts the cells of an import from text to the values of their fields (decisions §11.5). Shared by the command and the
 * window, so both convert alike. Pure.
 */
import { fold } from './text/fold.ts';

const FLAGS: ReadonlySet<string> = new Set(['active', 'required', 'private', 'time_unknown']);
const IDS: ReadonlySet<string> = new Set(['id', 'number', 'project_id', 'folder_id']);
const YES: ReadonlySet<string> = new Set(['true', 'yes', 'y', 'si', 'tak', 't', '1', 'x']);
const NO: ReadonlySet<string> = new Set(['false', 'no', 'nie', 'n', '0']);

/** Names that sheets use for the two states of an incident. */
const STATUS: Readonly<Record<string, string>> = {
  open: 'open',
  abierto: 'open',
  abierta: 'open',
  otwarte: 'open',
  closed: 'closed',
  cerrado: 'closed',
  cerrada: 'closed',
  zamkniete: 'closed',
};

/** Keeps only letters and digits, without case and accents: `Origin ID` and `origin_id` are the same word. */
export const bareWord = (text: string): string => fold(text).replaceAll(/[^\p{L}\p{N}]/gu, '');

const numberOf = (text: string): string | number => (/^\d{1,16}$/.test(text) ? Number(text) : text);

const choicesOf = (text: string): readonly string[] => text.split('|').map((one) => one.trim());

/**
 * Converts a trimmed, non-empty cell to its field's value. Text that cannot be converted stays text, and the field rejects it.
 * @param moment converts a date and time; by default the text is already in the API's format
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
