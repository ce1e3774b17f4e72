/** "You said, we did": the screen around the sheet for the wall. The sheet's own words are in said-sheet.ts. */
import type { Words } from '../shape.ts';
import { places } from './places.ts';
import { count } from './say.ts';

export const said: Words['said'] = {
  title: places.said,
  choose: 'Tydzień, język i papier',
  language: 'Język kartki',
  paper: 'Papier',
  counted: (n) =>
    count(n, '# odpowiedź na kartce', '# odpowiedzi na kartce', '# odpowiedzi na kartce'),
  read_first:
    'Znane nazwiska są pominięte. Przed powieszeniem przeczytaj teksty i obejrzyj zdjęcia.',
  missing: (n) =>
    count(
      n,
      'Nie udało się wczytać # zdjęcia.',
      'Nie udało się wczytać # zdjęć.',
      'Nie udało się wczytać # zdjęć.',
    ),
  empty: 'W tym tygodniu nie ma jeszcze odpowiedzi',
  empty_text: 'Napisz przy zgłoszeniu, co zrobiono, a pojawi się to tutaj dla wszystkich.',
  none_possible:
    'Formularze tej budowy nie mają pól na odpowiedź. Administrator dodaje dwa pola tekstowe o nazwach „Widziane” i „Co zrobiliśmy”.',
  unanswered: 'Pokaż zgłoszenia bez odpowiedzi',
};
