/**
 * Checks electron-builder's configuration (.config/electron-builder.js) against package.json, the shell, and the tools that
 * read it.
 */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, matchesGlob } from 'node:path';
import { expect, it, vi } from 'vitest';
import { APP_ID, sayAppId } from '../../src/main/system/app-id.ts';
import { slow } from '../support/slow.ts';

const root = join(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly productName: string;
  readonly desktopName: string;
};

/** The part of .config/electron-builder.js that is checked here. */
interface Config {
  readonly appId: string;
  readonly productName: string;
  readonly appImage: { readonly executableArgs: readonly string[] };
  readonly linux: { readonly syncDesktopName: boolean };
  readonly extraFiles?: readonly object[];
  readonly extraResources: readonly object[];
  readonly mac: { readonly x64ArchFiles: string; readonly extraFiles?: readonly object[] };
  readonly win: {
    readonly azureSignOptions?: object;
    readonly target: readonly { readonly target: string }[];
  };
  readonly nsis: { readonly artifactName: string };
  readonly msi: { readonly artifactName: string };
  readonly rpm: { readonly depends: readonly string[] };
}
const builder = createRequire(
  createRequire(join(root, 'package.json')).resolve('electron-builder'),
);
const { getConfig } = builder('app-builder-lib/out/util/config/config') as {
  getConfig(folder: string, path: string, options: object): Promise<Config>;
};
const config = await getConfig(root, '.config/electron-builder.js', {});

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

// ---- package contents, by electron-builder's own matcher

interface Matcher {
  createFilter(): (path: string, stat: object) => boolean;
}
const { getMainFileMatchers, getNodeModuleFileMatcher } = builder(
  'app-builder-lib/out/fileMatcher',
) as {
  getMainFileMatchers(
    from: string,
    to: string,
    expand: (pattern: string) => string,
    options: object,
    packager: object,
    output: string,
    compile: boolean,
  ): [Matcher];
  getNodeModuleFileMatcher(
    from: string,
    to: string,
    expand: (pattern: string) => string,
    options: object,
    packager: object,
  ): Matcher;
};

it.each(['linux', 'mac', 'win'] as const)(
  'A54: a package for %s holds what was built, and nothing else of the folder it is made in',
  (system) => {
    const info = {
      config,
      projectDir: root,
      buildResourcesDir: 'resources',
      debugLogger: { isEnabled: false },
    };
    const [matcher] = getMainFileMatchers(
      root,
      '/to',
      (text) => text,
      config[system as 'mac'],
      { info },
      join(root, 'dist'),
      false,
    );
    const takes = matcher.createFilter();
    const aFile = statSync(join(root, 'package.json'));
    const isIn = (path: string): boolean => takes(join(root, path), aFile);
    for (const path of ['package.json', 'out/main/index.js', 'out/renderer/index.html'])
      expect(isIn(path), path).toBe(true);
    const others = [
      '.env',
      '.npmrc',
      '.ci/run',
      '.config/electron-builder.js',
      'notes.txt',
      'README.md',
      'src/main/index.ts',
      'test/setup/package.test.ts',
      'out/node/index.js',
    ];
    for (const path of others) expect(isIn(path), path).toBe(false);
  },
);

it('A54: nothing that is no code lies at the top of the app for macOS, which could not be signed then', () => {
  // electron-builder, platformPackager.js: on macOS `extraFiles` go to Contents/ and `extraResources` to Contents/Resources/.
  expect(config.extraFiles ?? []).toEqual([]);
  expect(config.mac.extraFiles ?? []).toEqual([]);
  expect(config.extraResources).toContainEqual(
    expect.objectContaining({ from: 'node_modules/.cache/package' }),
  );
});

it('Linux packages name a homepage and a maintainer without asking Git', async () => {
  const { readPackageJson } = builder('app-builder-lib/out/util/packageMetadata') as {
    readPackageJson(path: string): Promise<object>;
  };
  expect(await readPackageJson(join(root, 'package.json'))).toMatchObject({
    homepage: expect.stringMatching(/^https:/) as string,
    author: { name: 'Spotter', email: expect.stringContaining('@') as string },
    repository: { type: 'git' },
  });
});

it('no package has a space in its name, which GitHub would turn into a dot', () => {
  for (const { artifactName } of [config.nsis, config.msi]) expect(artifactName).not.toContain(' ');
});

it('Windows is packed for one user and, as an MSI that device management installs silently, for all users', () => {
  // app-builder-lib/templates/msi/template.xml: without `perMachine` it installs for the user who runs it alone.
  expect(config.win.target.map(({ target }) => target)).toEqual(['nsis', 'msi']);
  expect(config.msi).toMatchObject({ oneClick: true, perMachine: true });
});

slow(
  'Windows packages are signed by Azure where its names are given, else by a file of the firm',
  async () => {
    const names = ['ENDPOINT', 'ACCOUNT', 'PROFILE', 'PUBLISHER'].map(
      (name) => `AZURE_SIGNING_${name}`,
    );
    expect(config.win.azureSignOptions).toBeUndefined();
    const script = `const { default: { win } } = await import('./.config/electron-builder.js'); console.log(JSON.stringify(win.azureSignOptions ?? null));`;
    const optionsWith = (given: readonly string[]): unknown => {
      const env = { ...process.env, ...Object.fromEntries(given.map((name) => [name, name])) };
      const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
        cwd: root,
        env,
      });
      return JSON.parse(said.toString());
    };
    expect(optionsWith(names.slice(1))).toBeNull();
    const options = optionsWith(names);
    expect(options).toEqual({
      endpoint: 'AZURE_SIGNING_ENDPOINT',
      codeSigningAccountName: 'AZURE_SIGNING_ACCOUNT',
      certificateProfileName: 'AZURE_SIGNING_PROFILE',
      publisherName: 'AZURE_SIGNING_PUBLISHER',
    });
    const { validateConfiguration } = builder('app-builder-lib/out/util/config/config') as {
      validateConfiguration(config: object, log: object): Promise<void>;
    };
    const signed = { ...config, win: { ...config.win, azureSignOptions: options } };
    await validateConfiguration(signed, { isEnabled: false, add: () => undefined });
  },
);

it('an rpm asks for the library of the keychain', () => {
  expect(config.rpm.depends.join()).toContain('libsecret');
});

/** The native files of better-sqlite3 and keytar in a package for this system and processor. */
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
      // An excluded folder excludes its contents.
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
  // @electron/universal refuses a file that only one half has, and a file that is the same in both unless this pattern matches
  // it.
  for (const path of half)
    expect(
      matchesGlob(`Contents/Resources/app.asar.unpacked/${path}`, config.mac.x64ArchFiles),
    ).toBe(true);
});

it('no package starts Spotter without its sandbox by a switch of its own', () => {
  // app-builder-lib/out/targets/appimage/AppImageTarget.js: without this setting the desktop entry has `--no-sandbox`.
  expect(config.appImage.executableArgs).toEqual([]);
});
