/**
 * Requests the figures of a project (insights.ts) from the worker of the list's index. The worker has every record in
 * memory, so neither the window nor the database does the work.
 */
import type { Deps } from '../db/db.ts';
import type { InsightQuestion, Insights } from './insights.ts';
import { indexOf, type Reading, type Scope } from './near-miss-index.ts';

export type InsightProgress = Reading;

/**
 * `onProgress` reports how many records the index has read. Rejects if the records cannot be read, and with an
 * AbortError when cancelled. The index keeps reading after a cancel, because the list needs it.
 */
export const askInsights = (
  { db }: Pick<Deps, 'db'>,
  question: InsightQuestion,
  how: {
    readonly signal?: AbortSignal;
    readonly onProgress?: (progress: InsightProgress) => void;
  } = {},
): Promise<Insights> =>
  new Promise((resolve, reject) => {
    const index = indexOf(db, question);
    const over = (): void => {
      unlisten();
      how.signal?.removeEventListener('abort', cancelled);
    };
    const cancelled = (): void => {
      over();
      reject(new DOMException('cancelled', 'AbortError'));
    };
    const unlisten = index.listen(({ reading, failed }) => {
      if (reading !== undefined) how.onProgress?.(reading);
      if (failed === undefined) return;
      over();
      reject(new Error(failed));
    });
    how.signal?.addEventListener('abort', cancelled);
    if (how.signal?.aborted === true) return cancelled();
    void index.insights(question).then((insights) => {
      over();
      resolve(insights);
    });
  });

/**
 * Calls `changed` after every change of a near miss in any window, once the figures include it. Returns the
 * unsubscribe function.
 */
export const watchNearMisses = (
  { db }: Pick<Deps, 'db'>,
  scope: Scope,
  changed: () => void,
): (() => void) => {
  const index = indexOf(db, scope);
  // Stays silent until the first read is complete: a pending request for figures resolves with all records.
  let { ready } = index;
  return index.listen(({ reading, failed }) => {
    if (ready && reading === undefined && failed === undefined) changed();
    ready = index.ready;
  });
};
