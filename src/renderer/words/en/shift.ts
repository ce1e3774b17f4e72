/** What a shift begins with. */
import { count } from './say.ts';

export const shift = {
  title: 'Since yesterday',
  /** Beside a number. */
  fresh: (n: number) => count(n, { one: 'new near miss', other: 'new near misses' }),
  due: (n: number) => count(n, { one: 'follow-up due', other: 'follow-ups due' }),
  first: 'The worst',
  put_away: 'Hide until tomorrow',
};
