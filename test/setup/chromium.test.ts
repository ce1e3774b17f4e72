/** Where a browser is searched for on the three systems, with folders from environment variables. */
import { describe, expect, it } from 'vitest';
import { chromiumFlags, chromiumPlaces } from '../../src/setup/chromium.ts';

describe('the places of a Chromium', () => {
  const windows = chromiumPlaces({
    platform: 'win32',
    env: {
      ProgramFiles: 'D:\\Programme',
      'ProgramFiles(x86)': 'C:\\Program Files (x86)',
      LOCALAPPDATA: 'C:\\Users\\Jörg\\AppData\\Local',
    },
    home: 'C:\\Users\\Jörg',
  });

  it.each([
    'D:\\Programme\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Users\\Jörg\\AppData\\Local\\Google\\Chrome\\Application\\chrome.exe',
    'D:\\Programme\\Microsoft\\Edge\\Application\\msedge.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ])('Windows: %s', (path) => {
    expect(windows).toContain(path);
  });

  it('Windows: Chrome before Edge, which is on every one of them', () => {
    const first = (name: string) => windows.findIndex((path) => path.endsWith(name));
    expect(first('chrome.exe')).toBe(0);
    expect(first('msedge.exe')).toBeGreaterThan(
      windows.findLastIndex((path) => path.endsWith('chrome.exe')),
    );
  });

  it.each([
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Users/ana/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ])('macOS: %s', (path) => {
    expect(chromiumPlaces({ platform: 'darwin', env: {}, home: '/Users/ana' })).toContain(path);
  });

  it('behind other windows and minimised it is not slowed down: the queue goes on', () => {
    expect(chromiumFlags()).toEqual(
      expect.arrayContaining([
        '--disable-background-timer-throttling',
        '--disable-backgrounding-occluded-windows',
        '--disable-renderer-backgrounding',
      ]),
    );
  });
});
