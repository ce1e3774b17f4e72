/** The week on a page: on screen, on paper and in Excel. */
import { places } from './places.ts';
import { count, f } from './say.ts';

export const week = {
  title: places.week,
  choose: 'Which week',
  days: (from: number, to: number) => `${f.day_month(from)} to ${f.day(to)}`,
  previous: 'Previous week',
  next: 'Next week',
  excel: 'Excel',
  saved: 'The workbook is in your downloads.',
  failed: 'The workbook could not be saved. Nothing on this laptop was changed.',
  reported: 'Near misses reported',
  before: (n: number) => `Week before: ${f.number(n)}`,
  by_day: 'Day by day',
  this_week: 'This week',
  week_before: 'Week before',
  places: 'Where',
  sources: 'Harm source',
  activities: 'Work activity',
  worst: 'The worst',
  more: (n: number) =>
    count(n, {
      one: '# more near miss in the list.',
      other: '# more near misses in the list.',
    }),
  nothing: 'Nothing recorded.',
  none: 'No near misses were reported this week.',
  figure: 'Counted by',
  name: 'Name',
  file: 'week',
};
