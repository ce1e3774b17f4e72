/** Printing. */
import type { Words } from '../shape.ts';
import { f } from './say.ts';

export const printing: Words['printing'] = {
  print: 'Drukuj',
  printed: (at) => `Wydrukowano ${f.moment(at)}`,
};
