/**
 * What the near misses of a project add up to: per week, by what is known of them, and how long it took from event to
 * report. Everything is counted from the records on this laptop, in one pass, in a worker of its own, so that a hundred
 * thousand of them never keep the window waiting and no network is needed.
 */
import { Dexie, type ObservabilitySet } from 'dexie';
import type { Deps, NearMissRow } from './db.ts';

/** What records are grouped by; `<name>_id` is the field. */
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
  /** Reported at or after, milliseconds; null is from the first on. */
  readonly from: number | null;
  readonly now: number;
  /** The custom field that tells the potential severity, mildest option first; null where the catalog has none. */
  readonly severity: { readonly key: string; readonly options: readonly string[] } | null;
  /** The custom field that tells when it happened. */
  readonly when: { readonly key: string } | null;
}

export interface Group {
  /** Null: not recorded. */
  readonly id: number | null;
  readonly name: string;
  readonly count: number;
  /** How many of them could have been the worst. */
  readonly worst: number;
}

export interface Week {
  /** Monday 00:00 of this computer, milliseconds. */
  readonly start: number;
  readonly count: number;
  readonly worst: number;
}

/** How soon it was reported, as upper ends in milliseconds; the last has none. */
export const DELAYS = [10 * 60_000, 60 * 60_000, 24 * 60 * 60_000, Infinity] as const;
/** Two clocks, a minute each: so much later than the report an event may be and still count as reported at once. */
const SKEW = 2 * 60_000;

export interface Insights {
  readonly total: number;
  /** Every week from the first to this one, also those without any. */
  readonly weeks: readonly Week[];
  /** Most first, "not recorded" last. */
  readonly by: Readonly<Record<Dimension, readonly Group[]>>;
  /** In the catalog's order, then values the catalog does not know, then null: not recorded. */
  readonly severity: readonly { readonly value: string | null; readonly count: number }[];
  /** `cells[r][c]`: of `by.harm_source[r]` during `by.work_activity[c]`. */
  readonly heat: readonly (readonly number[])[];
  readonly delay: {
    /** Milliseconds from event to report, of those that tell both; null of none. */
    readonly median: number | null;
    /** As many as `DELAYS`: how many fall under each end and over the one before. */
    readonly counts: readonly number[];
    readonly recorded: number;
    readonly not_recorded: number;
    /** Told to have happened after the report: left out, and said so. */
    readonly after_report: number;
  };
}

/** Monday 00:00 of this computer's week. */
export const weekStart = (at: number): number => {
  const day = new Date(at);
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() - ((day.getDay() + 6) % 7));
  return day.getTime();
};

/** So many weeks on, whatever summer time does in between. */
export const weeksLater = (start: number, weeks: number): number => {
  const day = new Date(start);
  day.setDate(day.getDate() + 7 * weeks);
  return day.getTime();
};

type Counted = Pick<NearMissRow, 'created_at' | 'fields' | 'names'>;

interface Tally {
  add(row: Counted): void;
  result(): Insights;
}

interface Counting {
  name: string;
  count: number;
  worst: number;
}

const bump = <K>(map: Map<K, Counting>, key: K, name: string, worst: boolean): void => {
  const had = map.get(key) ?? { name: '', count: 0, worst: 0 };
  map.set(key, {
    name: name || had.name,
    count: had.count + 1,
    worst: had.worst + (worst ? 1 : 0),
  });
};

const ranked = (map: ReadonlyMap<number | null, Counting>): readonly Group[] =>
  [...map]
    .map(([id, group]) => ({ id, ...group }))
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

