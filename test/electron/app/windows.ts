/** `BrowserWindow` and its `webContents`: the window's state is here; its page is real and lives in the harness. */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { event, known } from './known.ts';
import { answers, ask, note } from './line.ts';
import { needEvent, platform } from './platform.ts';
import { needReady } from './readiness.ts';
import { permissionsOf, session } from './session.ts';

/** Callbacks from windows to the app, set by module.ts to avoid an import cycle. */
export const hooks = {
  contentsCreated: (_contents: object): void => undefined,
  windowCreated: (_window: object): void => undefined,
  allClosed: (): void => undefined,
  userData: (): string => '',
  dark: (): boolean => false,
  quitting: (): boolean => false,
};

type OpenHandler = Parameters<Electron.WebContents['setWindowOpenHandler']>[0];
type KnownContents = Pick<
  Electron.WebContents,
  | 'id'
  | 'isDestroyed'
  | 'isLoading'
  | 'isCrashed'
  | 'send'
  | 'setWindowOpenHandler'
  | 'getURL'
  | 'reload'
  | 'forcefullyCrashRenderer'
  | 'zoomLevel'
  | 'getZoomLevel'
  | 'setZoomLevel'
  | 'replaceMisspelling'
  | 'copyImageAt'
  | 'downloadURL'
  | 'openDevTools'
  | 'toggleDevTools'
  | 'printToPDF'
  | 'getTitle'
  | 'focus'
>;

class StandInContents extends EventEmitter implements KnownContents {
  id: number;
  session = session.defaultSession;
  zoomLevel = 0;
  loading = true;
  crashed = false;
  destroyed = false;
  url = '';
  title = '';
  openHandler: OpenHandler | null = null;
  constructor(id: number) {
    super();
    this.id = id;

    return known('webContents', this);
  }
  /** On a destroyed object everything but these two throws: "Object has been destroyed". */
  alive(): void {
    if (this.destroyed) throw new TypeError('Object has been destroyed');
  }
  isDestroyed = (): boolean => this.destroyed;
  isLoading = (): boolean => this.loading;
  isCrashed = (): boolean => this.crashed;
  getURL = (): string => this.url;
  focus = (): void => note('webContents.focus');
  getZoomLevel = (): number => this.zoomLevel;
  setZoomLevel(level: number): void {
    this.zoomLevel = level;
  }
  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler;
  }
  /** docs/api/web-contents.md, contents.send: structured clone; a page without a listener gets nothing. */
  send(channel: string, ...args: unknown[]): void {
    this.alive();
    void ask('send', { window: this.id, channel, args: structuredClone(args) }).catch(
      () => undefined,
    );
  }
  reload(): void {
    this.alive();
    note('webContents.reload');
    this.crashed = false;
    this.loading = true;
    void ask('reload', { window: this.id }).catch(() => undefined);
  }
  forcefullyCrashRenderer(): void {
    note('webContents.forcefullyCrashRenderer');
    void ask('crash', { window: this.id }).catch(() => undefined);
  }
  replaceMisspelling = (word: string): void => note('webContents.replaceMisspelling', word);
  copyImageAt = (x: number, y: number): void => note('webContents.copyImageAt', x, y);
  downloadURL = (url: string): void => note('webContents.downloadURL', url);
  openDevTools = (): void => note('webContents.openDevTools');
  toggleDevTools = (): void => note('webContents.toggleDevTools');
  getTitle = (): string => this.title;
  /** docs/api/web-contents.md, contents.printToPDF: Letter by default. */
  async printToPDF({ pageSize = 'Letter' }: Electron.PrintToPDFOptions = {}): Promise<Buffer> {
    if (pageSize !== 'A4' && pageSize !== 'Letter') throw new Error('a paper not known here');
    return Buffer.from(await ask('pdf', { window: this.id, paper: pageSize }));
  }
}

type KnownWindow = Pick<
  Electron.BrowserWindow,
  | 'id'
  | 'loadURL'
  | 'show'
  | 'hide'
  | 'focus'
  | 'close'
  | 'destroy'
  | 'minimize'
  | 'restore'
  | 'maximize'
  | 'unmaximize'
  | 'isMinimized'
  | 'isMaximized'
  | 'isVisible'
  | 'isFocused'
  | 'isDestroyed'
  | 'isFullScreen'
  | 'setFullScreen'
  | 'getBounds'
  | 'getNormalBounds'
  | 'setBounds'
  | 'setProgressBar'
  | 'setBackgroundColor'
  | 'reload'
>;

