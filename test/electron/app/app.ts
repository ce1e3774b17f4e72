/** `app`: the life cycle of the program. Each rule cites where Electron states it. */
import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { createHash } from 'node:crypto';
import type * as Electron from 'electron';
import { dialog } from './desktop.ts';
import { event, known } from './known.ts';
import { answers, note } from './line.ts';
import { needEvent } from './platform.ts';
import { isReady, needUnready, whenReady } from './readiness.ts';
import { openWindows } from './windows.ts';

const root = process.env['STAND_IN_ROOT'] ?? process.cwd();
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly name: string;
  readonly productName?: string;
  readonly version: string;
};
/** docs/api/app.md, app.name: `productName` before `name`. */
const name = manifest.productName ?? manifest.name;
const appData = process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config');

/** docs/api/app.md, app.getPath(name), on Linux. */
const paths: Record<string, string> = {
  home: homedir(),
  appData,
  userData: join(appData, name),
  sessionData: join(appData, name),
  temp: tmpdir(),
  exe: process.execPath,
  desktop: join(homedir(), 'Desktop'),
  documents: join(homedir(), 'Documents'),
  downloads: join(homedir(), 'Downloads'),
  pictures: join(homedir(), 'Pictures'),
  logs: join(appData, name, 'logs'),
  crashDumps: join(appData, name, 'Crashpad'),
};
/** Folder of the default session: userData as it is when the app becomes ready (docs/api/app.md, sessionData). */
export const userData = (): string => paths['userData'] ?? '';

type Known = Pick<
  Electron.App,
  | 'name'
  | 'isPackaged'
  | 'whenReady'
  | 'isReady'
  | 'quit'
  | 'exit'
  | 'relaunch'
  | 'getPath'
  | 'setPath'
  | 'getAppPath'
  | 'getVersion'
  | 'getName'
  | 'getLocale'
  | 'getPreferredSystemLanguages'
  | 'getLocaleCountryCode'
  | 'enableSandbox'
  | 'disableHardwareAcceleration'
  | 'requestSingleInstanceLock'
  | 'setAsDefaultProtocolClient'
  | 'setAppUserModelId'
  | 'setBadgeCount'
  | 'setAboutPanelOptions'
  | 'showAboutPanel'
  | 'getLoginItemSettings'
  | 'setLoginItemSettings'
>;

class StandInApp extends EventEmitter implements Known {
  name = name;
  isPackaged = process.env['STAND_IN_PACKAGED'] === '1';
  badge = 0;
  login: Electron.Settings = { openAtLogin: false };
  quitting = false;
  /** True once quit() was called, whether or not it succeeds. */
  asked = false;
  told: Promise<void> | undefined = undefined;
  /** docs/api/command-line.md, hasSwitch: "whether the command-line switch is present". */
  commandLine = known('app.commandLine', {
    hasSwitch: (name: string): boolean =>
      process.argv.some((text) => text === `--${name}` || text.startsWith(`--${name}=`)),
  } satisfies Partial<Electron.CommandLine>);

  whenReady = (): Promise<void> => whenReady;
  isReady = isReady;
  getVersion = (): string => manifest.version;
  getName = (): string => name;
  getAppPath = (): string => root;
  /** docs/api/app.md: "must be called after ready"; the language of `--lang`, else the system's. */
  getLocale = (): string => this.getPreferredSystemLanguages()[0] ?? 'en-US';
  getPreferredSystemLanguages = (): string[] =>
    (process.env['STAND_IN_LANGUAGES'] ?? 'en-GB').split(',');
  /** docs/api/app.md, getLocaleCountryCode: "empty string if can't be detected". */
  getLocaleCountryCode = (): string => process.env['STAND_IN_COUNTRY'] ?? 'GB';
  setAsDefaultProtocolClient(protocol: string): boolean {
    note('app.setAsDefaultProtocolClient', protocol);
    return true;
  }
  setAppUserModelId = (id: string): void => note('app.setAppUserModelId', id);
  setBadgeCount(count = 0): boolean {
    this.badge = count;
    note('app.setBadgeCount', count);
    return true;
  }
  setAboutPanelOptions = (options: Electron.AboutPanelOptionsOptions): void =>
    note('app.setAboutPanelOptions', options);
  showAboutPanel = (): void => note('app.showAboutPanel');
  getLoginItemSettings = () => this.login as Electron.LoginItemSettings;
  setLoginItemSettings(settings: Electron.Settings): void {
    this.login = settings;
    note('app.setLoginItemSettings', settings);
  }

  getPath(which: string): string {
    const path = paths[which];
    if (path === undefined) throw new Error(`Failed to get '${which}' path`);
    return path;
  }
  /**
   * shell/browser/api/electron_api_app.cc, App::SetPath: "Path must be absolute", "Failed to set path"; docs/api/app.md: "If the path
   * specifies a directory that does not exist, an Error is thrown."
   */
  setPath(which: string, path: string): void {
    if (!isAbsolute(path)) throw new Error('Path must be absolute');
    if (!(which in paths) || !existsSync(path)) throw new Error('Failed to set path');
    paths[which] = path;
    note('app.setPath', which, path, isReady() ? 'after ready' : 'before ready');
  }
  /** docs/api/app.md: "This method can only be called before app is ready." */
  disableHardwareAcceleration(): void {
    needUnready('app.disableHardwareAcceleration()');
    note('app.disableHardwareAcceleration');
  }
  /** docs/api/app.md: "can only be called before app is ready". */
  enableSandbox(): void {
    needUnready('app.enableSandbox()');
    note('app.enableSandbox');
  }

