/** The three cards of the tour. */
import { f } from './say.ts';

export const tour = {
  cards: [
    {
      title: 'Say what happened',
      text: 'One sentence, a photo, how bad it could have been. It takes half a minute, and no one is named unless you choose to.',
    },
    {
      title: 'Saved here first',
      text: 'Every report is saved on this laptop first. You lose nothing if the network drops, the lid closes or the computer crashes.',
    },
    {
      title: 'Delivered exactly once',
      text: 'Reports are sent when you’re online, and every photo is checked after it arrives. The top right always shows what is waiting.',
    },
  ] as readonly { readonly title: string; readonly text: string }[],
  position: (n: number, of: number) => `${f.number(n)} of ${f.number(of)}`,
  previous: 'Back',
  next: 'Next',
  skip: 'Skip',
  done: 'Got it',
  again: 'Show the introduction',
};
