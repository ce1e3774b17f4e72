/** Wires the decisions of the Electron-free files to Electron: menus, notifications, power events, saving a PDF. */
import { writeFile } from 'node:fs/promises';
import {
  app,
  type BrowserWindow,
  clipboard,
  dialog,
  Menu,
  Notification,
  powerMonitor,
  type WebContents,
} from 'electron';
import type { WindowAsk } from '../contract/asks.ts';
import { contextOf } from './system/context-menu.ts';
import { type MenuDeeds, menuOf, type MenuPlace } from './system/menu.ts';
import { paperOf } from './window/paper.ts';
import { type Notice, placeOfNotice, type Standing } from './system/notices.ts';
import type { SaveFolder } from './window/save-folder.ts';
import type { Words } from './words/words.ts';

export const setMenu = (words: Words, deeds: MenuDeeds, place: MenuPlace): void =>
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuOf(words, deeds, place)));

export const giveContextMenu = (contents: WebContents, words: () => Words): void => {
  contents.on('context-menu', (_event, clicked) => {
    const items = contextOf(clicked, words(), {
      replace: (word) => contents.replaceMisspelling(word),
      copyPicture: () => contents.copyImageAt(clicked.x, clicked.y),
      savePicture: () => contents.downloadURL(clicked.srcURL),
      copyLink: () => void clipboard.writeText(clicked.linkURL),
    });
    if (items.length > 0) Menu.buildFromTemplate(items).popup();
  });
};

/** Keeps shown notifications alive: a click on one that was garbage-collected does nothing. */
const shownNotices = new Set<Notification>();

/** Shows a notification. A click opens the screen that it is about. */
export const tellNotice = (
  notice: Notice,
  { parked, due }: Pick<Standing, 'parked' | 'due'>,
  words: Words,
  open: (ask: WindowAsk) => void,
): void => {
  if (!Notification.isSupported()) return;
  const t = words.notice;
  const said = { ...t, parked: t.parked(parked), due: t.due(due ?? 0) };
  const shown = new Notification(said[notice]);
  const over = (): void => void shownNotices.delete(shown);
  shown.on('click', () => {
    over();
    open({ ask: 'show', place: placeOfNotice[notice] });
  });
  shown.on('close', over);
  shown.on('failed', over);
  shownNotices.add(shown);
  shown.show();
};

export const onWake = (woke: () => void): (() => void) => {
  powerMonitor.on('resume', woke);
  powerMonitor.on('unlock-screen', woke);
  return () => {
    powerMonitor.off('resume', woke);
    powerMonitor.off('unlock-screen', woke);
  };
};

/** Calls `left` when the computer sleeps or is locked. */
export const onAway = (left: () => void): (() => void) => {
  powerMonitor.on('suspend', left);
  powerMonitor.on('lock-screen', left);
  return () => {
    powerMonitor.off('suspend', left);
    powerMonitor.off('lock-screen', left);
  };
};

/**
 * Windows announces the end of its session only to windows, and kills the process unless the app starts to quit during the
 * event (electron.d.ts, `session-end`; shell/browser/native_window_views_win.cc, WM_ENDSESSION). Unwritten input delays the
 * query before it.
 */
export function onSessionEnd(
  window: BrowserWindow,
  parts: { holds(): boolean; written(): Promise<void>; end(): void },
): void {
  window.on('query-session-end', (event) => {
    if (!parts.holds()) return;
    event.preventDefault();
    void parts.written().then(parts.end);
  });
  window.on('session-end', parts.end);
}

/** Linux and macOS delay a shutdown briefly for a program that asks them to (docs/api/power-monitor.md, shutdown). */
export const onShutdown = (end: () => void): (() => void) => {
  const heard = (event?: { preventDefault(): void }): void => {
    event?.preventDefault();
    end();
  };
  powerMonitor.on('shutdown', heard);
  return () => void powerMonitor.off('shutdown', heard);
};

export const savePdf = async (
  window: BrowserWindow | undefined,
  words: Words,
  saves: SaveFolder,
): Promise<void> => {
  if (window === undefined) return;
  const t = words.pdf;
  const title = window.webContents
    .getTitle()
    .replaceAll(/[^\p{L}\p{N} -]/gu, ' ')
    .trim();
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    title: t.title,
    defaultPath: saves.offer(`${title || 'Spotter'}.pdf`),
    filters: [{ name: 'PDF', extensions: ['pdf'] }],
  });
  if (canceled || filePath === '') return;
  saves.chosen(filePath);
  try {
    const pageSize = paperOf(app.getLocaleCountryCode());
    // A sheet that asks for its own paper, such as A3, gets it.
    const pdf = await window.webContents.printToPDF({
      printBackground: true,
      pageSize,
      preferCSSPageSize: true,
    });
    await writeFile(filePath, pdf);
  } catch (error) {
    dialog.showErrorBox(t.failed, error instanceof Error ? error.message : String(error));
  }
};
