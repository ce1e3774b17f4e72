/**
 * What the insights screen shows: the range, kept while the window is open, and the figures, counted again when a near miss
 * changes. A count that took long is not begun again at once, so that a queue that empties does not keep a core busy.
 */
import { askInsights, watchNearMisses, type InsightProgress } from '../../data/insights-ask.ts';
import { weeksLater, weekStart, type InsightQuestion, type Insights } from '../../data/insights.ts';
import type { Deps } from '../../data/db.ts';
import type { Scope } from '../../state/app.svelte.ts';
import { customKey, type Roles } from '../capture/roles.ts';

export const RANGES = ['weeks_4', 'weeks_12', 'year', 'all'] as const;
export type Range = (typeof RANGES)[number];

const WEEKS: Readonly<Record<Range, number | null>> = {
  weeks_4: 4,
  weeks_12: 12,
  year: 52,
  all: null,
};

/** Whole weeks, this one included; null is from the first report on. */
export const rangeStart = (range: Range, now: number): number | null => {
  const weeks = WEEKS[range];
  return weeks === null ? null : weeksLater(weekStart(now), 1 - weeks);
};

class Choices {
  range = $state<Range>('weeks_12');
  as = $state<'charts' | 'tables'>('charts');
}
export const choices = new Choices();

export const questionOf = (
  scope: Scope,
  roles: Roles,
  from: number | null,
  now: number,
): InsightQuestion => ({
  account: scope.account,
  project_id: scope.project_id,
  from,
  now,
  severity: roles.severity
    ? { key: customKey(roles.severity), options: roles.severity.options }
    : null,
  when: roles.when ? { key: customKey(roles.when) } : null,
});

/** The rest after a count, in times of what it took, and at least, milliseconds. */
const REST = 5;
const REST_MIN = 500;

export class Figures {
  insights = $state.raw<Insights | null>(null);
  progress = $state.raw<InsightProgress | null>(null);
  counting = $state(false);
  failed = $state(false);

  /** Counts now and after every change, until the answered function is called. */
  follow(deps: Deps, question: InsightQuestion): () => void {
    const stop = new AbortController();
    let [changed, busy] = [false, false];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = async (): Promise<void> => {
      if (busy || stop.signal.aborted) return;
      changed = false;
      busy = true;
      this.counting = true;
      const began = performance.now();
      try {
        this.insights = await askInsights(deps, question, {
          signal: stop.signal,
          onProgress: (progress) => (this.progress = progress),
        });
        this.failed = false;
      } catch {
        if (stop.signal.aborted) return;
        this.failed = true;
      }
      this.counting = false;
      this.progress = null;
      timer = setTimeout(
        () => {
          busy = false;
          if (changed) void run();
        },
        Math.max(REST_MIN, REST * (performance.now() - began)),
      );
    };
    const unwatch = watchNearMisses(deps, question, () => {
      changed = true;
      void run();
    });
    void run();
    return () => {
      stop.abort();
      clearTimeout(timer);
      unwatch();
    };
  }
}
