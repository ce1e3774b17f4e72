/** Formats numbers, sizes and times for Spanish sentences, as written in Mexico and the United States. */
import { formatFor } from '../format.ts';

export const f = formatFor('es-MX', { today: 'hoy', yesterday: 'ayer' });
export const { count, bytes, near, span } = f;

export const photos = (n: number): string => count(n, { one: '# foto', other: '# fotos' });
export const items = (n: number): string => count(n, { one: '# elemento', other: '# elementos' });
