/** Where Chromium is on this machine, and the flags it needs here. Bringing one is prepare.ts's. */
import { existsSync } from 'node:fs';
import { getuid } from 'node:process';

const candidates: Readonly<Record<string, readonly string[]>> = {
  linux: [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/snap/bin/chromium',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
};

/** The path of a Chromium-family browser, or undefined. `SPOTTER_CHROMIUM` names one. */
export const findChromium = (): string | undefined =>
  [process.env['SPOTTER_CHROMIUM'] ?? '', ...(candidates[process.platform] ?? [])].find(
    (path) => path !== '' && existsSync(path),
  );

/** Flags every start gets: quiet (no calls home), and no sandbox only where the sandbox cannot run (root). */
export const chromiumFlags = (): string[] => [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  '--no-default-browser-check',
  ...(getuid?.() === 0 ? ['--no-sandbox'] : []),
];
