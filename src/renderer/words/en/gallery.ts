/** The gallery of all photos of the project. */
import { bytes, count, f, photos } from './say.ts';

export const gallery = {
  filter: 'Which photos',
  all: (n: number) => `All ${f.number(n)}`,
  waiting: (n: number) => `Waiting ${f.number(n)}`,
  delivered: (n: number) => `Delivered ${f.number(n)}`,
  shown: (n: number) => count(n, { one: '# photo shown', other: '# photos shown' }),
  photos,
  offline: 'Offline. Only photos on this laptop open at full size.',
  empty: 'No photos yet',
  empty_text: 'Photos of near misses appear here, including those not sent yet.',
  none: 'No matches',
  none_text: 'No photo in this project matches.',
  open: (name: string, title: string, word: string) => `${name}, ${title}. ${word}`,
  record: 'Open the near miss',
  size: (n: number) => bytes(n),
  taken: (at: number) => `taken ${f.moment(at)}`,
  is_waiting: 'Waiting, safe on this laptop',
  is_delivered: 'Delivered and checked',
  on_server: 'On the server',
};
