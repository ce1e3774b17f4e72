/** Pure: the figures of a week as the rows of a workbook. */
import type { Cell } from '../../data/export/export-table.ts';
import type { FollowUps } from '../../data/index/near-miss-columns.ts';
import type { Spot, WeekOnAPage } from '../../data/index/week.ts';
import { called } from '../../words/catalog-names.ts';
import { words } from '../../words/company-words.ts';

export const weekHeads = (): readonly string[] => {
  const t = words.week;
  return [t.figure, t.name, t.this_week, t.week_before];
};

/** Follow-ups are counted at the end of each week, or now for the current week; null if the server has none. */
export const weekRows = (
  found: WeekOnAPage,
  follow_ups: FollowUps | null,
  before: FollowUps | null,
): readonly (readonly Cell[])[] => {
  const t = words.week;
  const rows = (figure: string, spots: readonly Spot[]): readonly (readonly Cell[])[] =>
    spots.map(({ name, count, before }) => [figure, called(name), count, before]);
  return [
    ...rows(t.reported, [found.total]),
    ...(found.worst === null ? [] : rows(words.capture.severity, [found.worst])),
    ...found.days.map(({ at, count, before }) => [t.by_day, words.format.day(at), count, before]),
    ...rows(t.places, found.places),
    ...rows(t.sources, found.sources),
    ...rows(t.activities, found.activities),
    ...(follow_ups === null || before === null
      ? []
      : [
          [words.follow_up.title, words.follow_up.filters.open, follow_ups.open, before.open],
          [
            words.follow_up.title,
            words.follow_up.standing.overdue,
            follow_ups.overdue,
            before.overdue,
          ],
        ]),
  ];
};
