/** What electron-builder is told (.config/electron-builder.js), held against package.json, the shell, and the tools that read it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, vi } from 'vitest';
import { APP_ID, sayAppId } from '../../src/main/app-id.ts';

const root = join(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly productName: string;
  readonly desktopName: string;
};

interface Config {
  readonly appId: string;
  readonly productName: string;
  readonly linux: { readonly syncDesktopName: boolean };
}
const { default: config } = (await import(
  pathToFileURL(join(root, '.config/electron-builder.js')).href
)) as { readonly default: Config };

it('Windows is told the id that the installer gives the shortcut, and only Windows knows such ids', () => {
  const app = { setAppUserModelId: vi.fn<(id: string) => void>() };
  sayAppId(app, 'darwin');
  sayAppId(app, 'linux');
  expect(app.setAppUserModelId).not.toHaveBeenCalled();
  sayAppId(app, 'win32');
  expect(app.setAppUserModelId.mock.calls).toEqual([[APP_ID]]);
  expect(APP_ID).toBe(config.appId);
});

it('Electron and the packages call the program the same', () => {
  expect(manifest.productName).toBe(config.productName);
});

it('the desktop entry has the name that Electron tells the desktop, and it is one that portals take', () => {
  // electron.d.ts, app.setDesktopName: a valid reverse-DNS id that is an installed desktop file.
  expect(manifest.desktopName).toMatch(/^[a-z]+(\.[A-Za-z][A-Za-z\d]*){2,}\.desktop$/);
  expect(config.linux.syncDesktopName).toBe(true);
  expect(JSON.stringify(config.linux)).not.toContain('StartupWMClass');
});
