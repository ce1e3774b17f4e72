/** The stand-in of Electron knows from electron.d.ts what each system has: methods and events of others are refused there. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readMarks } from '../electron/app/platform.ts';

const types = new URL('../../node_modules/electron/electron.d.ts', import.meta.url);
const marks = readMarks(readFileSync(types, 'utf8'));

it('reads the marks of methods, properties and events', () => {
  expect(marks.size).toBeGreaterThan(100);
  expect(marks.get('PowerMonitor#shutdown')).toEqual(['linux', 'darwin']);
  expect(marks.get('PowerMonitor#lock-screen')).toEqual(['darwin', 'win32']);
  expect(marks.get('BaseWindow#query-session-end')).toEqual(['win32']);
  expect(marks.get('BrowserWindow#session-end')).toEqual(['win32']);
  expect(marks.get('App#open-file')).toEqual(['darwin']);
  expect(marks.get('App.setAppUserModelId')).toEqual(['win32']);
  expect(marks.get('Tray.setTitle')).toEqual(['darwin']);
});

it('what has no mark is everywhere', () => {
  const names = [
    'App.quit',
    'App#before-quit',
    'BrowserWindow.hide',
    'BrowserWindow.removeListener',
    'PowerMonitor#resume',
  ];
  for (const name of names) expect(marks.has(name), name).toBe(false);
});
