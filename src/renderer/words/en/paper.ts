/** Printed pages: one near miss, a toolbox pack, the list. */
import { count, f } from './say.ts';

export const paper = {
  report: 'Near miss report',
  what: 'What happened',
  action: 'Immediate action',
  facts: 'Details',
  video: (name: string) => `Video: ${name}`,
  missing: (n: number) =>
    count(n, {
      one: '# photo could not be loaded and is not printed here.',
      other: '# photos could not be loaded and are not printed here.',
    }),
  more: (n: number) =>
    count(n, { one: '# more photo is not printed.', other: '# more photos are not printed.' }),
  with_names: 'Print with names',
  pdf_with_names: 'Save as PDF with names',
  preparing: 'Preparing the pages',
  step: (done: number, of: number) =>
    count(of, { one: `${f.number(done)} of # page`, other: `${f.number(done)} of # pages` }),
  stop: 'Stop',
  failed: 'The pages could not be prepared. Nothing was printed.',
  nothing: 'There is nothing to print.',
  toolbox: 'Toolbox talk',
  toolbox_pdf: 'Toolbox talk as PDF',
  print_report: 'Print the report',
  print_or_pdf: 'Print or save as PDF',
  save_pdf: 'Save as PDF',
  counted: (n: number) => count(n, { one: '# near miss', other: '# near misses' }),
  list_cut: (shown: number, of: number) =>
    `The first ${f.number(shown)} of ${f.number(of)}. Filter the list or export it to get them all.`,
  talk: 'Toolbox talk',
  /** Replaces the name of a person. */
  somebody: '[name]',
  too_many: (n: number) =>
    `A toolbox talk has at most ${f.number(n)} pages. Select fewer near misses.`,
  read_first: 'Known names are left out. Check the pages for others before you hand them out.',
  questions: [
    'What could have happened?',
    'Could it happen here, on our job?',
    'What will we do differently from today?',
  ] as readonly string[],
  held_by: 'Held by',
  date: 'Date',
  attendance: 'Who took part',
  name: 'Name',
  signature: 'Signature',
};
