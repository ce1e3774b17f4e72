/** Pure: the screen's figures as CSV, one line per figure: measure, value, second value, count, share. */
import { csvOf } from '../../data/export/export-csv.ts';
import { localDay } from '../../data/model/local-day.ts';
import {
  DELAYS,
  DIMENSIONS,
  type Group,
  type Insights,
  type OptionCount,
} from '../../data/index/insights.ts';
import { called } from '../../words/catalog-names.ts';
import { words } from '../../words/company-words.ts';

/** @param kind the label of the field for the kind of report */
export const figuresCsv = (
  found: Insights,
  nameOf: (group: Group) => string,
  kind = '',
): string => {
  const t = words.insights;
  const { total, delay, by } = found;
  const share = (n: number, of: number): string => (of === 0 ? '0' : (n / of).toFixed(4));
  const line = (figure: string, name: string, second: string, n: number, of: number) => [
    figure,
    name,
    second,
    String(n),
    share(n, of),
  ];
  const option = (figure: string, { value, count }: OptionCount) =>
    line(figure, value === null ? t.not_recorded : called(value), '', count, total);
  return csvOf([
    [t.column_figure, t.column_of, t.column_with, t.column_count, t.column_share],
    ...found.weeks.map(({ start, count }) => line(t.per_week, localDay(start), '', count, total)),
    ...found.severity.map((one) => option(words.capture.severity, one)),
    ...found.kind.map((one) => option(kind, one)),
    ...DELAYS.map((_, index) =>
      line(t.delay, t.delays[index] ?? '', '', delay.counts[index] ?? 0, delay.recorded),
    ),
    ...DIMENSIONS.flatMap((name) =>
      by[name].map((group) => line(t.by[name], nameOf(group), '', group.count, total)),
    ),
    ...by.harm_source.flatMap((harm, r) =>
      by.work_activity.map((activity, c) =>
        line(t.heat, nameOf(harm), nameOf(activity), found.heat[r]?.[c] ?? 0, total),
      ),
    ),
  ]);
};
