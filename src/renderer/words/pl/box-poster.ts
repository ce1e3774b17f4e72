/** The poster of the report box. All languages are on it. */
import type { box_poster as english } from '../en/box-poster.ts';

export const box_poster: typeof english = {
  title: 'Widzisz zagrożenie?',
  join: 'Połącz się z Wi-Fi',
  scan: 'Zeskanuj kod. Napisz, co się stało. Dodaj zdjęcia. Wyślij.',
  becomes: 'Kierownik to przeczyta. Z kodem zobaczysz, co zrobiono.',
  unnamed: 'Bez aplikacji. Bez podawania nazwiska.',
};
