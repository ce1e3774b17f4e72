/** "You said, we did": the screen around the sheet for the wall. The sheet's own words are in said-sheet.ts. */
import { places } from './places.ts';
import { count } from './say.ts';

export const said = {
  title: places.said,
  choose: 'Which week, language and paper',
  language: 'Language of the sheet',
  paper: 'Paper',
  counted: (n: number) =>
    count(n, { one: '# answer on the sheet', other: '# answers on the sheet' }),
  read_first:
    'Known names are left out. Read the texts and look at the photos before you hang it up.',
  missing: (n: number) =>
    count(n, { one: '# photo could not be loaded.', other: '# photos could not be loaded.' }),
  empty: 'No answers this week yet',
  empty_text: 'Write what was done at a report, and it stands here for everybody to read.',
  none_possible:
    'The forms of this project have no fields for an answer. An admin adds two text fields called Seen and What we did.',
  unanswered: 'Show reports without an answer',
};
