/** The gallery of all photos of the project. */
import type { Words } from '../shape.ts';
import { bytes, f, photos } from './say.ts';

export const gallery: Words['gallery'] = {
  filter: 'Które zdjęcia',
  all: (n) => `Wszystkie ${f.number(n)}`,
  waiting: (n) => `W kolejce ${f.number(n)}`,
  delivered: (n) => `Dostarczone ${f.number(n)}`,
  shown: (n) => `Pokazano ${photos(n)}`,
  photos,
  offline: 'Offline. W pełnym rozmiarze otwierają się tylko zdjęcia z tego laptopa.',
  empty: 'Nie ma jeszcze zdjęć',
  empty_text: 'Tu pojawią się zdjęcia zdarzeń, także jeszcze niewysłane.',
  none: 'Brak wyników',
  none_text: 'Żadne zdjęcie na tej budowie nie pasuje.',
  open: (name, title, word) => `${name}, ${title}. ${word}`,
  record: 'Otwórz zdarzenie',
  size: bytes,
  taken: (at) => `zrobione ${f.moment(at)}`,
  is_waiting: 'W kolejce, bezpieczne na tym laptopie',
  is_delivered: 'Dostarczone i sprawdzone',
  on_server: 'Na serwerze',
};
