/** The tray's picture, dock and taskbar: how many near misses wait, a new one, and the way back to a hidden window. */
import {
  app,
  type BrowserWindow,
  Menu,
  type MenuItemConstructorOptions as Item,
  nativeImage,
  Tray,
} from 'electron';
import type { WindowAsk } from '../contract/asks.ts';
import type { Words } from './words/words.ts';

const SIZE = 16;

export interface TrayDeeds {
  show(): void;
  ask(ask: WindowAsk): void;
  quit(): void;
}

export interface KeptTray {
  /** @param newer a version that is ready, or told. @param sent 0 to 1 of what is on its way; null: nothing is */
  show(waiting: number, sent: number | null, words: Words, newer: string | null): void;
  remove(): void;
}

/** @param icon path of the program's picture */
export const keepTray = (
  icon: string,
  deeds: TrayDeeds,
  window: () => BrowserWindow | undefined,
): KeptTray => {
  const picture = nativeImage.createFromPath(icon).resize({ width: SIZE, height: SIZE });
  const tray = new Tray(picture);
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
      // A menu that somebody has open would close: it is made anew only where it says something else.
      if (now !== labels) {
        labels = now;
        tray.setToolTip(`Spotter · ${words.tray.waiting(waiting)}`);
        tray.setContextMenu(Menu.buildFromTemplate(items));
      }
      app.setBadgeCount(waiting);
      const shown = window();
      // Below 0 the bar goes away (docs/api/browser-window.md, setProgressBar).
      if (shown !== undefined && !shown.isDestroyed()) shown.setProgressBar(sent ?? -1);
    },
    remove: () => tray.destroy(),
  };
};
