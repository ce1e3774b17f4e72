import { localDay } from '../../data/model/local-day.ts';

/** A file name with the local date: `near-misses-2026-11-21.csv`. */
export const datedName = (name: string, ending: string, now: number): string =>
  `${name}-${localDay(now)}.${ending}`;
