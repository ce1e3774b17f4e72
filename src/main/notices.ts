/**
 * When the system's notifications speak: where a person is needed, when a follow-up becomes due, or when everything has gone while the window was away. Never for
 * what heals by itself. desktop.ts shows them.
 */
import type { WindowAsk, WindowReport } from '../contract/asks.ts';
import type { HostEvent } from '../contract/host.ts';

type SessionState = Extract<HostEvent, { kind: 'session.changed' }>['session']['state'];

/** What is known of the queue and the session at one moment. */
export interface Standing extends WindowReport {
  readonly session: SessionState | null;
}

export type Notice = 'parked' | 'signed_out' | 'keychain' | 'all_sent' | 'due';

/** @param away nobody looks at the window */
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

/** Where a press on it leads. */
export const placeOfNotice = {
  parked: 'waiting',
  all_sent: 'near_misses',
  due: 'due',
  signed_out: 'connect',
  keychain: 'connect',
} as const satisfies Record<Notice, Extract<WindowAsk, { ask: 'show' }>['place']>;
