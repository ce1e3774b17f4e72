/** The status pill at the top right: the most urgent state wins, and every state has words. */
import { describe, expect, it } from 'vitest';
import { languages } from '../../../src/contract/languages.ts';
import type { Problem } from '../../../src/contract/problem.ts';
import { statusLineOf, type Known } from '../../../src/renderer/state/status-line.ts';
import { speak, words } from '../../../src/renderer/words/words.ts';

const well: Known = {
  session: 'ready',
  local: false,
  reach: 'answers',
  waiting: 0,
  parked: 0,
  sending: 0,
  elsewhere: [],
  hold: null,
  trouble: null,
};
const offline: Problem = { kind: 'offline', reason: 'refused', detail: '' };

describe('statusLineOf', () => {
  it.each<readonly [string, Partial<Known>, string, string]>([
    ['all is well', {}, 'ok', 'Online · all delivered'],
    [
      'a company of this laptop alone',
      { local: true, waiting: 1, sending: 1 },
      'ok',
      'Saved on this laptop',
    ],
    [
      'its service does not answer',
      { local: true, reach: 'offline' },
      'ok',
      'Saved on this laptop',
    ],
    [
      'it works alone, another connection waits',
      { local: true, elsewhere: [{ name: 'Northline', waiting: 3 }] },
      'wait',
      'Saved on this laptop · 3 waiting for Northline',
    ],
    [
      'failures A10: one needs the user on this laptop alone',
      { local: true, waiting: 1, parked: 1 },
      'bad',
      '1 needs attention',
    ],
    [
      'offline with three',
      { reach: 'offline', waiting: 3 },
      'wait',
      'Offline · 3 waiting, safe on this laptop',
    ],
    [
      'the queue met no server',
      { waiting: 3, hold: offline },
      'wait',
      'Offline · 3 waiting, safe on this laptop',
    ],
    ['offline with none', { reach: 'offline' }, 'wait', 'Offline · nothing waiting'],
    [
      'outbox promise 4: signed out',
      { session: 'signed_out', waiting: 3 },
      'bad',
      'Sign in to send · 3 waiting',
    ],
    [
      'the token was refused',
      { waiting: 3, hold: { kind: 'signed_out', detail: '' } },
      'bad',
      'Sign in to send · 3 waiting',
    ],
    [
      'failures A15: keychain locked',
      { session: 'locked', waiting: 2 },
      'bad',
      'Keychain locked · 2 waiting, safe on this laptop',
    ],
    [
      'failures A10: one needs the user',
      { waiting: 3, parked: 1 },
      'bad',
      '1 needs attention · 3 waiting',
    ],
    ['sending', { waiting: 2, sending: 2 }, 'info', 'Online · sending 2'],
    ['sending one of two', { waiting: 2, sending: 1 }, 'info', 'Online · sending 1 of 2'],
    [
      'one waits for another account',
      { elsewhere: [{ name: 'Northline (Maria Kovacs)', waiting: 1 }] },
      'wait',
      'Online · 1 waiting for Northline (Maria Kovacs)',
    ],
    [
      'some wait for other accounts, and no connection',
      {
        reach: 'offline',
        elsewhere: [
          { name: 'Northline (Maria Kovacs)', waiting: 2 },
          { name: 'Sample data', waiting: 1 },
        ],
      },
      'wait',
      'Offline · 3 waiting for 2 other connections',
    ],
    [
      'failures A5: the server has a fault',
      {
        waiting: 2,
        hold: { kind: 'server_error', status: 503, messages: [], retry_after_ms: null },
      },
      'wait',
      'Server problem · 2 waiting, safe on this laptop',
    ],
    [
      'failures A5: the smallest question gets a 500',
      { reach: 'server', waiting: 3 },
      'wait',
      'Server problem · 3 waiting, safe on this laptop',
    ],
    [
      'failures A5: one report alone waits for the server',
      {
        waiting: 1,
        trouble: { kind: 'server_error', status: 500, messages: [], retry_after_ms: null },
      },
      'wait',
      'Server problem · 1 waiting, safe on this laptop',
    ],
    [
      'failures A8: a Wi-Fi that wants a sign-in',
      { reach: 'portal', waiting: 3 },
      'wait',
      'Wi-Fi sign-in needed · 3 waiting, safe on this laptop',
    ],
    [
      'failures A8: the same, met by the queue first',
      { waiting: 2, hold: { kind: 'broken_reply', status: 200, looks_like: 'html', detail: '' } },
      'wait',
      'Wi-Fi sign-in needed · 2 waiting, safe on this laptop',
    ],
    [
      'failures A6: asked to slow down',
      { waiting: 2, hold: { kind: 'busy', retry_after_ms: 1 } },
      'wait',
      'Server busy · 2 waiting, safe on this laptop',
    ],
    [
      'the disk is full',
      { waiting: 2, hold: { kind: 'no_space', detail: '' } },
      'wait',
      'Disk full · 2 waiting, safe on this laptop',
    ],
    ['not asked yet', { reach: null }, 'info', 'Checking the connection…'],
    [
      'offline hides what needs the user until it can be sent',
      { reach: 'offline', waiting: 3, parked: 1 },
      'wait',
      'Offline · 3 waiting, safe on this laptop',
    ],
  ])('%s', (_name, change, tone, text) => {
    const line = statusLineOf({ ...well, ...change });
    expect(line.tone).toBe(tone);
    expect(line.text).toBe(text);
    expect(line.short.length).toBeLessThanOrEqual(18);
  });

  it.each(languages)(
    'failures A6: who holds the queue up is said; only what a person put aside is on hold: %s',
    async (language) => {
      await speak(language);
      const { text, short } = statusLineOf({
        ...well,
        waiting: 1,
        hold: { kind: 'busy', retry_after_ms: 1 },
      });
      const aside = words.state.set_aside;
      await speak('en');
      expect(short).toBe(
        { en: 'Server busy', es: 'Servidor ocupado', pl: 'Serwer zajęty' }[language],
      );
      expect(text).toContain(short);
      expect(text).not.toContain(aside);
    },
  );
});
