/** How English says numbers, sizes and times: what the sentences are put together with. */
import { formatFor } from '../format.ts';

export const f = formatFor('en-GB', { today: 'today', yesterday: 'yesterday' });
export const { count, bytes, near, time, span } = f;

export const photos = (n: number): string => count(n, { one: '# photo', other: '# photos' });
export const items = (n: number): string => count(n, { one: '# item', other: '# items' });
