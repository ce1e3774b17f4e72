/** Printing. */
import type { Words } from '../shape.ts';
import { f } from './say.ts';

export const printing: Words['printing'] = {
  print: 'Imprimir',
  printed: (at) => `Impreso: ${f.moment(at)}`,
};
