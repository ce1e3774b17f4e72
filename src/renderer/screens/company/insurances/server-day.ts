/** The server's day as a rune: an insurance runs out by it while its screen stays open. */
import { app } from '../../../state/app.svelte.ts';
import { now } from '../../../state/now.svelte.ts';
import { dayOf } from './view.ts';

export const serverDay = (): string => {
  now();
  return dayOf(app.deps.clock.now());
};
