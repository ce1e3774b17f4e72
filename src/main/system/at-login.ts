/**
 * Starts Spotter when the user signs in to the system; off by default. Electron registers the program on macOS and Windows
 * (docs/api/app.md, setLoginItemSettings). On Linux this module writes a file into the autostart folder.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Settings } from '../../contract/settings.ts';
import type { Host } from '../../host/index.ts';

export interface Program {
  /** Path to start. For an AppImage this is the image, not the program that runs inside its mount. */
  readonly path: string;
  readonly args: readonly string[];
}

/** desktop-entry-spec, "The Exec key": a quoted argument escapes these four characters; `%` begins a field code. */
const quoted = (text: string): string =>
  `"${text.replaceAll(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`;

/** A desktop file's values have an escape layer in addition to the quotes (the same spec, "Values"). */
export const autostartEntry = ({ path, args }: Program): string =>
  [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Spotter',
    `Exec=${[path, ...args].map(quoted).join(' ').replaceAll('\\', '\\\\')}`,
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');

export const autostartPath = (env: NodeJS.ProcessEnv): string =>
  join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'autostart/spotter.desktop');

/** The slice of Electron's `app` used here. */
export interface LoginSide {
  readonly isPackaged: boolean;
  getAppPath(): string;
  setLoginItemSettings(settings: { openAtLogin: boolean; path: string; args: string[] }): void;
}

/** @throws when the autostart folder cannot be written */
const setAtLogin = async (
  wanted: boolean,
  program: Program,
  side: LoginSide,
  env: NodeJS.ProcessEnv,
): Promise<void> => {
  if (process.platform !== 'linux')
    return side.setLoginItemSettings({
      openAtLogin: wanted,
      path: program.path,
      args: [...program.args],
    });
  const path = autostartPath(env);
  if (!wanted) return rm(path, { force: true });
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, autostartEntry(program));
};

const programOf = (side: LoginSide): Program => ({
  path: process.env['APPIMAGE'] ?? process.execPath,
  args: [...(side.isPackaged ? [] : [side.getAppPath()]), '--hidden'],
});

/**
 * Applies the setting at every change.
 *
 * @param was the setting at the start, applied by an earlier run unless the company's policy fixes it
 * @returns a function that stops following the setting
 */
export const followAtLogin = (
  host: Pick<Host, 'listen'>,
  was: Settings,
  { fixed }: { readonly fixed: boolean },
  side: LoginSide,
  log: (text: string) => void,
): (() => void) => {
  let set = fixed ? null : was.start_with_system;
  const follow = ({ start_with_system }: Settings): void => {
    if (start_with_system === set) return;
    set = start_with_system;
    setAtLogin(start_with_system, programOf(side), side, process.env).catch((error: unknown) =>
      log(`starting with the system could not be set: ${String(error)}`),
    );
  };
  follow(was);
  return host.listen((event) => {
    if (event.kind === 'settings.changed') follow(event.settings);
  });
};
