/**
 * Decides when to show a system notification: a person is needed, a follow-up becomes due, or the queue emptied while the
 * window was away. Errors that a retry resolves are never shown. desktop.ts shows the notifications.
 */
import type { WindowAsk, WindowReport } from '../../contract/asks.ts';
import type { HostEvent } from '../../contract/host.ts';

type SessionState = Extract<HostEvent, { kind: 'session.changed' }>['session']['state'];

export interface Standing extends WindowReport {
  readonly session: SessionState | null;
}

export type Notice = 'parked' | 'signed_out' | 'keychain' | 'all_sent' | 'due';

/** @param away true when the window does not have the focus */
export const noticeOf = (was: Standing, is: Standing, away: boolean): Notice | null => {
  if (!away) return null;
  if (is.session !== was.session && is.waiting > 0) {
    if (is.session === 'signed_out') return 'signed_out';
    if (is.session === 'locked') return 'keychain';
  }
  if (is.parked > was.parked) return 'parked';
  if (was.waiting > 0 && is.waiting === 0) return 'all_sent';
  return (is.due ?? 0) > (was.due ?? 0) ? 'due' : null;
};

/** The screen that a click on the notification opens. */
export const placeOfNotice = {
  parked: 'waiting',
  all_sent: 'near_misses',
  due: 'due',
  signed_out: 'connect',
  keychain: 'connect',
} as const satisfies Record<Notice, Extract<WindowAsk, { ask: 'show' }>['place']>;
