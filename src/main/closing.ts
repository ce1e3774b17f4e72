/**
 * Decides what closing the window does while records wait to be sent. The window itself sends the queue, so sending continues
 * only while the window is hidden, not closed. Files that are being copied are lost, so closing asks.
 */
import type { Settings } from '../contract/settings.ts';

export type CloseAnswer = 'close' | 'hide' | 'ask' | 'ask_copying';

interface Closing {
  readonly quitting: boolean;
  readonly mac: boolean;
  /** True while files are being copied, which closing would lose. */
  readonly copying: boolean;
}

export const onClose = (
  waiting: number,
  when_closed: Settings['when_closed'],
  { quitting, mac, copying }: Closing,
): CloseAnswer => {
  // A shutdown quits too, and no question may hold it.
  if (quitting) return 'close';
  // A macOS program stays open without a window, so hiding the window lets it keep sending.
  if (mac) return 'hide';
  if (waiting > 0 && when_closed === 'keep_sending') return 'hide';
  if (copying) return 'ask_copying';
  return waiting > 0 && when_closed === 'ask' ? 'ask' : 'close';
};
