/** The follow-up of a near miss. */
import type { Words } from '../shape.ts';
import { f } from './say.ts';

const counted = (open: number, overdue: number): string =>
  overdue === 0 ? f.number(open) : `${f.number(open)}, po terminie ${f.number(overdue)}`;

export const follow_up: Words['follow_up'] = {
  title: 'Dalsze działanie',
  add: 'Dodaj działanie',
  what: 'Co trzeba zrobić?',
  who: 'Kto to zrobi?',
  due: 'Do kiedy?',
  filters: { open: 'Otwarte', due: 'Na dziś' },
  open: (n) => `Otwarte ${f.number(n)}`,
  due_now: (n) => `Na dziś ${f.number(n)}`,
  // Overdue follow-ups count too.
  due_count: (n) => `Działania, na dziś lub po terminie: ${f.number(n)}`,
  whose: 'Czyje działania',
  everybody: (n) => `Wszystkich ${f.number(n)}`,
  mine: (n) => `Moje ${f.number(n)}`,
  none_mine: 'Nie masz przydzielonych działań',
  none_mine_text:
    'Działanie jest Twoje, jeśli wskazuje imię i nazwisko w takiej postaci, jak piszą je inni, albo login.',
  you: 'Ty',
  nobody_here: 'Żaden użytkownik firmy tak się nie nazywa. Zostaje jako tekst.',
  none: 'Brak otwartych działań',
  none_text:
    'Dodaj działanie do zdarzenia: co trzeba zrobić, kto i do kiedy. Zostanie tu, aż będzie wykonane.',
  no_fields: 'Na tej budowie nie ma działań',
  no_fields_text: 'Formularze firmy nie mają na nie pól.',
  open_now: (open, overdue) => `Otwarte działania: ${counted(open, overdue)}`,
  open_then: (day, open, overdue) => `Otwarte działania ${day}: ${counted(open, overdue)}`,
  open_before: (open, overdue) => `Tydzień wcześniej: ${counted(open, overdue)}`,
  by_dates:
    'Za minione tygodnie Spotter liczy według terminów i dat wykonania ze zdarzeń zgłoszonych do tego czasu.',
  more: (n) => `Na liście jeszcze ${f.number(n)}.`,
  not_done: (done) => `do zrobienia, wykonane ${f.number(done)}`,
  later: 'Przed terminem',
  in_time: 'Wykonane w terminie',
  late: 'Wykonane po terminie',
  ever: 'Z całego czasu, nie tylko z powyższych tygodni.',
  for_person: (name) => `Wykonuje: ${name}`,
  by: (day) => `do ${day}`,
  standing: { open: 'Otwarte', due: 'Termin dzisiaj', overdue: 'Po terminie' },
  done_on: (day) => `Wykonane ${day}`,
  not_yours:
    'Zgłosił to ktoś inny. Działanie należy do osoby, którą wskazuje, i do tego, kto przejmuje zmianę na tej budowie.',
  take_over: 'Przejmij zmianę',
  taken_over: (until) => `Zmiana przejęta do ${until}.`,
  save: 'Zapisz',
  mark: 'Oznacz jako wykonane',
  change: 'Zmień',
  reopen: 'Otwórz ponownie',
  saved: 'Działanie zapisane.',
  marked_done: 'Działanie wykonane.',
  reopened: 'Działanie otwarte ponownie.',
  add_photo: 'Dodaj zdjęcie',
};
