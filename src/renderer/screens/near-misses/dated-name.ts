import { localDay } from '../../data/local-day.ts';

/** `near-misses-2026-11-21.csv`, by this computer's day. */
export const datedName = (name: string, ending: string, now: number): string =>
  `${name}-${localDay(now)}.${ending}`;
