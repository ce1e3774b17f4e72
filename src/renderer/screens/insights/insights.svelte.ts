/**
 * State of the insights screen: the range, kept while the window is open, and the figures, recomputed when a near miss
 * changes. After a slow computation it pauses, so that a draining queue does not keep a core busy.
 */
import {
  askInsights,
  watchNearMisses,
  type InsightProgress,
} from '../../data/index/insights-ask.ts';
import {
  weeksLater,
  weekStart,
  type InsightQuestion,
  type Insights,
} from '../../data/index/insights.ts';
import type { AnswerFields } from '../../data/model/answer.ts';
import type { Deps } from '../../data/db/db.ts';
import type { Scope } from '../../state/app.svelte.ts';
import { type Roles } from '../../near-miss-form/roles.ts';
import { customKey } from '../../../contract/text/field-by-label.ts';

export const RANGES = ['weeks_4', 'weeks_12', 'year', 'all'] as const;
export type Range = (typeof RANGES)[number];

const WEEKS: Readonly<Record<Range, number | null>> = {
  weeks_4: 4,
  weeks_12: 12,
  year: 52,
  all: null,
};

/** The first moment of the range, in whole weeks including the current one; null for all time. */
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
  answer: AnswerFields | null,
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
  kind: roles.kind ? { key: customKey(roles.kind), options: roles.kind.options } : null,
  when: roles.when ? { key: customKey(roles.when) } : null,
  answer,
  pin: roles.pin ? { key: customKey(roles.pin) } : null,
});

/** Pause after a computation, as a multiple of its duration, with a minimum in milliseconds. */
const REST = 5;
const REST_MIN = 500;

export class Figures {
  insights = $state.raw<Insights | null>(null);
  progress = $state.raw<InsightProgress | null>(null);
  counting = $state(false);
  failed = $state(false);

  /**
   * Computes now and after every change.
   * @returns a function that stops it
   */
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
