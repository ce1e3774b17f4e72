/** Repairs the journal while nothing is sent: it may have missed a change, or the answer to a write was lost. */
import type { Deps } from '../../data/db/db.ts';
import { repairJournal } from '../journal/rebuild.ts';

/** Milliseconds that a change may take to reach the journal before it is sent again. */
export const REPAIR_AFTER = 2_000;

/** Milliseconds until the next look at the journal; Infinity if it holds everything. */
export function createJournalRepair(deps: Deps): () => Promise<number> {
  const { db, clock } = deps;
  /** When changes were first found missing from the journal, by the monotonic clock; null if none are. */
  let missing_since: number | null = null;

  return async () => {
    const unacked = await db.operations.where('journaled').equals(0).first();
    const missing = unacked !== undefined || (await db.tombstones.count()) > 0;
    if (!missing) {
      missing_since = null;
      return Infinity;
    }
    missing_since ??= clock.monotonic();
    const age = clock.monotonic() - missing_since;
    if (age < REPAIR_AFTER) return REPAIR_AFTER - age;
    missing_since = null;
    const repaired = await repairJournal(deps);
    return repaired.ok ? 0 : REPAIR_AFTER;
  };
}
