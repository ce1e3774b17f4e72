/** What has to be done after a near miss. */
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
  /** Beside a number. */
  due_word: 'due',
  show_due: (n: number) =>
    count(n, { one: '# follow-up is due. Show it', other: '# follow-ups are due. Show them' }),
  open_now: (open: number, overdue: number) => `Open follow-ups: ${counted(open, overdue)}`,
  open_then: (day: string, open: number, overdue: number) =>
    `Open follow-ups on ${day}: ${counted(open, overdue)}`,
  open_before: (open: number, overdue: number) => `Week before: ${counted(open, overdue)}`,
  by_dates: 'Past weeks: by due and done dates, of the near misses reported by then.',
  more: (n: number) => count(n, { one: '# more in the list.', other: '# more in the list.' }),
  not_done: (done: number) => `to do, ${f.number(done)} done`,
  later: 'Not due yet',
  in_time: 'Done in time',
  late: 'Done late',
  ever: 'Counts all near misses, not only the weeks chosen above.',
  by: (day: string) => `by ${day}`,
  standing: { open: 'Open', due: 'Due today', overdue: 'Overdue' },
  done_on: (day: string) => `Done ${day}`,
  save: 'Save',
  mark: 'Mark as done',
  change: 'Change',
  reopen: 'Reopen',
  saved: 'Follow-up saved.',
  marked_done: 'Follow-up done.',
  reopened: 'Follow-up reopened.',
  add_photo: 'Add a photo',
};
