/**
 * A network that comes and goes by a seed (failures A24): after so many requests it is down, nobody listens and what was
 * on its way is cut; after so many milliseconds it is up again. After the last outage it stays.
 */
import { randomFrom } from '../prove/random.ts';
import type { Chaos } from './chaos.ts';

export interface Flapping {
  /** Outages that began. */
  outages(): number;
  /** Resolves when the network is up for good. */
  readonly over: Promise<void>;
}

/** @param outages how many: each begins after 1 to 12 requests, in the middle of one, and lasts 50 to 650 ms */
export const flap = (chaos: Chaos, seed: number, outages: number): Flapping => {
  const random = randomFrom(seed);
  const between = (low: number, high: number): number =>
    low + Math.floor(random() * (high - low + 1));
  const { promise: over, resolve, reject } = Promise.withResolvers<void>();
  let begun = 0;
  let left = between(1, 12);
  let down = false;
  const fall = async (): Promise<void> => {
    await chaos.reachable(false);
    await new Promise((wake) => setTimeout(wake, between(50, 650)));
    left = between(1, 12);
    down = false;
    await chaos.reachable(true);
    if (begun === outages) resolve();
  };
  chaos.plan = () => {
    if (down || begun === outages || (left -= 1) > 0) return null;
    // At once: another request of this turn must not begin an outage of its own, one too many to ever end.
    down = true;
    begun += 1;
    // Half of the outages cut a request before the service has it, half of them its answer.
    const lost = random() < 0.5;
    setImmediate(() => void fall().catch(reject));
    return lost ? { kind: 'cut_reply', after: -1 } : { kind: 'stall' };
  };
  return { outages: () => begun, over };
};
