/**
 * First step of `npm test`: provides Chromium and, on Linux, a real keyring with its library and bus. It reports each step. If
 * it fails, one sentence names the missing packages.
 */
import { readdirSync } from 'node:fs';
import { bringChromium } from './browser.ts';
import { aptInstall, canUseApt, onPath } from './system.ts';

const LIBRARIES = ['/usr/lib', '/usr/lib64', '/lib', '/usr/local/lib'];

const hasLibrary = (name: string): boolean =>
  LIBRARIES.some((folder) => {
    try {
      return readdirSync(folder, { withFileTypes: true }).some(
        (entry) =>
          entry.name.startsWith(name) ||
          (entry.isDirectory() &&
            entry.name.includes('linux-gnu') &&
            readdirSync(`${folder}/${entry.name}`).some((file) => file.startsWith(name))),
      );
    } catch {
      return false;
    }
  });

/** Debian package names of the missing parts. */
const missingPackages = (): string[] => {
  if (process.platform !== 'linux') return [];
  const missing: string[] = [];
  if (!onPath('gnome-keyring-daemon')) missing.push('gnome-keyring');
  if (!hasLibrary('libsecret-1.so.0')) missing.push('libsecret-1-0');
  if (!onPath('dbus-run-session')) missing.push('dbus');
  return missing;
};

/** Packages for single tests, which are otherwise skipped with a message: the service's walk-through and the metadata check. */
const missingExtras = (): string[] => [
  ...(onPath('curl') ? [] : ['curl']),
  ...(onPath('exiftool') || process.platform !== 'linux' ? [] : ['libimage-exiftool-perl']),
];

export const run = async (): Promise<number> => {
  const say = (text: string): void => console.log(text);
  const wanted = [...missingPackages(), ...missingExtras()];
  if (wanted.length > 0 && canUseApt()) {
    say(`The tests need ${wanted.join(', ')}: installing (apt-get).`);
    await aptInstall(wanted);
  }
  const missing = missingPackages();
  if (missing.length > 0) {
    console.error(
      `The tests need a real keyring; install the missing packages first: sudo apt-get install ${missing.join(' ')}`,
    );
    return 1;
  }
  const chromium = await bringChromium(say);
  if (!chromium.ok) {
    console.error(chromium.sentence);
    return 1;
  }
  return 0;
};
