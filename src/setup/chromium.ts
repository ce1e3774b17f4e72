/** Finds Chromium on this machine and lists its flags. browser.ts installs one. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

const LINUX = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/usr/bin/microsoft-edge',
  '/usr/bin/microsoft-edge-stable',
];
const MAC = ['Google Chrome', 'Chromium', 'Microsoft Edge'];
const WINDOWS = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Chromium\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
];
/** Where Windows installs programs: for all users (32 and 64 bit, on any drive) and for one user (LOCALAPPDATA). */
const WINDOWS_FOLDERS = ['ProgramFiles', 'ProgramW6432', 'ProgramFiles(x86)', 'LOCALAPPDATA'];

/** Possible paths of a Chromium-family browser on such a machine, in order of preference. */
export const chromiumPlaces = ({ platform, env, home }: Machine): readonly string[] => {
  if (platform === 'win32') {
    const folders = WINDOWS_FOLDERS.flatMap((name) => env[name] ?? []);
    return WINDOWS.flatMap((path) => folders.map((folder) => win32.join(folder, path)));
  }
  if (platform === 'darwin')
    return MAC.flatMap((name) =>
      ['/Applications', posix.join(home, 'Applications')].map((folder) =>
        posix.join(folder, `${name}.app`, 'Contents/MacOS', name),
      ),
    );
  return LINUX;
};

/** Path of a Chromium-family browser, or undefined. `SPOTTER_CHROMIUM` overrides the search. */
export const findChromium = (): string | undefined =>
  [
    process.env['SPOTTER_CHROMIUM'] ?? '',
    ...chromiumPlaces({ platform: process.platform, env: process.env, home: homedir() }),
  ].find((path) => path !== '' && existsSync(path));

/**
 * Flags of every start. They forbid calls home, and the sandbox is off only where it cannot run (as root). A hidden or
 * minimised window is not throttled, because it sends the queue: Chromium would limit its timers to one per minute.
 */
export const chromiumFlags = (): string[] => [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];
