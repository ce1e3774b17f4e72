/**
 * Something done to many near misses: each is its own change with its own entry on the queue, exactly as if it had been
 * done alone, so that stopping half way, or a crash, leaves every record either as it was or saved as changed.
 */
import type { Problem } from '../../contract/problem.ts';
import type { Deps } from './db.ts';
import { deleteNearMiss, restoreNearMiss } from './near-misses.ts';

export interface BulkDone {
  /** Keys of the records that were changed, for taking it back. */
  readonly done: readonly string[];
  /** On no server yet: there would be no bin to get them back from, so they are left out. */
  readonly never_sent: number;
  /** Not reached: stopped by the user or by the problem. */
  readonly left: number;
  readonly problem: Problem | null;
}

export interface BulkOptions {
  readonly progress: (done: number) => void;
  readonly signal: AbortSignal;
}

/** Changes under way at once: they share the disk's commits. */
const AT_ONCE = 8;

export const changeMany = async (
  deps: Deps,
  what: 'recycle' | 'restore',
  keys: readonly string[],
  { progress, signal }: BulkOptions,
): Promise<BulkDone> => {
  const done: string[] = [];
  let never_sent = 0;
  let problem: Problem | null = null;
  let next = 0;
  let over = 0;
  const one = async (key: string): Promise<void> => {
    const row = await deps.db.near_misses.get(key);
    const bin = what === 'recycle' ? 0 : 1;
    if (row === undefined || row.bin !== bin) return;
    if (what === 'recycle' && row.server_id === null) {
      never_sent += 1;
      return;
    }
    const answer = await (what === 'recycle' ? deleteNearMiss : restoreNearMiss)(deps, key);
    if (answer.ok) done.push(key);
    // Gone meanwhile: there is nothing left to do to it.
    else if (answer.problem.kind !== 'gone') problem ??= answer.problem;
  };
  const worker = async (): Promise<void> => {
    while (next < keys.length && !signal.aborted && problem === null) {
      const key = keys[next] ?? '';
      next += 1;
      await one(key);
      over += 1;
      progress(over);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { done, never_sent, left: keys.length - over, problem };
};
