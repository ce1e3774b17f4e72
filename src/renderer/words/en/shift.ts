/** The summary for the start of a shift. */
import { count } from './say.ts';

export const shift = {
  title: 'Since yesterday',
  /** Follows a number. */
  fresh: (n: number) => count(n, { one: 'new near miss', other: 'new near misses' }),
  due: (n: number) => count(n, { one: 'follow-up due', other: 'follow-ups due' }),
  /** Follows a number. */
  answered: (n: number) =>
    count(n, { one: 'of your reports was answered', other: 'of your reports were answered' }),
  /** Follows a number. */
  commented: (n: number) =>
    count(n, {
      one: 'new comment on your reports and follow-ups',
      other: 'new comments on your reports and follow-ups',
    }),
  /** Follows a number. */
  unanswered: (oldest: string) => `without an answer, oldest ${oldest}`,
  dues: 'Follow-ups due',
  nothing: 'Nothing new. Choose a near miss to see it here.',
  put_away: 'Hide until tomorrow',
};
