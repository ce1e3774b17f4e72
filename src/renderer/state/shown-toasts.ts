/** The toasts with the current delivery state at the end of their text, so that it follows a change of the connection. */
import type { Toast } from '../parts/toast.ts';
import { words } from '../words/words.ts';
import { app } from './app.svelte.ts';
import { toasts } from './toasts.svelte.ts';

export const shownToasts = (): readonly Toast[] => {
  const { delivery } = app;
  if (delivery === 'local') return toasts.list;
  const tail = words.app.queued[delivery];
  return toasts.list.map((one) => (one.queued ? { ...one, text: `${one.text} ${tail}` } : one));
};
