/** Unfinished work: drafts and unsaved changes of all projects. */
import type { Words } from '../shape.ts';
import { count } from './say.ts';

export const not_finished: Words['not_finished'] = {
  title: 'Niedokończone',
  text: 'Bezpieczne na tym laptopie. Do czasu zapisania nikt inny tego nie widzi.',
  in_bin: 'To zdarzenie jest w koszu. Przywróć je, aby kontynuować.',
  bin: 'Kosz',
  discard_title: 'Odrzucić zmiany?',
  discard_text: 'Zdarzenie zostanie takie, jakie było przed zmianami.',
  discarded: 'Zmiany odrzucone.',
  stays: (n) =>
    count(
      n,
      '# szkic zostaje na tym laptopie, tylko dla tego konta.',
      '# szkice zostają na tym laptopie, tylko dla tego konta.',
      '# szkiców zostaje na tym laptopie, tylko dla tego konta.',
    ),
};
