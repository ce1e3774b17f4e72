/**
 * Shows the number of waiting near misses in tray, dock and taskbar. The tray menu opens a new near miss or the hidden window.
 */
import { join } from 'node:path';
import {
  app,
  type BrowserWindow,
  Menu,
  type MenuItemConstructorOptions as Item,
  nativeImage,
  Tray,
} from 'electron';
import type { WindowAsk } from '../../contract/asks.ts';
import type { Words } from '../words/words.ts';

export interface TrayDeeds {
  show(): void;
  ask(ask: WindowAsk): void;
  quit(): void;
}

export interface KeptTray {
  /**
   * @param newer a newer version, downloaded or announced
   * @param sent progress of the bytes being sent (standing.ts); null when nothing is being sent
   */
  show(waiting: number, sent: number | null, words: Words, newer: string | null): void;
  remove(): void;
}

/**
 * @param folder holds tray.png, its `@1.5x` and `@2x` variants, and the template image that macOS colours
 * (docs/api/native-image.md)
 */
export const keepTray = (
  folder: string,
  deeds: TrayDeeds,
  window: () => BrowserWindow | undefined,
): KeptTray => {
  const name = process.platform === 'darwin' ? 'trayTemplate.png' : 'tray.png';
  const tray = new Tray(nativeImage.createFromPath(join(folder, name)));
  tray.on('click', deeds.show);
  const entries = (waiting: number, { tray: t, menu }: Words, newer: string | null): Item[] => [
    { label: t.show, click: deeds.show },
    { label: menu.new_near_miss, click: () => deeds.ask({ ask: 'show', place: 'new' }) },
    { label: t.waiting(waiting), click: () => deeds.ask({ ask: 'show', place: 'waiting' }) },
    ...(newer === null
      ? []
      : [{ label: t.newer(newer), click: () => deeds.ask({ ask: 'show', place: 'settings' }) }]),
    { type: 'separator' },
    { label: menu.quit, click: deeds.quit },
  ];
  let labels = '';
  return {
    show: (waiting, sent, words, newer) => {
      const items = entries(waiting, words, newer);
      const now = items.map(({ label }) => label).join('\n');
      // Rebuilding would close an open menu, so it is rebuilt only when its labels change.
      if (now !== labels) {
        labels = now;
        tray.setToolTip(`Spotter · ${words.tray.waiting(waiting)}`);
        tray.setContextMenu(Menu.buildFromTemplate(items));
      }
      app.setBadgeCount(waiting);
      const shown = window();
      // A negative value removes the bar (docs/api/browser-window.md, setProgressBar).
      if (shown !== undefined && !shown.isDestroyed()) shown.setProgressBar(sent ?? -1);
    },
    remove: () => tray.destroy(),
  };
};
