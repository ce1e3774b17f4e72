/**
 * Pure. Estimates upload speed and remaining time from acknowledged bytes. These arrive one segment at a time, so the speed is
 * averaged over the last seconds.
 */
import type { PhotoProgress } from '../app.svelte.ts';

/** Averaging window, in milliseconds. */
const WINDOW = 20_000;
/** Minimum time span for an estimate, in milliseconds. */
const AT_LEAST = 2_000;

interface Sample {
  readonly at: number;
  readonly sent: number;
}

export interface Rates {
  /** @param at monotonic time in milliseconds */
  hear(event: Pick<PhotoProgress, 'photo_id' | 'step' | 'sent'>, at: number): void;
  /** Total speed of these photos in bytes per second. Null while unknown. */
  of(photo_ids: readonly string[], at: number): number | null;
}

export const createRates = (): Rates => {
  const samples = new Map<string, Sample[]>();
  const one = (photo_id: string, at: number): number | null => {
    const kept = samples.get(photo_id) ?? [];
    const first = kept[0];
    const last = kept.at(-1);
    // Without progress for this long, the photo is not being sent.
    if (!first || !last || at - last.at > WINDOW || at - first.at < AT_LEAST) return null;
    return ((last.sent - first.sent) / (at - first.at)) * 1000;
  };
  return {
    hear: ({ photo_id, step, sent }, at) => {
      if (step !== 'sending') {
        samples.delete(photo_id);
        return;
      }
      const had = samples.get(photo_id) ?? [];
      const last = had.at(-1);
      // The upload restarted, so earlier samples are invalid.
      const kept = last && sent < last.sent ? [] : had;
      const recent = kept.filter((sample, index) => {
        const next = kept[index + 1];
        return at - sample.at <= WINDOW || (next !== undefined && at - next.at <= WINDOW);
      });
      samples.set(photo_id, [...recent, { at, sent }]);
    },
    of: (photo_ids, at) => {
      const known = photo_ids.flatMap((id) => one(id, at) ?? []);
      return known.length === 0 ? null : known.reduce((sum, rate) => sum + rate, 0);
    },
  };
};

/** Milliseconds until the rest is sent. Null if unknown or stalled. */
export const timeLeft = (rest: number, rate: number | null): number | null =>
  rate === null || rate < 1 ? null : (rest / rate) * 1000;

/** Rounds to two significant digits, because a third would flicker. */
export const steady = (rate: number): number => Number(rate.toPrecision(2));
