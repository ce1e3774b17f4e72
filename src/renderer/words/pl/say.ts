/** Formats numbers, sizes and times for Polish sentences. */
import { formatFor } from '../format.ts';

export const f = formatFor('pl-PL', { today: 'dzisiaj', yesterday: 'wczoraj' });
export const { bytes, near, span } = f;

/** Picks the form of a whole number: `count(n, '# zdjęcie', '# zdjęcia', '# zdjęć')` for 1, 2 and 5. */
export const count = (n: number, one: string, few: string, many: string): string =>
  f.count(n, { one, few, many, other: many });

export const photos = (n: number): string => count(n, '# zdjęcie', '# zdjęcia', '# zdjęć');
export const items = (n: number): string => count(n, '# pozycja', '# pozycje', '# pozycji');
export const near_misses = (n: number): string =>
  count(n, '# zdarzenie', '# zdarzenia', '# zdarzeń');
