/**
 * Limits guesses of codes and secrets: by the address, and ten times as many of everybody together (decisions §12.5, §12.8). Behind a
 * proxy all clients have one address.
 */
import { rateLimit, type RateLimit } from './rate-limit.ts';

/** The addresses that may guess at their full rate at once. */
const ADDRESSES = 10;

export interface GuessLimit {
  /** @throws Refusal 429 */
  count(address: string, moment: Parameters<RateLimit['count']>[1]): void;
}

/** @param rate of one address per minute; 0: no limit */
export const guessLimit = (rate: number): GuessLimit => {
  const [byAddress, byAll] = [rateLimit(rate), rateLimit(rate * ADDRESSES)];
  return {
    count: (address, moment) => {
      byAddress.count(address, moment);
      byAll.count('', moment);
    },
  };
};
