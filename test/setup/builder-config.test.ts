/** What electron-builder is told (.config/electron-builder.js), held against package.json, the shell, and the tools that read it. */
import { globSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, matchesGlob } from 'node:path';
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
  readonly appImage: { readonly executableArgs: readonly string[] };
  readonly linux: { readonly syncDesktopName: boolean };
  readonly mac: { readonly x64ArchFiles: string };
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

// ---- what goes into a package, as electron-builder's own matcher says

interface Matcher {
  createFilter(): (path: string, stat: object) => boolean;
}
const builder = createRequire(
  createRequire(join(root, 'package.json')).resolve('electron-builder'),
);
const { getNodeModuleFileMatcher } = builder('app-builder-lib/out/fileMatcher') as {
  getNodeModuleFileMatcher(
    from: string,
    to: string,
    expand: (pattern: string) => string,
    options: object,
    packager: object,
  ): Matcher;
};

/** The built files of better-sqlite3 and keytar in a package for this system and processor. */
const nativesIn = (system: 'linux' | 'mac' | 'win', platform: string, arch: string): string[] => {
  const expand = (text: string): string =>
    text.replaceAll('${platform}', platform).replaceAll('${arch}', arch);
  const packager = { config, debugLogger: { isEnabled: false } };
  const filter = getNodeModuleFileMatcher(
    root,
    '/to',
    expand,
    config[system as 'mac'],
    packager,
  ).createFilter();
  return globSync('node_modules/{better-sqlite3,keytar}/prebuilds/**/*.node', { cwd: root })
    .filter((path) => {
      // A folder that is left out takes what is in it along.
      const ways = path.split('/').map((_name, at, all) => all.slice(0, at + 1).join('/'));
      return ways.slice(2).every((way) => filter(join(root, way), statSync(join(root, way))));
    })
    .sort();
};

it.each([
  ['linux', 'linux', 'x64'],
  ['win', 'win32', 'x64'],
  ['win', 'win32', 'arm64'],
] as const)(
  'a package for %s, %s-%s, holds its own built files alone',
  (system, platform, arch) => {
    const own = `${platform}-${arch}`;
    expect(nativesIn(system, platform, arch)).toEqual([
      `node_modules/better-sqlite3/prebuilds/${own}.node`,
      expect.stringMatching(`^node_modules/keytar/prebuilds/${own}/[^/]+\\.node$`),
    ]);
  },
);

it('both halves of the package for macOS hold the same built files, and the tool that joins them lets them be', () => {
  const half = nativesIn('mac', 'darwin', 'x64');
  expect(half).toHaveLength(4);
  expect(nativesIn('mac', 'darwin', 'arm64')).toEqual(half);
  // @electron/universal refuses a file that only one half has, and one that is the same in both unless this pattern names it.
  for (const path of half)
    expect(
      matchesGlob(`Contents/Resources/app.asar.unpacked/${path}`, config.mac.x64ArchFiles),
    ).toBe(true);
});

it('no package starts Spotter without its sandbox by a switch of its own', () => {
  // app-builder-lib/out/targets/appimage/AppImageTarget.js: `--no-sandbox` in the desktop entry where nothing else is said.
  expect(config.appImage.executableArgs).toEqual([]);
});
