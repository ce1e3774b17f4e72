/** The slip for somebody who stays unnamed, in the language chosen for its reader. */

export const slip_sheet = {
  title: 'What became of the report?',
  how: 'Give these six letters to a supervisor or to the site office, or let a friend do it. They choose “Answer for a code” in the menu of the near misses, and read out what was done.',
  unnamed: 'You need not say who you are. This slip and its code do not name you.',
};
