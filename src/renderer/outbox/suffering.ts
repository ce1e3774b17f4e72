/**
 * Is it this entry, or all of them? One lane that fails says little: its content may be what the server trips over. A second
 * lane that fails before anything got through says that the server takes nothing of this kind: then all of the kind wait
 * (queue-hold.ts), and one entry at a time is sent to see whether it is over. Kept apart for records and for photos.
 */
import type { OutboxEntry } from '../data/db.ts';
import type { Hold } from './queue-hold.ts';

type Known = Pick<OutboxEntry, 'id' | 'lane'>;

export interface Suffering {
  readonly hold: Hold;
  /** True: not this lane alone, all of the kind have to wait. */
  failed(entry: Known): boolean;
  /** The server took one. */
  succeeded(): Promise<void>;
  /** Has it failed since all of them wait? Others are tried first. */
  tried(entry: Known): boolean;
  /** All are tried again, from the oldest. False: none had been. */
  again(): boolean;
  /** Do all of them wait now, with nothing to be tried yet? */
  waits(): boolean;
  /** Is the wait over, and one of them tried? */
  trying(): boolean;
  /** How many may be taken on, where so many are on their way. */
  room(most: number, going: number): number;
  /** A person wants them tried. */
  reset(): void;
}

export const createSuffering = (hold: Hold): Suffering => {
  /** Lanes that failed since something got through. */
  const lanes = new Set<string>();
  const tried = new Set<string>();
  const waits = (): boolean => hold.problem() !== null && hold.remaining() > 0;
  const trying = (): boolean => hold.problem() !== null && hold.remaining() === 0;
  return {
    hold,
    failed({ id, lane }) {
      lanes.add(lane);
      tried.add(id);
      return lanes.size > 1 || hold.problem() !== null;
    },
    async succeeded() {
      lanes.clear();
      tried.clear();
      hold.succeeded();
      if (hold.of() === 'write') await hold.lift();
    },
    tried: ({ id }) => hold.problem() !== null && tried.has(id),
    again() {
      const any = tried.size > 0;
      tried.clear();
      return any;
    },
    waits,
    trying,
    room: (most, going) => Math.max(0, (waits() ? 0 : trying() ? 1 : most) - going),
    reset() {
      lanes.clear();
      tried.clear();
      hold.reset();
    },
  };
};
