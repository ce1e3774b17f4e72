/**
 * Limits guesses of codes and secrets: by the address, and ten times as many of everybody together (decisions §12.5, §12.8). Behind a
 * proxy all clients have one address.
 */
import { WrongGuess } from '../../domain/problem.ts';
import { rateLimit, type RateLimit } from './rate-limit.ts';

/** The addresses that may guess at their full rate at once. */
const ADDRESSES = 10;

type Moment = Parameters<RateLimit['count']>[1];

export interface GuessLimit {
  /** @throws Refusal 429 */
  count(address: string, moment: Moment): void;
  /**
   * Counts only an attempt that ends in a `WrongGuess`. It is counted before it is judged, so that attempts at once are limited too.
   * @throws Refusal 429
   */
  attempt<T>(address: string, moment: Moment, judge: () => Promise<T>): Promise<T>;
}

/** @param rate of one address per minute; 0: no limit */
export const guessLimit = (rate: number): GuessLimit => {
  const [byAddress, byAll] = [rateLimit(rate), rateLimit(rate * ADDRESSES)];
  const count = (address: string, moment: Moment): void => {
    byAddress.count(address, moment);
    byAll.count('', moment);
  };
  const uncount = (address: string): void => {
    byAddress.uncount(address);
    byAll.uncount('');
  };
  return {
    count,
    attempt: async (address, moment, judge) => {
      count(address, moment);
      try {
        const right = await judge();
        uncount(address);
        return right;
      } catch (error) {
        if (!(error instanceof WrongGuess)) uncount(address);
        throw error;
      }
    },
  };
};
