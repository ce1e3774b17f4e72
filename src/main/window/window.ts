/**
 * Creates the window: restores its place, paints the right background from the first frame, and blocks everything outside its
 * own origin.
 */
import { app, BrowserWindow, nativeTheme, screen, shell } from 'electron';
import { mayNavigate, mayOpenOutside, ORIGIN, webPreferences } from './security.ts';
import { sayUp } from '../up.ts';
import { keepWindowState, placeOf, readWindowState, SMALLEST } from './window-state.ts';

/** Opens a link in the system's program; false when there is none. */
export const openOutside = (url: string): Promise<boolean> =>
  shell.openExternal(url).then(
    () => true,
    () => false,
  );

/** Checklist 12-14: no web contents can navigate away, open windows or attach web views. */
export const closeDoors = (): void => {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', (event) => {
      if (!mayNavigate(event.url)) event.preventDefault();
    });
    contents.on('will-frame-navigate', (event) => {
      if (!mayNavigate(event.url)) event.preventDefault();
    });
    contents.on('will-redirect', (event) => {
      if (!mayNavigate(event.url)) event.preventDefault();
    });
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      if (mayOpenOutside(url)) void openOutside(url);
      return { action: 'deny' };
    });
  });
};

export interface WindowOptions {
  /** Path of the built preload. */
  readonly preload: string;
  readonly icon: string;
  /** Path of the file with the window's place. */
  readonly state: string;
  /** Enables Chromium's spelling check, which downloads dictionaries on Linux and Windows. */
  readonly spelling: boolean;
  /** Shows the window once it is ready to show. */
  readonly show: boolean;
}

/** Calls `tell` whenever it changes if a person can see the window. */
export function followSight(
  window: BrowserWindow,
  shown: boolean,
  tell: (in_sight: boolean) => void,
): void {
  let told = true;
  const say = (in_sight: boolean): void => {
    if (in_sight === told) return;
    told = in_sight;
    tell(in_sight);
  };
  const look = (): void => say(window.isVisible() && !window.isMinimized());
  window.on('show', look);
  window.on('hide', look);
  window.on('minimize', look);
  window.on('restore', look);
  window.on('focus', look);
  if (!shown) say(false);
}

/** ERR_ABORTED: a navigation that was prevented or replaced by another. */
const ABORTED = -3;

/** Reports a main frame that failed to load; otherwise the window would stay blank. */
export function onFailedLoad(window: BrowserWindow, tell: (detail: string) => void): void {
  window.webContents.on('did-fail-load', (_event, code, description, url, is_main_frame) => {
    if (is_main_frame && code !== ABORTED) tell(`${url}: ${description} (${code})`);
  });
}

/** `--paper` of the window's style (renderer/tokens.css), so that no white flashes. */
const PAPER = { light: '#f5f6f4', dark: '#0f1318' } as const;

export const openWindow = (options: WindowOptions): BrowserWindow => {
  const was = readWindowState(options.state);
  const window = new BrowserWindow({
    title: 'Spotter',
    icon: options.icon,
    ...placeOf(
      was,
      screen.getAllDisplays().map(({ workArea }) => workArea),
    ),
    minWidth: SMALLEST.width,
    minHeight: SMALLEST.height,
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? PAPER.dark : PAPER.light,
    webPreferences: {
      ...webPreferences,
      spellcheck: options.spelling,
      preload: options.preload,
    },
  });
  window.once('ready-to-show', () => {
    sayUp();
    if (was !== null) window.webContents.setZoomLevel(was.zoom);
    if (was?.maximized) window.maximize();
    if (options.show) window.show();
  });
  window.on('close', () =>
    keepWindowState(options.state, {
      bounds: window.getNormalBounds(),
      maximized: window.isMaximized(),
      zoom: window.webContents.getZoomLevel(),
    }),
  );
  // The event `did-fail-load` reports the failure.
  window.loadURL(`${ORIGIN}/index.html`).catch(() => undefined);
  return window;
};
