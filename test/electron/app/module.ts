/** The exports of `electron` in the app's process. Importing a missing name fails by that name. */
import { app, userData } from './app.ts';
import { nativeTheme } from './desktop.ts';
import { event } from './known.ts';
import { menuHooks } from './menus.ts';
import { needEvent } from './platform.ts';
import { becomeReady } from './readiness.ts';
import { hooks } from './windows.ts';

export { app, autoUpdater, crashReporter } from './app.ts';
export { ipcMain } from './ipc-main.ts';
export { net } from './net.ts';
export { Menu, Tray } from './menus.ts';
export { utilityProcess } from './processes.ts';
export { protocol, session } from './session.ts';
export { BrowserWindow } from './windows.ts';
export {
  clipboard,
  dialog,
  globalShortcut,
  nativeImage,
  nativeTheme,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  screen,
  shell,
} from './desktop.ts';

hooks.contentsCreated = (contents) => void app.emit('web-contents-created', event(), contents);
hooks.windowCreated = (window) => void app.emit('browser-window-created', event(), window);
// docs/api/app.md, window-all-closed: not emitted while quitting; without a listener the app quits.
hooks.allClosed = () => {
  if (app.quitting) return;
  if (!app.emit('window-all-closed')) app.quit();
};
hooks.userData = userData;
hooks.quitting = () => app.asked;
hooks.dark = () => nativeTheme.shouldUseDarkColors;
menuHooks.quit = () => app.quit();

/**
 * docs/tutorial/esm.md: an entry's imports and its synchronous part run before `ready`. A module graph without top-level await
 * is evaluated in one turn of the loop, and this module is part of it.
 */
setImmediate(() => {
  // docs/api/app.md, open-file and open-url: the event that started the app is emitted before `ready`; later listeners miss it.
  const opened = process.env['STAND_IN_OPENED'];
  if (opened !== undefined) {
    const { event: which, text } = JSON.parse(opened) as { event: string; text: string };
    needEvent('app', which);
    app.emit(which, event(), text);
  }
  becomeReady();
  app.emit('ready', event(), {});
});
