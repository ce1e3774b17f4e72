/**
 * Asks for the figures of a project (insights.ts): counted by the index of the list, in its worker, which has every record in
 * memory once it has read them all, so that neither the window nor the database has work with it.
 */
import type { Deps } from './db.ts';
import type { InsightQuestion, Insights } from './insights.ts';
import { indexOf, type Reading, type Scope } from './near-miss-index.ts';

export type InsightProgress = Reading;

/**
 * `onProgress` tells how far the index is with its reading. Rejects where the records cannot be read, and with an AbortError
 * where it was cancelled; the index goes on then, for the list.
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

/** Calls after every change of a near miss in any window, when the figures would know of it, until the answered function is called. */
export const watchNearMisses = (
  { db }: Pick<Deps, 'db'>,
  scope: Scope,
  changed: () => void,
): (() => void) => {
  const index = indexOf(db, scope);
  // While it reads, and of the end of that, there is nothing to tell: whoever asked is answered with all of it.
  let { ready } = index;
  return index.listen(({ reading, failed }) => {
    if (ready && reading === undefined && failed === undefined) changed();
    ready = index.ready;
  });
};
