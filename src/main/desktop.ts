/** Hangs up what the pure files decided: menus, notifications, the system's waking up, saving a PDF. */
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
import { contextOf } from './context-menu.ts';
import { type MenuDeeds, menuOf, type MenuPlace } from './menu.ts';
import { paperOf } from './paper.ts';
import { type Notice, placeOfNotice, type Standing } from './notices.ts';
import type { SaveFolder } from './save-folder.ts';
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

/** Those that are shown: Electron lets one go that nobody holds, and its press would lead nowhere. */
const shownNotices = new Set<Notification>();

/** Shows it; a press opens the place it is about. */
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

/** Nobody is at the computer from now on. */
export const onAway = (left: () => void): (() => void) => {
  powerMonitor.on('suspend', left);
  powerMonitor.on('lock-screen', left);
  return () => {
    powerMonitor.off('suspend', left);
    powerMonitor.off('lock-screen', left);
  };
};

/** The system ends, and waits a moment for a program that asks it to (docs/api/power-monitor.md, shutdown). */
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
    const pdf = await window.webContents.printToPDF({ printBackground: true, pageSize });
    await writeFile(filePath, pdf);
  } catch (error) {
    dialog.showErrorBox(t.failed, error instanceof Error ? error.message : String(error));
  }
};
