/** Backoffs of operations that failed alone, by the monotonic clock. They end with the window; the wait on screen is the row's. */
import type { Clock, OutboxOperation } from '../../data/db/db.ts';

type Known = Pick<OutboxOperation, 'id'>;

export interface LaneBackoffs {
  /** @param asked true if the server set the wait */
  start(operation: Known, ms: number, asked: boolean): void;
  end(operation: Known): void;
  hasEnded(operation: Known): boolean;
  /** True while a wait that the server set has not ended. */
  isAskedToWait(operation: Known): boolean;
  /** Ends every wait, except those that the server set. Answers the ids of the ended ones. */
  endAll(): readonly string[];
  /** Ends of the backoffs, by the monotonic clock. */
  ends(): readonly number[];
}

export function createLaneBackoffs(clock: Clock): LaneBackoffs {
  const waits = new Map<string, { readonly ends_at: number; readonly asked: boolean }>();
  const hasEnded = ({ id }: Known): boolean =>
    (waits.get(id)?.ends_at ?? -Infinity) <= clock.monotonic();
  return {
    start: ({ id }, ms, asked) => waits.set(id, { ends_at: clock.monotonic() + ms, asked }),
    end: ({ id }) => waits.delete(id),
    hasEnded,
    isAskedToWait: (operation) => waits.get(operation.id)?.asked === true && !hasEnded(operation),
    endAll() {
      const ids = [...waits].flatMap(([id, { asked }]) => (asked ? [] : [id]));
      for (const id of ids) waits.delete(id);
      return ids;
    },
    ends: () => [...waits.values()].map(({ ends_at }) => ends_at),
  };
}
