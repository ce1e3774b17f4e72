/** The server's current day. Reads a rune, so that standings change at midnight while the screen is open. */
import { app } from '../../../state/app.svelte.ts';
import { now } from '../../../state/now.svelte.ts';
import { dayOf } from './view.ts';

export const serverDay = (): string => {
  now();
  return dayOf(app.deps.clock.now());
};
