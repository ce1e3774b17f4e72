/** Formats numbers, sizes and times for English sentences. */
import { formatFor } from '../format.ts';

export const f = formatFor('en-GB', { today: 'today', yesterday: 'yesterday' });
export const { count, bytes, near, span } = f;

export const photos = (n: number): string => count(n, { one: '# photo', other: '# photos' });
export const items = (n: number): string => count(n, { one: '# item', other: '# items' });
