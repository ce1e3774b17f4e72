/**
 * Starting with the system, off until chosen. macOS and Windows have a place for it that Electron knows (docs/api/app.md,
 * setLoginItemSettings); on Linux it is a file in the autostart folder.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Settings } from '../contract/settings.ts';
import type { Host } from '../host/index.ts';

export interface Program {
  /** What is started: an AppImage is another file than the program that runs in it. */
  readonly path: string;
  readonly args: readonly string[];
}

/** desktop-entry-spec, "The Exec key": what stands in quotes, with these four escaped; `%` begins a field code. */
const quoted = (text: string): string =>
  `"${text.replaceAll(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`;

/** A key's value has its own escapes before those of the quotes (the same spec, "Values"). */
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

/** Of Electron's app. */
export interface LoginSide {
  readonly isPackaged: boolean;
  getAppPath(): string;
  setLoginItemSettings(settings: { openAtLogin: boolean; path: string; args: string[] }): void;
}

/** @throws where the system's folder cannot be written */
export const setAtLogin = async (
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
  args: side.isPackaged ? [] : [side.getAppPath()],
});

/** Does as the setting says, whenever it is changed; what was chosen `was` stands already. @returns hears of it no longer */
export const followAtLogin = (
  host: Pick<Host, 'listen'>,
  was: boolean,
  side: LoginSide,
  log: (text: string) => void,
): (() => void) => {
  let set = was;
  const follow = ({ start_with_system }: Settings): void => {
    if (start_with_system === set) return;
    set = start_with_system;
    setAtLogin(start_with_system, programOf(side), side, process.env).catch((error: unknown) =>
      log(`starting with the system could not be set: ${String(error)}`),
    );
  };
  return host.listen((event) => {
    if (event.kind === 'settings.changed') follow(event.settings);
  });
};
