/** The sheet "You said, we did" itself, in the language chosen on it. */
import type { said_sheet as english } from '../en/said-sheet.ts';
import { f } from './say.ts';

export const said_sheet: typeof english = {
  title: 'Zgłosiliście, zrobiliśmy',
  days: (from, to) => `${f.day_month(from)} – ${f.day(to)}`,
  said: 'Zgłosiliście',
  did: 'Zrobiliśmy',
  before: 'Przed',
  after: 'Po',
  somebody: '[nazwisko]',
  foot: 'Dziękujemy za zgłoszenia. Nie ma tu żadnych nazwisk. Mówcie nam dalej.',
};
