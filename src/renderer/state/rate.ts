/**
 * Pure: how fast photos go and how long they take, from what the host tells of acknowledged bytes. Those come in steps of a
 * segment, so the speed is that of the last seconds and not of the last step.
 */
import type { PhotoProgress } from './app.svelte.ts';

/** Milliseconds looked back over. */
const WINDOW = 20_000;
/** Less says nothing. */
const AT_LEAST = 2_000;

interface Sample {
  readonly at: number;
  readonly sent: number;
}

export interface Rates {
  /** @param at milliseconds that only go forward. */
  hear(event: Pick<PhotoProgress, 'photo_id' | 'step' | 'sent'>, at: number): void;
  /** Bytes a second over these photos; null where it is not known yet. */
  of(photo_ids: readonly string[], at: number): number | null;
}

export const createRates = (): Rates => {
  const samples = new Map<string, Sample[]>();
  const one = (photo_id: string, at: number): number | null => {
    const kept = samples.get(photo_id) ?? [];
    const first = kept[0];
    const last = kept.at(-1);
    // A photo that has stood still for so long is not on its way.
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
      // Begun again: what was sent before is no speed.
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

/** Milliseconds for the rest; null where it is not known or not moving. */
export const timeLeft = (rest: number, rate: number | null): number | null =>
  rate === null || rate < 1 ? null : (rest / rate) * 1000;

/** Two figures: a third one only flickers. */
export const steady = (rate: number): number => Number(rate.toPrecision(2));
