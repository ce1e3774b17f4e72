/** The sheet "You said, we did" itself, in the language chosen on it. */
import { f } from './say.ts';

export const said_sheet = {
  title: 'You said, we did',
  days: (from: number, to: number) => `${f.day_month(from)} to ${f.day(to)}`,
  said: 'You said',
  did: 'We did',
  before: 'Before',
  after: 'After',
  /** Replaces the name of a person. */
  somebody: '[name]',
  foot: 'Thank you for speaking up. Nobody is named here. Keep telling us.',
};
