/**
 * Circuit breaker. One failing lane may have a bad payload. A second lane that fails before anything succeeds means
 * that the server takes nothing of this kind. Then the whole kind pauses (breaker-state.ts) and one operation at a time
 * probes. Records and photos have separate breakers.
 */
import type { OutboxOperation } from '../../data/db/db.ts';
import type { BreakerState } from './breaker-state.ts';

type Known = Pick<OutboxOperation, 'id' | 'lane'>;

export interface CircuitBreaker {
  readonly state: BreakerState;
  /** Records a failure. True if the whole kind has to pause. */
  recordFailure(operation: Known): boolean;
  /** The server accepted an operation of this kind. */
  recordSuccess(): Promise<void>;
  /** True if the operation failed during this outage. Other operations probe first. */
  hasFailed(operation: Known): boolean;
  /** Lets every operation probe again, from the oldest. False if none had failed. */
  forgetFailed(): boolean;
  /** Open: the kind pauses, and it is too early to probe. */
  isOpen(): boolean;
  /** Half-open: the wait has ended, and one operation may probe. */
  isHalfOpen(): boolean;
  /** The number of operations that may still start, given the limit and the number in flight. */
  room(most: number, going: number): number;
  /** A person asks for a retry: clears the counts and ends the wait. */
  reset(): void;
}

export const createCircuitBreaker = (state: BreakerState): CircuitBreaker => {
  /** Lanes that failed since the last success. */
  const lanes = new Set<string>();
  const failed_ids = new Set<string>();
  const isOpen = (): boolean => state.problem() !== null && state.remainingMs() > 0;
  const isHalfOpen = (): boolean => state.problem() !== null && state.remainingMs() === 0;
  return {
    state,
    recordFailure({ id, lane }) {
      lanes.add(lane);
      failed_ids.add(id);
      return lanes.size > 1 || state.problem() !== null;
    },
    async recordSuccess() {
      lanes.clear();
      failed_ids.clear();
      state.resetFailures();
      if (state.closedBy() === 'write') await state.close();
    },
    hasFailed: ({ id }) => state.problem() !== null && failed_ids.has(id),
    forgetFailed() {
      const any = failed_ids.size > 0;
      failed_ids.clear();
      return any;
    },
    isOpen,
    isHalfOpen,
    room: (most, going) => Math.max(0, (isOpen() ? 0 : isHalfOpen() ? 1 : most) - going),
    reset() {
      lanes.clear();
      failed_ids.clear();
      state.reset();
    },
  };
};
