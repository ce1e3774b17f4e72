/** Electron's checklist, 5: every permission name of the installed electron.d.ts is answered, and answered as the table says. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { closePermissions, mayUse, permissions } from '../../src/main/window/permissions.ts';
import { ORIGIN } from '../../src/main/window/security.ts';

const types = readFileSync(
  fileURLToPath(new URL('../../node_modules/electron/electron.d.ts', import.meta.url)),
  'utf8',
);
const line = types.split('\n').find((one) => one.includes('setPermissionCheckHandler(handler:'));
const names = [...(/permission: ([^,]+),/.exec(line ?? '')?.[1] ?? '').matchAll(/'([^']+)'/g)].map(
  ([, name]) => name ?? '',
);
const own = { url: `${ORIGIN}/index.html`, main_frame: true };

describe('5: permissions', () => {
  it('names every permission of electron.d.ts, and no other', () => {
    expect(names.length).toBeGreaterThan(30);
    expect(Object.keys(permissions).sort()).toEqual([...names].sort());
  });

  it('allows the camera, clean clipboard writing and lasting storage; all else is refused, asked or requested', () => {
    const allowed = ['clipboard-sanitized-write', 'media', 'persistent-storage'];
    expect(names.filter((name) => mayUse(name, { ...own, media: ['video'] })).sort()).toEqual(
      allowed,
    );
    expect(mayUse('toString', own)).toBe(false);
    const asked: Record<string, unknown>[] = [];
    closePermissions({
      setPermissionCheckHandler: (handler) =>
        asked.push(
          Object.fromEntries(
            names.map((name) => [
              name,
              handler?.(null, name as never, `${ORIGIN}/`, {
                isMainFrame: true,
                mediaType: 'video',
              }),
            ]),
          ),
        ),
      setPermissionRequestHandler: (handler) => {
        const granted: Record<string, unknown> = {};
        for (const name of names)
          handler?.({} as never, name as never, (yes) => (granted[name] = yes), {
            isMainFrame: true,
            requestingUrl: own.url,
            mediaTypes: ['video'],
          });
        asked.push(granted);
      },
      setDevicePermissionHandler: (handler) => expect(handler?.({} as never)).toBe(false),
    });
    expect(asked).toHaveLength(2);
    for (const one of asked)
      expect(
        Object.keys(one)
          .filter((name) => one[name] === true)
          .sort(),
      ).toEqual(allowed);
  });

  it('A56: files of a folder that was chosen, to be read and never to be written', () => {
    expect(mayUse('fileSystem', { ...own, file_access: 'readable' })).toBe(true);
    for (const file_access of ['writable', 'other', '', undefined])
      expect(mayUse('fileSystem', { ...own, file_access }), file_access).toBe(false);
    const asked: (boolean | undefined)[] = [];
    const foreign: (boolean | undefined)[] = [];
    closePermissions({
      setPermissionCheckHandler: (handler) => {
        for (const fileAccessType of ['readable', 'writable'] as const) {
          // electron.d.ts, setPermissionCheckHandler: never the main frame, where files are asked for.
          const details = { isMainFrame: false, isDirectory: true, fileAccessType };
          asked.push(handler?.(null, 'fileSystem', `${ORIGIN}/`, details));
          foreign.push(handler?.(null, 'fileSystem', 'https://evil.example/', details));
        }
      },
      setPermissionRequestHandler: (handler) => {
        for (const fileAccessType of ['readable', 'writable'] as const) {
          const details = { isMainFrame: true, requestingUrl: own.url, fileAccessType };
          handler?.({} as never, 'fileSystem', (yes) => asked.push(yes), details);
        }
      },
      setDevicePermissionHandler: () => undefined,
    });
    expect(asked).toEqual([true, false, true, false]);
    expect(foreign).toEqual([false, false]);
  });

  it('never a microphone, never another origin, never a frame', () => {
    for (const media of [['audio'], ['video', 'audio'], ['unknown'], [], undefined])
      expect(mayUse('media', { ...own, media })).toBe(false);
    for (const name of names) {
      const wanted = { media: ['video'] };
      expect(mayUse(name, { ...own, ...wanted, main_frame: false }), name).toBe(false);
      for (const url of ['https://evil.example/', 'app://evil/', 'app://user@spotter/', '', 'null'])
        expect(mayUse(name, { ...own, ...wanted, url }), `${name} ${url}`).toBe(false);
    }
  });
});
