/** Three cards for whoever opens Spotter for the first time. */
import { f } from './say.ts';

export const tour = {
  title: 'How Spotter works',
  cards: [
    {
      title: 'Say what happened',
      text: 'One sentence, a photo, how bad it could have been. That takes half a minute, and nobody is named unless you want it.',
    },
    {
      title: 'Saved here first',
      text: 'Every report is on this laptop before anything is sent. No network, a closed lid or a crash loses nothing.',
    },
    {
      title: 'Delivered exactly once',
      text: 'It goes out by itself when there is a connection, and every photo is read back and compared. Top right you always see what waits.',
    },
  ] as readonly { readonly title: string; readonly text: string }[],
  position: (n: number, of: number) => `${f.number(n)} of ${f.number(of)}`,
  previous: 'Previous card',
  next: 'Next card',
  skip: 'Skip',
  done: 'Got it',
  again: 'Show the three cards again',
};
