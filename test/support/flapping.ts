/**
 * A network that goes up and down by a seed (failures A24). After some requests the proxy stops listening and cuts what is in
 * flight; some milliseconds later it is up again. After the last outage it stays up.
 */
import { randomFrom } from '../prove/random.ts';
import type { Chaos } from './chaos.ts';

export interface Flapping {
  /** Number of outages so far. */
  outages(): number;
  /** Resolves when the network is up for good. */
  readonly over: Promise<void>;
}

/** @param outages number of outages: each begins after 1 to 12 requests, during a request, and lasts 50 to 650 ms */
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
    // Set synchronously: another request of this turn must not begin an extra outage, because nothing would end that one.
    down = true;
    begun += 1;
    // Half of the outages lose the request before the service has it, the other half lose its response.
    const lost = random() < 0.5;
    setImmediate(() => void fall().catch(reject));
    return lost ? { kind: 'cut_reply', after: -1 } : { kind: 'stall' };
  };
  return { outages: () => begun, over };
};
