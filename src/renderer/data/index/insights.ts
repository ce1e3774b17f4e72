/**
 * Computes the figures of a project's near misses: counts per week and per dimension, and the delay from event to
 * report. Pure; requested through insights-ask.ts. It makes one pass over the records that the list's index has in
 * memory, so 100,000 records take a moment and no network.
 */
import type { Counted } from './near-miss-columns.ts';
import { answerOf, type AnswerFields } from '../model/answer.ts';
import type { NearMissTraits } from './near-miss-facts.ts';
import { pinFactOf, type PinFact } from './pins.ts';
import { idFields } from '../model/near-miss-query.ts';

/** Dimensions for grouping; the field is `<name>_id`. */
export const DIMENSIONS = [
  'harm_source',
  'work_activity',
  'affected_company',
  'managed_equipment',
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export interface InsightQuestion {
  readonly account: string;
  readonly project_id: number;
  /** Earliest report time in milliseconds, inclusive; null means no limit. */
  readonly from: number | null;
  readonly now: number;
  /** The custom field for potential severity, with its mildest option first; null when the catalog has none. */
  readonly severity: { readonly key: string; readonly options: readonly string[] } | null;
  /** The custom field for the kind of report; null when the catalog has none. */
  readonly kind: { readonly key: string; readonly options: readonly string[] } | null;
  /** The custom field for the time of the event. */
  readonly when: { readonly key: string } | null;
  /** The fields of the answer; null when the catalog has none. */
  readonly answer: AnswerFields | null;
  /** The custom field for the place on a plan; null when the catalog has none. */
  readonly pin: { readonly key: string } | null;
}

export interface Group {
  /** Null: not recorded. */
  readonly id: number | null;
  readonly name: string;
  readonly count: number;
  /** How many have the worst potential severity. */
  readonly worst: number;
}

export interface Week {
  /** Monday 00:00 local time, milliseconds. */
  readonly start: number;
  readonly count: number;
  readonly worst: number;
}

/** Upper bounds of the reporting delay in milliseconds; the last is unbounded. */
export const DELAYS = [10 * 60_000, 60 * 60_000, 24 * 60 * 60_000, Infinity] as const;
/**
 * Tolerated clock skew, milliseconds: an event up to this long after its report counts as reported at once. Allows
 * two clocks a minute of error each.
 */
const SKEW = 2 * 60_000;

/** How many records have an option of a custom field; null: not recorded. */
export interface OptionCount {
  readonly value: string | null;
  readonly count: number;
}

export interface Insights {
  readonly total: number;
  /** Every week from the first to the current one, including empty weeks. */
  readonly weeks: readonly Week[];
  /** Most frequent first, "not recorded" last. */
  readonly by: Readonly<Record<Dimension, readonly Group[]>>;
  /** The catalog's options in order, then unknown values, then null (not recorded). */
  readonly severity: readonly OptionCount[];
  /** In the same order. */
  readonly kind: readonly OptionCount[];
  /** `cells[r][c]`: records with `by.harm_source[r]` and `by.work_activity[c]`. */
  readonly heat: readonly (readonly number[])[];
  readonly delay: {
    /** Median milliseconds from event to report over records that have both times; null when there are none. */
    readonly median: number | null;
    /** One count per bound in `DELAYS`: delays above the previous bound and up to this one. */
    readonly counts: readonly number[];
    readonly recorded: number;
    readonly not_recorded: number;
    /** Records with an event after their report: excluded, and counted here. */
    readonly after_report: number;
  };
  readonly answer: {
    /** Median milliseconds from report to *Seen*; null when no answer has a time. */
    readonly median: number | null;
    /** Records with a time of their answer. */
    readonly timed: number;
    readonly unanswered: number;
  };
  /** Oldest first. */
  readonly pins: readonly PinFact[];
}

/** Monday 00:00 local time of the week. */
export const weekStart = (at: number): number => {
  const day = new Date(at);
  day.setDate(day.getDate() - ((day.getDay() + 6) % 7));
  // Set the hours last: where clocks go forward at midnight, that day starts at 01:00 and no other day does.
  day.setHours(0, 0, 0, 0);
  return day.getTime();
};

/** Adds calendar weeks, so that daylight saving time does not shift the result. */
export const weeksLater = (start: number, weeks: number): number => {
  const day = new Date(start);
  day.setDate(day.getDate() + 7 * weeks);
  return day.getTime();
};

interface Counting {
  count: number;
  worst: number;
}

const bump = <K>(map: Map<K, Counting>, key: K, worst: boolean): void => {
  const had = map.get(key);
  if (had === undefined) map.set(key, { count: 1, worst: worst ? 1 : 0 });
  else {
    had.count += 1;
    if (worst) had.worst += 1;
  }
};

const ranked = (
  map: ReadonlyMap<number, Counting>,
  nameOf: (id: number) => string,
): readonly Group[] =>
  [...map]
    .map(([id, group]) =>
      id === 0 ? { id: null, name: '', ...group } : { id, name: nameOf(id), ...group },
    )
    .sort(
      (a, b) =>
        Number(a.id === null) - Number(b.id === null) ||
        b.count - a.count ||
        a.name.localeCompare(b.name),
    );

const everyWeek = (
  seen: ReadonlyMap<number, Counting>,
  { from, now }: InsightQuestion,
): readonly Week[] => {
  const starts = [...seen.keys()];
  const last = Math.max(weekStart(now), ...starts);
  const weeks: Week[] = [];
  let start = from === null ? Math.min(last, ...starts) : weekStart(from);
  for (; start <= last; start = weeksLater(start, 1)) {
    const { count = 0, worst = 0 } = seen.get(start) ?? {};
    weeks.push({ start, count, worst });
  }
  return weeks;
};

const optionCounts = (
  counts: ReadonlyMap<string | null, number>,
  options: readonly string[],
): readonly OptionCount[] => {
  const unknown = [...counts.keys()].filter((value) => value !== null && !options.includes(value));
  const none = counts.get(null) ?? 0;
  return [
    ...[...options, ...unknown].map((value) => ({ value, count: counts.get(value) ?? 0 })),
    ...(none > 0 ? [{ value: null, count: none }] : []),
  ];
};

const middle = (delays: readonly number[]): number | null => {
  const sorted = Float64Array.from(delays).sort();
  const half = sorted.length >> 1;
  if (sorted.length === 0) return null;
  const [low = 0, high = 0] = [sorted[half - 1], sorted[half]];
  return sorted.length % 2 === 1 ? high : (low + high) / 2;
};

/** Caches the current week: sorted moments need one calendar computation per week, not per record. */
const weekStarts = (): ((at: number) => number) => {
  let [start, end] = [0, 0];
  return (at) => {
    if (at < start || at >= end) {
      start = weekStart(at);
      end = weeksLater(start, 1);
    }
    return start;
  };
};

const delayFigures = (delays: readonly number[]) => ({
  median: middle(delays),
  counts: DELAYS.map((end, at) => {
    const above = DELAYS[at - 1] ?? -1;
    return delays.filter((delay) => delay <= end && delay > above).length;
  }),
  recorded: delays.length,
});

/** Milliseconds from event to report; null when the event time is unknown. */
const delayOf = (
  custom: NearMissTraits['custom'],
  when: InsightQuestion['when'],
  created_at: number,
) => {
  const raw = when === null ? null : custom[when.key];
  const happened = typeof raw === 'string' ? Date.parse(raw) : Number.NaN;
  return Number.isNaN(happened) ? null : created_at - happened;
};

const optionIn = (custom: NearMissTraits['custom'], key: string): string | null => {
  const raw = custom[key];
  return typeof raw === 'string' && raw !== '' ? raw : null;
};

/** Computes the figures. Expects records oldest first; skips those before `from`. */
export const insightsOf = ({ records, nameOf }: Counted, question: InsightQuestion): Insights => {
  const { severity, when } = question;
  const worst_option = severity?.options.at(-1);
  const weeks = new Map<number, Counting>();
  const weekOf = weekStarts();
  const by = DIMENSIONS.map((name) => ({
    name,
    at: idFields.indexOf(`${name}_id`),
    groups: new Map<number, Counting>(),
  }));
  const by_severity = new Map<string | null, number>();
  const by_kind = new Map<string | null, number>();
  const heat = new Map<number, Map<number, number>>();
  const [harm_at, activity_at] = [
    idFields.indexOf('harm_source_id'),
    idFields.indexOf('work_activity_id'),
  ];
  const delays: number[] = [];
  const waits: number[] = [];
  const pins: PinFact[] = [];
  let [total, not_recorded, after_report, unanswered] = [0, 0, 0, 0];

  for (const record of records) {
    const { created_at, ids, custom } = record;
    if (created_at < (question.from ?? -Infinity)) continue;
    const value = severity === null ? null : optionIn(custom, severity.key);
    const worst = value !== null && value === worst_option;
    total += 1;
    bump(weeks, weekOf(created_at), worst);
    for (const { at, groups } of by) bump(groups, ids[at] ?? 0, worst);
    by_severity.set(value, (by_severity.get(value) ?? 0) + 1);
    if (question.kind !== null) {
      const kind = optionIn(custom, question.kind.key);
      by_kind.set(kind, (by_kind.get(kind) ?? 0) + 1);
    }
    const [harm, activity] = [ids[harm_at] ?? 0, ids[activity_at] ?? 0];
    let line = heat.get(harm);
    if (line === undefined) heat.set(harm, (line = new Map()));
    line.set(activity, (line.get(activity) ?? 0) + 1);
    const delay = delayOf(custom, when, created_at);
    if (delay === null) not_recorded += 1;
    else if (delay < -SKEW) after_report += 1;
    else delays.push(Math.max(0, delay));
    const pin = question.pin === null ? null : pinFactOf(record, question.pin.key, value);
    if (pin !== null) pins.push(pin);
    if (question.answer === null) continue;
    const { answered, seen_at } = answerOf({ custom_fields: custom }, question.answer);
    if (!answered) unanswered += 1;
    if (seen_at !== null) waits.push(Math.max(0, seen_at - created_at));
  }

  const groups = Object.fromEntries(
    by.map(({ name, groups: map }) => [name, ranked(map, (id) => nameOf(`${name}_id`, id))]),
  ) as Record<Dimension, readonly Group[]>;
  return {
    total,
    weeks: everyWeek(weeks, question),
    by: groups,
    severity: severity === null ? [] : optionCounts(by_severity, severity.options),
    kind: question.kind === null ? [] : optionCounts(by_kind, question.kind.options),
    heat: groups.harm_source.map(({ id }) =>
      groups.work_activity.map((activity) => heat.get(id ?? 0)?.get(activity.id ?? 0) ?? 0),
    ),
    delay: { ...delayFigures(delays), not_recorded, after_report },
    answer: { median: middle(waits), timed: waits.length, unanswered },
    pins,
  };
};
