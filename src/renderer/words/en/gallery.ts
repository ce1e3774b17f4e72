/** All photos of the project. */
import { bytes, count, f, photos } from './say.ts';

export const gallery = {
  title: 'Photos',
  filter: 'Which photos',
  all: (n: number) => `All ${f.number(n)}`,
  waiting: (n: number) => `Waiting ${f.number(n)}`,
  delivered: (n: number) => `Delivered ${f.number(n)}`,
  shown: (n: number) => count(n, { one: '# photo shown', other: '# photos shown' }),
  photos,
  offline: 'Offline: photos kept on this laptop open at full size, the others need the connection.',
  empty: 'No photos yet',
  empty_text: 'Photos of near misses are shown here, those that still wait too.',
  none: 'No photo fits',
  none_text: 'No photo of this project is in this state.',
  open: (name: string, title: string, word: string) => `${name}, ${title}. ${word}`,
  record: 'Open the near miss',
  size: (n: number) => bytes(n),
  taken: (at: number) => `taken ${f.moment(at)}`,
  is_waiting: 'Waiting on this laptop',
  is_delivered: 'Delivered and checked',
  on_server: 'On the server',
};
