/** Rate limits of the listener: token buckets, of all requests together and of each address. */
import type { Clock } from '../lib/clock.ts';

/** Burst size, and requests per second. */
export interface Rate {
  readonly requests: number;
  readonly requests_per_second: number;
}

/** Addresses that are remembered. A private network has few; more are one sender with many addresses, and the oldest go. */
const ADDRESSES_MAX = 2_000;

/** Token bucket. Returns false if a request comes too soon. */
export const createRate = (clock: Clock, { requests, requests_per_second }: Rate) => {
  let left = requests;
  let at = clock.monotonic();
  return (): boolean => {
    const now = clock.monotonic();
    left = Math.min(requests, left + ((now - at) / 1000) * requests_per_second);
    at = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
};

/** A map of addresses that forgets the one not used for longest. */
export const byAddress = <T>(make: () => T) => {
  const all = new Map<string, T>();
  return (address: string): T => {
    const one = all.get(address) ?? make();
    all.delete(address);
    all.set(address, one);
    if (all.size > ADDRESSES_MAX) all.delete(all.keys().next().value ?? '');
    return one;
  };
};

/** Token buckets of addresses. */
export const createRates = (clock: Clock, rate: Rate) => {
  const of = byAddress(() => createRate(clock, rate));
  return (address: string): boolean => of(address)();
};

/** Counts events in a sliding window. */
export const createWindow = (clock: Clock, most: number, ms: number) => {
  let times: number[] = [];
  const passed = () => {
    const since = clock.monotonic() - ms;
    times = times.filter((at) => at > since);
    return times.length;
  };
  return {
    full: (): boolean => passed() >= most,
    count: (): void => {
      passed();
      times.push(clock.monotonic());
    },
  };
};
