/** Members of a project. */
import type { Words } from '../shape.ts';
import { places } from './places.ts';
import { count, f } from './say.ts';

const people = (n: number): string => count(n, '# uczestnik', '# uczestników', '# uczestników');
/** The accusative: `dodaj 1 osobę`. */
const persons = (n: number): string => count(n, '# osobę', '# osoby', '# osób');
/** The genitive: `usunięcie 2 osób`. */
const of_persons = (n: number): string => count(n, '# osoby', '# osób', '# osób');
/** The accusative and the genitive, which are the same: `usuń 1 uczestnika`. */
const of_members = (n: number): string =>
  count(n, '# uczestnika', '# uczestników', '# uczestników');

export const members: Words['members'] = {
  title: places.members,
  list: 'Uczestnicy budowy',
  find: 'Znajdź uczestnika',
  people,
  counted: (n, coming, going) =>
    [
      people(n),
      ...(coming > 0 ? [`dodawani: ${f.number(coming)}`] : []),
      ...(going > 0 ? [`usuwani: ${f.number(going)}`] : []),
    ].join(' · '),
  party: (id) => `Kontakt ${id}`,
  number: (id) => `Numer ${id}`,
  none_found: 'Brak wyników',
  none_found_text: 'Można szukać po dowolnej części nazwiska albo po numerze.',
  show_all: 'Pokaż wszystkich',
  empty: 'Ta budowa nie ma jeszcze uczestników',
  empty_text: 'Dodaj osoby z firmy. Działa bez sieci.',
  offline: 'Można dodawać i usuwać osoby. Zmiany zostaną wysłane, gdy wróci połączenie.',
  offline_nothing: 'Uczestnicy pobiorą się, gdy będzie połączenie. Osoby można dodawać już teraz.',
  who_may_see: 'Poproś administratora budowy o dostęp do uczestników.',
  remove_refused: (n) =>
    n === 1
      ? 'Nie udało się usunąć: nadal jest uczestnikiem'
      : `Nie udało się usunąć ${of_persons(n)}: nadal są uczestnikami`,
  remove_aside: (n) =>
    n === 1
      ? 'Usunięcie wstrzymane: nadal jest uczestnikiem'
      : `Usunięcie ${of_persons(n)} jest wstrzymane: nadal są uczestnikami`,
  add_refused: (n) => (n === 1 ? 'Nie udało się dodać' : `Nie udało się dodać ${of_persons(n)}`),
  add_aside: (n) => (n === 1 ? 'Dodanie wstrzymane' : `Dodanie ${of_persons(n)} jest wstrzymane`),
  reference: 'bez loginu',
  own_login: 'zarządza tym biuro',
  unlisted: 'Nie ma już na listach firmy',
  in: 'Uczestnik',
  coming: 'Dodawanie',
  going: 'Usuwanie',
  add: 'Dodaj uczestników',
  add_text: 'Osoby z firmy, których jeszcze nie ma na tej budowie.',
  add_find: 'Znajdź osobę',
  add_numbers: 'Numery osób',
  add_numbers_hint:
    'Ten serwer nie ma listy osób. Wpisz ich numery, rozdzielone przecinkami lub spacjami.',
  add_bad_numbers: 'Tylko numery, rozdzielone przecinkami lub spacjami.',
  nobody_left: 'Wszyscy, których można dodać, są już uczestnikami.',
  more_found: (n) => `Jeszcze ${f.number(n)}. Pisz, aby wyszukać.`,
  nobody_found: 'Brak wyników.',
  add_go: (n) => (n === 0 ? 'Dodaj' : `Dodaj ${persons(n)}`),
  added: (n) => `Dodano ${persons(n)}.`,
  select: (name) => `Zaznacz: ${name}`,
  select_all: 'Zaznacz wszystkich',
  selected: (n) => `Zaznaczono: ${f.number(n)}`,
  clear: 'Wyczyść zaznaczenie',
  remove: (n) => `Usuń ${of_members(n)}`,
  remove_one: (name) => `Usuń: ${name}`,
  remove_title: (n) => `Usunąć z budowy ${of_members(n)}?`,
  remove_text: 'Nie będzie ich już na liście tej budowy. Można ich dodać ponownie.',
  remove_many: (n, max) =>
    `Serwer usuwa naraz najwyżej ${f.number(max)}, więc Spotter wyśle to w częściach: ${f.number(n)}.`,
  remove_go: 'Usuń',
  removed: (n) => `Usunięto ${of_members(n)}.`,
  take_back: (name) => `Anuluj wysyłanie: ${name}`,
  taken_back: 'Wysyłanie anulowane.',
  too_late: 'Serwer mógł już to zrobić.',
  show_more: (n) => `Pokaż jeszcze ${f.number(n)}`,
  waiting_title: 'Uczestnicy budowy',
  about_people: (n) => count(n, '# osoba', '# osoby', '# osób'),
  who_may:
    'Poproś administratora budowy, aby to zrobił albo dał dostęp. Potem wyślij ponownie albo anuluj wysyłanie.',
  outcome: {
    removed_done: (n) => `Usunięto ${of_members(n)}.`,
    added_done: (n) => `Dodano ${persons(n)}.`,
    skipped: (n) => `Pominięto ${persons(n)} (poza budową albo z loginem):`,
    already: (n) =>
      count(
        n,
        '# osoba była już na budowie:',
        '# osoby były już na budowie:',
        '# osób było już na budowie:',
      ),
    and_more: (n) => `i jeszcze ${f.number(n)}`,
    dismiss: 'Ukryj',
  },
};
