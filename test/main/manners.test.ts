/** What the shell writes for the system and for a person who asks what ended: an autostart entry, the place of an error. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { settingsSchema } from '../../src/contract/settings.ts';
import { autostartEntry, autostartPath, followAtLogin } from '../../src/main/system/at-login.ts';
import { placeOfError } from '../../src/main/self-test/crash-note.ts';
import { temporaryFolder } from '../host/fixtures/folder.ts';

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

const onLinux = it.runIf(process.platform === 'linux');
onLinux('starting with the system as the company has fixed it is set up at the start', async () => {
  const folder = await temporaryFolder();
  vi.stubEnv('XDG_CONFIG_HOME', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const was = settingsSchema.parse({ start_with_system: true });
  const host = { listen: () => () => undefined };
  const side = {
    isPackaged: true,
    getAppPath: () => '/opt/Spotter',
    setLoginItemSettings: () => undefined,
  };
  const path = autostartPath(process.env);
  followAtLogin(host, was, { fixed: false }, side, expect.fail);
  expect(existsSync(path)).toBe(false);
  followAtLogin(host, was, { fixed: true }, side, expect.fail);
  await expect.poll(() => existsSync(path) && readFileSync(path, 'utf8')).toContain('"--hidden"');
});
