/** The desktop APIs of the app: dialogs, browser, keys, power, notifications, screens, colours. */
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type * as Electron from 'electron';
import type { DialogSeen, NoticeSeen } from '../peer.ts';
import { event, known } from './known.ts';
import { answers, ask, note } from './line.ts';
import { needEvent } from './platform.ts';
import { isReady, needReady } from './readiness.ts';

// ---- dialogs: open until the harness answers, as a person would

interface Shown extends DialogSeen {
  done(answer: { button: number; path?: string; checked?: boolean }): void;
}
const dialogs: Shown[] = [];
let dialogCount = 0;

const askPerson = (
  kind: DialogSeen['kind'],
  { title = '', message = '', detail = '', buttons = [] }: Electron.MessageBoxOptions,
): Promise<{ button: number; path?: string; checked?: boolean }> =>
  new Promise((resolve) => {
    const id = (dialogCount += 1);
    note(`dialog.${kind}`, title, message, detail, buttons);
    dialogs.push({
      id,
      kind,
      title,
      message,
      detail,
      buttons,
      done: (answer) => {
        dialogs.splice(
          dialogs.findIndex((one) => one.id === id),
          1,
        );
        resolve(answer);
      },
    });
  });

/** docs/api/dialog.md: the window is the optional first argument. */
const optionsOf = <T>(given: readonly unknown[]): T => given.at(-1) as T;

export const dialog = known('dialog', {
  /** "can be called safely before the ready event …; on Linux the message is emitted to stderr". */
  showErrorBox(title: string, content: string): void {
    if (!isReady()) console.error(`${title}\n${content}`);
    else void askPerson('error', { title, message: content, buttons: ['OK'] });
  },
  async showMessageBox(...given: unknown[]): Promise<Electron.MessageBoxReturnValue> {
    needReady('dialog');
    const options = optionsOf<Electron.MessageBoxOptions>(given);
    const asked = askPerson('message', options);
    // electron.d.ts, MessageBoxOptions.signal: closes it; the response is cancelId, or 0.
    const id = dialogCount;
    options.signal?.addEventListener('abort', () =>
      answers.answer?.({ id, button: options.cancelId ?? 0 }),
    );
    const { button, checked = false } = await asked;
    return { response: button, checkboxChecked: checked };
  },
  async showSaveDialog(...given: unknown[]): Promise<Electron.SaveDialogReturnValue> {
    needReady('dialog');
    const { title, defaultPath } = optionsOf<Electron.SaveDialogOptions>(given);
    const { path = '' } = await askPerson('save', { title, message: defaultPath ?? '' });
    return { canceled: path === '', filePath: path };
  },
} satisfies Partial<Electron.Dialog>);

answers.dialogs = () => dialogs.map(({ done: _done, ...seen }) => seen);
answers.answer = ({ id, ...answer }) => dialogs.find((one) => one.id === id)?.done(answer);

// ---- the system's programs

/** Schemes that no program of this system opens. */
const unopened = new Set<string>();
answers.noProgramFor = ({ scheme }) => void unopened.add(scheme);

export const shell = known('shell', {
  // docs/api/shell.md, openExternal: rejects if no application opens the address.
  async openExternal(url: string): Promise<void> {
    note('shell.openExternal', url);
    if (unopened.has(new URL(url).protocol)) throw new Error('Failed to open: no application');
  },
  showItemInFolder: (path: string): void => note('shell.showItemInFolder', path),
  async openPath(path: string): Promise<string> {
    note('shell.openPath', path);
    return '';
  },
} satisfies Partial<Electron.Shell>);

/** The clipboard for the app's process; a page's copies stay in its own Chromium. */
let copied = '';
export const clipboard = known('clipboard', {
  readText: async (): Promise<string> => copied,
  async writeText(text: string): Promise<void> {
    copied = text;
    note('clipboard.writeText', text);
  },
} satisfies Partial<Electron.Clipboard>);

// ---- system-wide keys

const keys = new Map<string, () => void>();
const refusedKeys = new Set((process.env['STAND_IN_TAKEN_KEYS'] ?? '').split(',').filter(Boolean));