const severities = (
  counts: ReadonlyMap<string | null, number>,
  options: readonly string[],
): Insights['severity'] => {
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

/** Counts rows one by one. */
export const tallyOf = (question: InsightQuestion): Tally => {
  const { severity, when } = question;
  const worst_option = severity?.options.at(-1);
  const weeks = new Map<number, Counting>();
  const by = {
    harm_source: new Map<number | null, Counting>(),
    work_activity: new Map<number | null, Counting>(),
    affected_company: new Map<number | null, Counting>(),
    managed_equipment: new Map<number | null, Counting>(),
  } satisfies Record<Dimension, Map<number | null, Counting>>;
  const by_severity = new Map<string | null, number>();
  const heat = new Map<number | null, Map<number | null, number>>();
  const delays: number[] = [];
  let [total, not_recorded, after_report] = [0, 0, 0];

  const addDelay = (row: Counted): void => {
    const told = when === null ? null : row.fields.custom_fields[when.key];
    const happened = typeof told === 'string' ? Date.parse(told) : Number.NaN;
    const delay = row.created_at - happened;
    if (Number.isNaN(happened)) not_recorded += 1;
    else if (delay < -SKEW) after_report += 1;
    else delays.push(Math.max(0, delay));
  };

  return {
    add(row) {
      const { fields, names } = row;
      const told = severity === null ? null : fields.custom_fields[severity.key];
      const value = typeof told === 'string' && told !== '' ? told : null;
      const worst = value !== null && value === worst_option;
      total += 1;
      bump(weeks, weekStart(row.created_at), '', worst);
      for (const name of DIMENSIONS) bump(by[name], fields[`${name}_id`], names[name], worst);
      by_severity.set(value, (by_severity.get(value) ?? 0) + 1);
      const line = heat.get(fields.harm_source_id) ?? new Map<number | null, number>();
      line.set(fields.work_activity_id, (line.get(fields.work_activity_id) ?? 0) + 1);
      heat.set(fields.harm_source_id, line);
      addDelay(row);
    },
    result() {
      const groups = {
        harm_source: ranked(by.harm_source),
        work_activity: ranked(by.work_activity),
        affected_company: ranked(by.affected_company),
        managed_equipment: ranked(by.managed_equipment),
      };
      return {
        total,
        weeks: everyWeek(weeks, question),
        by: groups,
        severity: severity === null ? [] : severities(by_severity, severity.options),
        heat: groups.harm_source.map(({ id }) =>
          groups.work_activity.map((activity) => heat.get(id)?.get(activity.id) ?? 0),
        ),
        delay: {
          median: middle(delays),
          counts: DELAYS.map((end, at) => {
            const above = DELAYS[at - 1] ?? -1;
            return delays.filter((delay) => delay <= end && delay > above).length;
          }),
          ...{ recorded: delays.length, not_recorded, after_report },
        },
      };
    },
  };
};

export interface InsightProgress {
  readonly done: number;
  readonly total: number;
}

/** From the worker, in this order: progress any number of times, then one of the others. */
export type InsightMessage =
  | { readonly kind: 'progress'; readonly progress: InsightProgress }
  | { readonly kind: 'done'; readonly insights: Insights }
  | { readonly kind: 'failed'; readonly detail: string };

/** To the worker, once. */
export interface InsightOrder {
  readonly db_name: string;
  readonly question: InsightQuestion;
}

/** Counts in a worker. Rejects where the database cannot be read there, and with an AbortError where it was cancelled. */
export const askInsights = (
  { db }: Pick<Deps, 'db'>,
  question: InsightQuestion,
  how: {
    readonly signal?: AbortSignal;
    readonly onProgress?: (progress: InsightProgress) => void;
  } = {},
): Promise<Insights> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./insights-worker.ts', import.meta.url), {
      type: 'module',
    });
    const over = (): void => {
      worker.terminate();
      how.signal?.removeEventListener('abort', cancelled);
    };
    const cancelled = (): void => {
      over();
      reject(new DOMException('cancelled', 'AbortError'));
    };
    how.signal?.addEventListener('abort', cancelled);
    worker.onmessage = ({ data }: MessageEvent<InsightMessage>) => {
      if (data.kind === 'progress') {
        how.onProgress?.(data.progress);
        return;
      }
      over();
      if (data.kind === 'done') resolve(data.insights);
      else reject(new Error(data.detail));
    };
    worker.onerror = (event) => {
      over();
      reject(new Error(event.message));
    };
    worker.postMessage({ db_name: db.name, question } satisfies InsightOrder);
    if (how.signal?.aborted === true) cancelled();
  });

/** Calls after every change of a near miss in any window, until the answered function is called. */
export const watchNearMisses = ({ db }: Pick<Deps, 'db'>, changed: () => void): (() => void) => {
  const place = `idb://${db.name}/near_misses/`;
  const hear = (parts: ObservabilitySet): void => {
    if (Object.keys(parts).some((part) => part.startsWith(place))) changed();
  };
  Dexie.on('storagemutated', hear);
  return () => Dexie.on.storagemutated.unsubscribe(hear);
};
