/** The follow-up of a near miss. */
import { count, f } from './say.ts';

const counted = (open: number, overdue: number): string =>
  overdue === 0 ? f.number(open) : `${f.number(open)}, ${f.number(overdue)} overdue`;

export const follow_up = {
  title: 'Follow-up',
  add: 'Add a follow-up',
  what: 'What has to be done?',
  who: 'Who does it?',
  due: 'By when?',
  filters: { open: 'Open', due: 'Due' },
  open: (n: number) => `Open ${f.number(n)}`,
  due_now: (n: number) => `Due ${f.number(n)}`,
  /** The rail's entry. */
  due_count: (n: number) => `Follow-ups, ${f.number(n)} due`,
  whose: 'Whose follow-ups',
  everybody: (n: number) => `Everybody ${f.number(n)}`,
  mine: (n: number) => `Assigned to me ${f.number(n)}`,
  none_mine: 'Nothing is assigned to you',
  none_mine_text:
    'A follow-up is yours if it names you as others write your name, or by your login.',
  you: 'You',
  nobody_here: 'No user of the company has this name. It is kept as text.',
  none: 'No open follow-ups',
  none_text:
    'Add one to a near miss: what has to be done, by whom and by when. It stays here until it is done.',
  no_fields: 'No follow-ups in this project',
  no_fields_text: 'The company’s forms have no fields for them.',
  open_now: (open: number, overdue: number) => `Open follow-ups: ${counted(open, overdue)}`,
  open_then: (day: string, open: number, overdue: number) =>
    `Open follow-ups on ${day}: ${counted(open, overdue)}`,
  open_before: (open: number, overdue: number) => `Week before: ${counted(open, overdue)}`,
  by_dates:
    'For past weeks, Spotter goes by the due and done dates of the near misses reported by then.',
  more: (n: number) => count(n, { one: '# more in the list.', other: '# more in the list.' }),
  not_done: (done: number) => `to do, ${f.number(done)} done`,
  later: 'Not due yet',
  in_time: 'Done in time',
  late: 'Done late',
  ever: 'All time, not only the weeks above.',
  for_person: (name: string) => `Follow-up for ${name}`,
  by: (day: string) => `by ${day}`,
  standing: { open: 'Open', due: 'Due today', overdue: 'Overdue' },
  done_on: (day: string) => `Done ${day}`,
  not_yours:
    'Somebody else reported this. Its follow-up is for whom it names, and for whoever takes over the shift of the project.',
  take_over: 'Take over the shift',
  taken_over: (until: string) => `You have taken over the shift until ${until}.`,
  save: 'Save',
  mark: 'Mark as done',
  change: 'Change',
  reopen: 'Reopen',
  saved: 'Follow-up saved.',
  marked_done: 'Follow-up done.',
  reopened: 'Follow-up reopened.',
  add_photo: 'Add a photo',
};
