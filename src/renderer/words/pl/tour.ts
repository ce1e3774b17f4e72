/** The three cards of the tour. */
import type { Words } from '../shape.ts';
import { f } from './say.ts';

export const tour: Words['tour'] = {
  cards: [
    {
      title: 'Napisz, co się stało',
      text: 'Jedno zdanie, zdjęcie i to, jak źle mogło się skończyć. Zajmuje to pół minuty, a nazwiska padają tylko wtedy, gdy je wpiszesz.',
    },
    {
      title: 'Najpierw zapisane tutaj',
      text: 'Każde zgłoszenie najpierw zapisuje się na tym laptopie. Nic nie przepadnie, gdy zniknie sieć, zamknie się pokrywa albo zawiesi komputer.',
    },
    {
      title: 'Dostarczone dokładnie raz',
      text: 'Zgłoszenia są wysyłane, gdy jest połączenie, a każde zdjęcie jest po dotarciu sprawdzane. W prawym górnym rogu zawsze widać, co jest w kolejce.',
    },
  ],
  position: (n, of) => `${f.number(n)} z ${f.number(of)}`,
  previous: 'Wstecz',
  next: 'Dalej',
  skip: 'Pomiń',
  done: 'Jasne',
  again: 'Pokaż wprowadzenie',
};
