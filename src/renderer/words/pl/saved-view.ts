/** The dialog that saves what the list shows under a name. */
import type { Words } from '../shape.ts';
import { f } from './say.ts';

export const saved_view: Words['saved_view'] = {
  name: 'Nazwa widoku',
  about: 'Widać go w menu pod „Zdarzenia”, na tym laptopie.',
  replaces: 'Jest już widok o tej nazwie. Zapis zastąpi go tym, co lista pokazuje teraz.',
  no_name: 'Wpisz nazwę widoku.',
  too_many: (n) => `Liczba widoków: ${f.number(n)}, więcej się nie zmieści. Najpierw usuń któryś.`,
  saved: (name) => `Widok ${name} zapisany.`,
};
