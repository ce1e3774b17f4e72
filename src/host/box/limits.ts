/** Bounds of the report box (src/phone/report/box.md). A listener that stays open must hold against patient senders. */
import { type ListenerLimits, usualListenerLimits } from '../phone/listener.ts';
import type { Rate } from '../phone/rate.ts';

export interface BoxLimits extends ListenerLimits {
  /** Requests of one address. */
  readonly of_one: Rate;
  /** New reports of one address in a minute. */
  readonly reports_of_one: number;
  /** Unfinished reports: of one address, and of all. */
  readonly coming_of_one: number;
  readonly coming: number;
  /** Reports that wait for a supervisor. */
  readonly waiting: number;
  /** Bytes of all photos in the box, unfinished reports included. */
  readonly bytes: number;
  /** An unfinished report without a message for this long is deleted, in milliseconds. */
  readonly coming_ms: number;
  /** Conversations: of one address, and of all; and the time without a message after which one ends. */
  readonly talks_of_one: number;
  readonly talks: number;
  readonly talk_ms: number;
  /** Refused bodies of one address in `barred_ms` before it is barred for the rest of that time. */
  readonly refusals: number;
  readonly barred_ms: number;
  /** Wrong codes: of one address in `guess_of_one_ms`, and of all in `guess_ms`. */
  readonly guesses_of_one: number;
  readonly guess_of_one_ms: number;
  readonly guesses: number;
  readonly guess_ms: number;
  /** Interval of looking after network, unfinished and old reports. */
  readonly look_ms: number;
}

const MINUTE = 60_000;

export const usualBoxLimits: BoxLimits = {
  ...usualListenerLimits,
  requests: 600,
  requests_per_second: 300,
  connections: 96,
  of_one: { requests: 60, requests_per_second: 20 },
  reports_of_one: 4,
  coming_of_one: 4,
  coming: 64,
  waiting: 200,
  bytes: 2 * 1024 ** 3,
  coming_ms: 10 * MINUTE,
  talks_of_one: 8,
  talks: 256,
  talk_ms: 15 * MINUTE,
  refusals: 20,
  barred_ms: 10 * MINUTE,
  guesses_of_one: 5,
  guess_of_one_ms: 10 * MINUTE,
  guesses: 30,
  guess_ms: 60 * MINUTE,
  look_ms: 30_000,
};
