/** Printed pages: one near miss, a toolbox pack, the list. */
import type { Words } from '../shape.ts';
import { count, f, near_misses } from './say.ts';

export const paper: Words['paper'] = {
  report: 'Zgłoszenie zdarzenia potencjalnie wypadkowego',
  what: 'Co się stało',
  action: 'Działanie natychmiastowe',
  facts: 'Szczegóły',
  video: (name) => `Film: ${name}`,
  missing: (n) =>
    count(
      n,
      '# zdjęcia nie udało się wczytać i nie ma go na wydruku.',
      '# zdjęć nie udało się wczytać i nie ma ich na wydruku.',
      '# zdjęć nie udało się wczytać i nie ma ich na wydruku.',
    ),
  more: (n) =>
    count(
      n,
      'Jeszcze # zdjęcia nie ma na wydruku.',
      'Jeszcze # zdjęć nie ma na wydruku.',
      'Jeszcze # zdjęć nie ma na wydruku.',
    ),
  with_names: 'Drukuj z nazwiskami',
  pdf_with_names: 'Zapisz jako PDF z nazwiskami',
  preparing: 'Przygotowywanie stron',
  step: (done, of) => `strony: ${f.number(done)} z ${f.number(of)}`,
  stop: 'Zatrzymaj',
  failed: 'Nie udało się przygotować stron. Nic nie wydrukowano.',
  nothing: 'Nie ma nic do wydrukowania.',
  toolbox: 'Pogadanka BHP',
  toolbox_pdf: 'Pogadanka BHP jako PDF',
  print_report: 'Drukuj zgłoszenie',
  print_or_pdf: 'Drukuj lub zapisz jako PDF',
  save_pdf: 'Zapisz jako PDF',
  counted: near_misses,
  list_cut: (shown, of) =>
    `Pierwsze ${f.number(shown)} z ${f.number(of)}. Aby mieć wszystkie, zawęź listę filtrami albo ją wyeksportuj.`,
  talk: 'Pogadanka BHP',
  somebody: '[nazwisko]',
  too_many: (n) =>
    `Pogadanka BHP może mieć najwyżej tyle stron: ${f.number(n)}. Zaznacz mniej zdarzeń.`,
  read_first:
    'Znane nazwiska są pominięte. Przed rozdaniem sprawdź, czy na stronach nie ma innych.',
  questions: [
    'Co mogło się stać?',
    'Czy mogłoby się to stać u nas?',
    'Co od dzisiaj zrobimy inaczej?',
  ],
  held_by: 'Prowadzący',
  date: 'Data',
  attendance: 'Kto brał udział',
  name: 'Imię i nazwisko',
  signature: 'Podpis',
};
