/** Makes the one window: where it was, as dark as the setting says from its first frame, and closed to all that is not its own. */
import { app, BrowserWindow, nativeTheme, screen, shell } from 'electron';
import { mayNavigate, mayOpenOutside, ORIGIN, webPreferences } from './security.ts';
import { sayUp } from './up.ts';
import { keepWindowState, placeOf, readWindowState, SMALLEST } from './window-state.ts';

/** Hands a link to the system; false where it has no program for it. */
export const openOutside = (url: string): Promise<boolean> =>
  shell.openExternal(url).then(
    () => true,
    () => false,
  );

/** Checklist 12-14: whatever contents come to be, they cannot leave, open windows or attach web views. */
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
  /** Where the window's place is kept. */
  readonly state: string;
  /** Does Chromium check spelling? On Linux and Windows that fetches dictionaries. */
  readonly spelling: boolean;
  /** Shown as soon as there is something to see. */
  readonly show: boolean;
}

/** `--paper` of the window's own look (renderer/tokens.css), so that no white flashes. */
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
  void window.loadURL(`${ORIGIN}/index.html`);
  return window;
};