const windows = new Map<number, StandInWindow>();
let count = 0;

/** docs/api/browser-window.md: the events `close`, `closed`, `show`, `hide`, `focus` in this order. */
class StandInWindow extends EventEmitter implements KnownWindow {
  id: number;
  webContents: StandInContents;
  options: Electron.BrowserWindowConstructorOptions;
  bounds: Electron.Rectangle;
  minimized = false;
  maximized = false;
  visible = false;
  focused = false;
  full = false;
  closing = false;
  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super();
    // lib/browser/api/browser-window.ts: "Cannot create BrowserWindow before app is ready".
    needReady('BrowserWindow');
    this.id = count += 1;
    this.options = options;
    // docs/api/browser-window.md: 800 x 600 by default.
    const { x = 0, y = 0, width = 800, height = 600 } = options;
    this.bounds = { x, y, width, height };
    this.visible = options.show !== false;
    this.webContents = new StandInContents(this.id);
    const window = known('BrowserWindow', this);
    windows.set(this.id, window);
    note('new BrowserWindow', options);
    hooks.contentsCreated(this.webContents);
    hooks.windowCreated(window);

    return window;
  }
  async loadURL(url: string): Promise<void> {
    note('window.loadURL', url);
    this.webContents.url = url;
    const opened = ask('open', {
      window: this.id,
      url,
      user_data: hooks.userData(),
      preload: this.options.webPreferences?.preload ?? null,
      width: this.bounds.width,
      height: this.bounds.height,
      dark: hooks.dark(),
      permissions: await permissionsOf(this.webContents as unknown as Electron.WebContents),
    });
    // electron.d.ts, loadURL: rejects when `did-fail-load` is emitted. Playwright reports Chromium's error name.
    await opened.catch((error: unknown) => {
      if (!/net::ERR_FAILED/.test(String(error))) throw error;
      this.webContents.emit('did-fail-load', event(), -2, 'ERR_FAILED', url, true);
      throw new Error(`ERR_FAILED (-2) loading '${url}'`);
    });
  }
  show(): void {
    note('window.show');
    const was = this.visible;
    this.visible = true;
    if (!was) this.emit('show');
    this.focus();
  }
  hide(): void {
    note('window.hide');
    // shell/browser/native_window_mac.mm, Hide: leaves a black full-screen space behind (issues 20263, 39572).
    if (platform === 'darwin' && this.full) note('a black screen');
    this.visible = false;
    this.blur();
    this.emit('hide');
  }
  focus(): void {
    note('window.focus');
    if (this.focused) return;
    this.focused = true;
    this.emit('focus');
  }
  blur(): void {
    if (!this.focused) return;
    this.focused = false;
    this.emit('blur');
  }
  minimize(): void {
    this.minimized = true;
    this.blur();
    this.emit('minimize');
  }
  restore(): void {
    note('window.restore');
    this.minimized = false;
    this.emit('restore');
  }
  maximize(): void {
    note('window.maximize');
    this.maximized = true;
    this.emit('maximize');
  }
  unmaximize(): void {
    this.maximized = false;
    this.emit('unmaximize');
  }
  isMinimized = (): boolean => this.minimized;
  isMaximized = (): boolean => this.maximized;
  /** shell/browser/native_window_views.cc, IsVisible: on Windows a minimised window is not visible (issue 38242). */
  isVisible = (): boolean => this.visible && !(platform === 'win32' && this.minimized);
  isFocused = (): boolean => this.focused;
  isDestroyed = (): boolean => !windows.has(this.id);
  isFullScreen = (): boolean => this.full;
  /** electron.d.ts, setFullScreen: "On macOS, fullscreen transitions take place asynchronously". */
  setFullScreen(full: boolean): void {
    note('window.setFullScreen', full);
    const changed = (): void => {
      if (this.full === full || this.isDestroyed()) return;
      this.full = full;
      this.emit(full ? 'enter-full-screen' : 'leave-full-screen');
    };
    if (platform === 'darwin') setImmediate(changed);
    else changed();
  }
  getBounds = (): Electron.Rectangle => this.bounds;
  getNormalBounds = (): Electron.Rectangle => this.bounds;
  setBounds(bounds: Partial<Electron.Rectangle>): void {
    this.bounds = { ...this.bounds, ...bounds };
    this.emit('resize');
  }
  setProgressBar = (progress: number): void => note('window.setProgressBar', progress);
  setBackgroundColor = (color: string): void => note('window.setBackgroundColor', color);
  reload = (): void => this.webContents.reload();
  /** docs/api/browser-window.md: same as the user's close button; `close` may be prevented. */
  close(): void {
    void this.closeInOrder();
  }
  async closeInOrder(): Promise<boolean> {
    if (this.isDestroyed()) return true;
    const asked = event();
    this.emit('close', asked);
    if (asked.defaultPrevented) return false;
    await this.end();
    return true;
  }
  /** docs/api/browser-window.md: "neither `unload` nor `beforeunload` … `close` won't be emitted, but `closed` will". */
  destroy(): void {
    note('window.destroy');
    void this.end();
  }
  async end(): Promise<void> {
    if (this.closing) return;
    this.closing = true;
    await ask('close', { window: this.id }).catch(() => undefined);
    this.ended();
  }
  ended(): void {
    if (!windows.delete(this.id)) return;
    this.webContents.destroyed = true;
    this.webContents.emit('destroyed');
    this.emit('closed');
    // docs/api/app.md, window-all-closed: "if the user pressed Cmd + Q, or app.quit() was called, [it is not emitted]".
    if (windows.size === 0) hooks.allClosed();
  }
}

