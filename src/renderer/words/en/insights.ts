/** Statistics: charts, their tables, and their export. */
import { places } from './places.ts';
import { count, f } from './say.ts';

const near_misses = (n: number): string => count(n, { one: '# near miss', other: '# near misses' });

export const insights = {
  title: places.insights,
  range: 'Which weeks',
  ranges: {
    weeks_4: '4 weeks',
    weeks_12: '12 weeks',
    year: 'A year',
    all: 'All',
  },
  show: 'Show as',
  charts: 'Charts',
  tables: 'Tables',
  export: 'Export',
  export_figures: 'These figures (CSV)',
  export_xlsx: 'These near misses (Excel)',
  export_records: 'These near misses (CSV)',
  export_photos: 'These near misses with photos (zip)',
  counting: (done: number, total: number) => `Counting ${f.number(done)} of ${f.number(total)}…`,
  starting: 'Counting…',
  from_laptop: (n: number) => `${near_misses(n)}.`,
  since: (n: number, from: number) => `${near_misses(n)} since ${f.day(from)}.`,
  empty: 'Nothing to count yet',
  empty_text: 'Charts appear here as soon as there are near misses.',
  empty_range: 'No near miss in these weeks',
  empty_range_text: 'Choose a longer range to see earlier ones.',
  show_all: 'Show all',
  not_recorded: 'Not recorded',
  share: (n: number, of: number) => f.percent(of === 0 ? 0 : n / of),
  /** The accessible name of a bar. */
  bar: (name: string, n: number, of: number) =>
    `${name}: ${near_misses(n)}, ${f.percent(of === 0 ? 0 : n / of)}`,
  open_list: (name: string) => `${name}. Show them in the list`,
  column_figure: 'Counted by',
  column_of: 'Name',
  column_with: 'Together with',
  column_count: 'Near misses',
  column_share: 'Share',
  per_week: 'Near misses reported per week',
  per_week_help: 'Use the arrow keys to move between weeks and Enter to open the list.',
  week: (start: number) => `Week of ${f.day(start)}`,
  week_said: (start: number, n: number) => `Week of ${f.day(start)}: ${near_misses(n)}`,
  column_week: 'Week of',
  /** Follows the average. */
  running: 'The striped week is not over.',
  per_week_average: (n: number) => `${f.number(Math.round(n * 10) / 10)} a week on average`,
  heat: 'Harm source by work activity',
  heat_cell: (harm: string, activity: string, n: number) =>
    `${harm}, ${activity}: ${near_misses(n)}`,
  heat_more: (n: number) =>
    count(n, {
      one: 'Only the most frequent are shown. # more is left out.',
      other: 'Only the most frequent are shown. # more are left out.',
    }),
  heat_all: 'Show every harm source and activity',
  by: {
    harm_source: 'Harm source',
    work_activity: 'Work activity',
    affected_company: 'Affected company',
    managed_equipment: 'Equipment',
  },
  no_severity: 'This server does not record potential severity.',
  worst_of: (n: number) => `of ${near_misses(n)}`,
  delay: 'From event to report',
  delay_note: 'From the event until the report arrived, or was saved if it is still waiting.',
  delay_median: (n: number) =>
    count(n, { one: 'median of # near miss', other: 'median of # near misses' }),
  delay_none: 'No report in these weeks has an event time.',
  delays: ['Within 10 minutes', 'Within an hour', 'Within a day', 'Later'] as readonly string[],
  delay_not_recorded: (n: number) =>
    count(n, {
      one: '# report has no event time.',
      other: '# reports have no event time.',
    }),
  delay_after: (n: number) =>
    count(n, {
      one: '# report is left out because its event time is after the report.',
      other: '# reports are left out because their event time is after the report.',
    }),
  column_delay: 'Reported',
  answer: 'From report to answer',
  answer_none: 'Nobody has answered a report of these weeks.',
  answer_missing: (n: number) =>
    count(n, { one: '# without an answer', other: '# without an answer' }),
  failed: 'The near misses could not be counted',
  failed_text: 'Nothing is lost. They are all in the list. Try again, or restart Spotter.',
  csv_saved: 'The table is in your downloads.',
};
