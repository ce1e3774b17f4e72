/** Printing. */
import { f } from './say.ts';

export const printing = {
  print: 'Print',
  printed: (at: number) => `Printed ${f.moment(at)}`,
};