/** docs/api/global-shortcut.md: false if another program has registered them; not before ready. */
export const globalShortcut = known('globalShortcut', {
  register(accelerator: string, pressed: () => void): boolean {
    needReady('globalShortcut');
    if (keys.has(accelerator) || refusedKeys.has(accelerator)) return false;
    keys.set(accelerator, pressed);
    note('globalShortcut.register', accelerator);
    return true;
  },
  unregister(accelerator: string): void {
    keys.delete(accelerator);
    note('globalShortcut.unregister', accelerator);
  },
  isRegistered: (accelerator: string): boolean => keys.has(accelerator),
} satisfies Partial<Electron.GlobalShortcut>);

answers.keysTaken = ({ accelerators }) => accelerators.forEach((one) => refusedKeys.add(one));

answers.press = ({ accelerator }) => {
  keys.get(accelerator)?.();
  return keys.has(accelerator);
};

// ---- notifications

/**
 * Electron holds notifications weakly: one that the app does not reference may be collected, and its press is lost (issue
 * 16922).
 */
const notices: (NoticeSeen & { readonly shown: WeakRef<EventEmitter> })[] = [];
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

class StandInNotification extends EventEmitter {
  static isSupported = (): boolean => true;
  title: string;
  body: string;
  constructor({ title = '', body = '' }: Electron.NotificationConstructorOptions = {}) {
    super();
    this.title = title;
    this.body = body;

    return known('Notification', this);
  }
  show(): void {
    needReady('Notification');
    notices.push({
      id: notices.length + 1,
      title: this.title,
      body: this.body,
      shown: new WeakRef(this),
    });
    note('notification.show', this.title, this.body);
  }
  close = (): void => undefined;
}
export const Notification = StandInNotification;

answers.notices = () => notices.map(({ shown: _shown, ...seen }) => seen);
answers.pressNotice = ({ id }) => {
  collect();
  notices
    .find((one) => one.id === id)
    ?.shown.deref()
    ?.emit('click', event());
};

// ---- power

/** docs/api/power-monitor.md: "can only be used after the ready event". */
const monitor = new EventEmitter();
export const powerMonitor = known('powerMonitor', monitor);
/** docs/api/power-monitor.md, shutdown: the system waits if `preventDefault()` was called. */
answers.power = ({ event: which }) => {
  needEvent('powerMonitor', which);
  monitor.emit(which, { preventDefault: () => note('powerMonitor.preventDefault', which) });
};

const blockers = new Map<number, string>();
let blockerCount = 0;
export const powerSaveBlocker = known('powerSaveBlocker', {
  start(type: 'prevent-app-suspension' | 'prevent-display-sleep'): number {
    blockers.set((blockerCount += 1), type);
    note('powerSaveBlocker.start', type);
    return blockerCount;
  },
  stop(id: number): boolean {
    note('powerSaveBlocker.stop');
    return blockers.delete(id);
  },
  isStarted: (id: number): boolean => blockers.has(id),
} satisfies Partial<Electron.PowerSaveBlocker>);

// ---- screens, colours, pictures

/** One screen; `STAND_IN_SCREEN` is its size. */
const [width = 1920, height = 1080] = (process.env['STAND_IN_SCREEN'] ?? '1920x1080')
  .split('x')
  .map(Number);
export const screen = known('screen', {
  getAllDisplays() {
    needReady('screen');
    return [{ workArea: { x: 0, y: 0, width, height } }] as Electron.Display[];
  },
} satisfies Partial<Electron.Screen>);

class StandInTheme extends EventEmitter {
  source: Electron.NativeTheme['themeSource'] = 'system';
  get themeSource() {
    return this.source;
  }
  /** docs/api/native-theme.md: also sets `prefers-color-scheme` in every page. */
  set themeSource(source) {
    this.source = source;
    note('nativeTheme.themeSource', source);
    const dark = source === 'system' ? null : source === 'dark';
    void ask('scheme', { dark }).catch(() => undefined);
    this.emit('updated');
  }
  get shouldUseDarkColors(): boolean {
    return this.source === 'system' ? process.env['STAND_IN_DARK'] === '1' : this.source === 'dark';
  }
}
const theme = new StandInTheme();
export const nativeTheme = known('nativeTheme', theme);

/** docs/api/native-image.md, createFromPath: "an empty image if the path does not exist, cannot be read, or is not a valid image". */
const isPicture = (path: string): boolean => {
  try {
    return readFileSync(path).subarray(1, 4).toString('latin1') === 'PNG';
  } catch {
    return false;
  }
};
export const nativeImage = known('nativeImage', {
  createFromPath: (path: string) => {
    note('nativeImage.createFromPath', path);
    return known('nativeImage', { isEmpty: () => !isPicture(path) });
  },
});
