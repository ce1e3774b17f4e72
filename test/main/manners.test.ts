/** What the shell writes for the system and for a person who asks what ended: an autostart entry, the place of an error. */
import { expect, it } from 'vitest';
import { autostartEntry, autostartPath } from '../../src/main/at-login.ts';
import { placeOfError } from '../../src/main/crash-note.ts';

it('an autostart entry quotes what a path may hold', () => {
  const entry = autostartEntry({ path: '/opt/My "Apps"/100%/spotter', args: ['/a$b'] });
  // desktop-entry-spec: a value's own escapes, then those of the quotes, then %% for a percent sign.
  expect(entry).toContain(`Exec="/opt/My \\\\"Apps\\\\"/100%%/spotter" "/a\\\\$b"\n`);
  expect(autostartPath({ XDG_CONFIG_HOME: '/c' })).toBe('/c/autostart/spotter.desktop');
});

it('of an error stands its name, code and place, never its message', () => {
  const error = Object.assign(new TypeError('near miss of Maria in /home/maria'), { code: 'EIO' });
  error.stack = `TypeError: near miss of Maria\n    at run (/home/maria/out/main/index.js:12:5)\n`;
  expect(placeOfError(error)).toBe('TypeError EIO at index.js:12:5');
  expect(placeOfError('a text of somebody')).toBe('string');
});