class StaticWindow extends StandInWindow {
  static getAllWindows = (): StandInWindow[] => [...windows.values()];
  static getFocusedWindow = (): StandInWindow | null =>
    [...windows.values()].find((one) => one.focused) ?? null;
  static fromWebContents = (contents: { id: number }): StandInWindow | null =>
    windows.get(contents.id) ?? null;
}
export const BrowserWindow = known('BrowserWindow', StaticWindow);
export const openWindows = (): StandInWindow[] => [...windows.values()];
export const contentsOf = (id: number): StandInContents | undefined => windows.get(id)?.webContents;

answers.began = ({ window }) => {
  const contents = contentsOf(window);
  if (contents === undefined) return;
  contents.loading = true;
  contents.crashed = false;
  contents.emit('did-start-loading');
};
answers.loaded = ({ window, title }) => {
  const one = windows.get(window);
  if (one === undefined) return;
  one.webContents.loading = false;
  one.webContents.title = title;
  one.webContents.emit('did-finish-load');
};
answers.shown = ({ window }) => void windows.get(window)?.emit('ready-to-show');
/** docs/api/web-contents.md, render-process-gone: `reason` 'crashed' or 'killed', with the exit code. */
answers.gone = ({ window }) => {
  const contents = contentsOf(window);
  if (contents === undefined || contents.crashed) return;
  contents.crashed = true;
  contents.emit('render-process-gone', event(), { reason: 'crashed', exitCode: 5 });
};
/** docs/api/web-contents.md: will-frame-navigate for every frame, then will-navigate for the main one. */
answers.navigates = ({ window, url, main }) => {
  const contents = contentsOf(window);
  const any = event({ url, isMainFrame: main, isSameDocument: false });
  contents?.emit('will-frame-navigate', any);
  if (!main || any.defaultPrevented) return any.defaultPrevented;
  const asked = event({ url, isMainFrame: true, isSameDocument: false });
  contents?.emit('will-navigate', asked, url);
  return asked.defaultPrevented;
};
/** docs/api/web-contents.md, setWindowOpenHandler: without a handler the window opens. */
answers.opens = ({ window, url }) => {
  const handler = contentsOf(window)?.openHandler ?? null;
  if (handler === null) return 'allow';
  const answer = handler({
    url,
    frameName: '',
    features: '',
    disposition: 'foreground-tab',
    referrer: { url: '', policy: 'no-referrer' },
  } as Electron.HandlerDetails);
  return answer.action;
};
answers.windowEvent = ({ window, event: which }) => {
  const one = windows.get(window);
  needEvent('BrowserWindow', which);
  if (which === 'blur') one?.blur();
  else if (which === 'minimize') one?.minimize();
  else one?.emit(which);
};
/**
 * shell/browser/native_window_views_win.cc, WM_QUERYENDSESSION and WM_ENDSESSION: the window gets both, then the process ends
 * immediately unless the app began to quit in a handler of the second.
 */
answers.endSession = () => {
  needEvent('BrowserWindow', 'session-end');
  for (const window of windows.values()) {
    const asked = event({ reasons: ['shutdown'] });
    window.emit('query-session-end', asked);
    // Windows continues once the program has ended.
    if (asked.defaultPrevented) return 'held';
  }
  for (const window of windows.values())
    window.emit('session-end', event({ reasons: ['shutdown'] }));
  if (!hooks.quitting()) process.exit(1);
  return 'ends';
};
answers.askToClose = ({ window }) => void windows.get(window)?.close();
