/** Captions, order, and before/after marks of photos. */
import type { Words } from '../shape.ts';
import { f } from './say.ts';

export const photo_notes: Words['photo_notes'] = {
  caption: 'Podpis',
  add: 'Dodaj podpis',
  caption_of: (name) => `Podpis: ${name}`,
  earlier: (name) => `Przesuń ${name} wcześniej`,
  later: (name) => `Przesuń ${name} dalej`,
  moved: (name, at, of) => `${name} to teraz zdjęcie ${f.number(at)} z ${f.number(of)}`,
  open: 'Podpisy i kolejność',
  title: 'Podpisy i kolejność',
  text: 'Oznacz jedno zdjęcie jako „przed”, a drugie jako „po”, aby pokazać je obok siebie.',
  side: (name) => `Przed czy po: ${name}`,
  neither: 'Żadne',
  sides: { before: 'Przed', after: 'Po' },
  written: { before: 'przed', after: 'po' },
  sided: (side, name) => `${side}: ${name}`,
  pair: 'Przed i po',
  save: 'Zapisz',
  saved: 'Podpisy i kolejność zapisane.',
  too_long: 'Te podpisy są razem za długie. Skróć niektóre.',
  loose: 'Inne uwagi przy zdjęciach',
};