  /**
   * docs/api/app.md: the second process gets false and should quit; the first gets `second-instance` with the second's argv and
   * folder. Chromium's ProcessSingleton is in userData, so another userData is another app.
   */
  requestSingleInstanceLock(): boolean {
    mkdirSync(userData(), { recursive: true, mode: 0o700 });
    const file = join(userData(), 'StandInSingleton');
    const digest = createHash('sha256').update(userData()).digest('hex').slice(0, 16);
    const socket = join(tmpdir(), `stand-in-${digest}.sock`);
    if (runs(file)) {
      const line = connect(socket, () =>
        line.end(JSON.stringify({ argv: process.argv, cwd: process.cwd() })),
      );
      line.on('error', () => undefined);
      this.told = new Promise((resolve) => line.on('close', () => resolve()));
      note('app.requestSingleInstanceLock', 'refused');
      return false;
    }
    writeFileSync(file, String(process.pid));
    rmSync(socket, { force: true });
    createServer((line) => {
      let text = '';
      line.on('data', (part) => (text += String(part)));
      line.on('end', () => {
        const { argv, cwd } = JSON.parse(text) as { argv: string[]; cwd: string };
        this.emit('second-instance', event(), argv, cwd, undefined);
        line.end();
      });
    })
      .listen(socket)
      .unref();
    process.on('exit', () => {
      rmSync(file, { force: true });
      rmSync(socket, { force: true });
    });
    return true;
  }

  /**
   * docs/api/app.md, app.quit(): before-quit, then every window is asked to close, then will-quit, then quit. A prevented event
   * or a window that stays open cancels it. After a prevented will-quit, the next quit() resumes at the end of will-quit.
   */
  quit(): void {
    note('app.quit');
    this.asked = true;
    void this.quitInOrder();
  }
  async quitInOrder(): Promise<void> {
    await this.told;
    if (!this.quitting) {
      const before = event();
      this.quitting = true;
      this.emit('before-quit', before);
      if (before.defaultPrevented) return void (this.quitting = false);
    }
    for (const window of openWindows()) if (!(await window.closeInOrder())) break;
    if (openWindows().length > 0) return void (this.quitting = false);
    const will = event();
    this.emit('will-quit', will);
    if (will.defaultPrevented) return;
    this.emit('quit', event(), 0);
    process.exit(0);
  }
  /** docs/api/app.md, app.exit(): exits immediately without asking; before-quit and will-quit are not emitted. */
  exit(code = 0): void {
    note('app.exit', code);
    process.exit(code);
  }
  relaunch(options: Electron.RelaunchOptions = {}): void {
    note('app.relaunch', options);
  }
}

/**
 * docs/api/auto-updater.md, before-quit-for-update: emitted by quitAndInstall(), which closes the windows before `before-quit`.
 * Here only macOS's own updater causes it.
 */
const updater = new EventEmitter();
export const autoUpdater = known('autoUpdater', updater);
answers.squirrelPutsIn = async () => {
  updater.emit('before-quit-for-update');
  for (const window of openWindows()) if (!(await window.closeInOrder())) return;
  app.quit();
};

const runs = (file: string): boolean => {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    process.kill(pid, 0);
    return pid !== process.pid;
  } catch {
    return false;
  }
};

const made = new StandInApp();
export const app = known('app', made);

answers.quit = () => app.quit();
answers.appEvent = ({ event: which, args, times = 1 }) => {
  needEvent('app', which);
  for (let time = 0; time < times; time += 1) made.emit(which, event(), ...args);
};

// shell/browser/electron_browser_main_parts_posix.cc: SIGTERM, SIGINT and SIGHUP quit the app.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => app.quit());

// docs/api/process.md, lib/browser/init.ts: an unhandled rejection is a warning and ends nothing.
process.on('unhandledRejection', (reason) =>
  console.error('(electron) unhandled rejection in the main process:', reason),
);
// lib/browser/init.ts: an uncaught error without another listener is shown in English with its stack, and the process
// continues.
process.on('uncaughtException', (error) => {
  if (process.listenerCount('uncaughtException') > 1) return;
  console.error(error);
  const title = 'A JavaScript error occurred in the main process';
  dialog.showErrorBox(title, `Uncaught Exception:\n${error.stack ?? error.message}`);
});
answers.throws = ({ message }) =>
  void setImmediate(() => {
    throw new Error(message);
  });

/** electron.d.ts, crashReporter.start: `submitURL` is required unless nothing is uploaded; dumps go to `crashDumps`. */
export const crashReporter = known('crashReporter', {
  start({ uploadToServer = true, submitURL = '' }: Electron.CrashReporterStartOptions): void {
    if (uploadToServer && submitURL === '')
      throw new Error('submitURL must be specified when uploadToServer is true');
    note('crashReporter.start', { uploadToServer }, isReady() ? 'after ready' : 'before ready');
  },
} satisfies Partial<Electron.CrashReporter>);
