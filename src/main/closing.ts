/**
 * The window is closed while something waits: asked once, then as chosen. The queue is sent from the window, so going on means that it is
 * hidden, not gone.
 */
import type { Settings } from '../contract/settings.ts';

export type CloseAnswer = 'close' | 'hide' | 'ask';

export const onClose = (
  waiting: number,
  when_closed: Settings['when_closed'],
  { quitting, mac }: { readonly quitting: boolean; readonly mac: boolean },
): CloseAnswer => {
  if (quitting) return 'close';
  // On macOS a program stays when its window is closed; hidden, it goes on sending.
  if (mac) return 'hide';
  if (waiting === 0) return 'close';
  if (when_closed === 'ask') return 'ask';
  return when_closed === 'keep_sending' ? 'hide' : 'close';
};
