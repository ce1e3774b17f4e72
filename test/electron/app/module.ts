/** What `import … from 'electron'` gives in the app's process. A name that is not here fails the import by its name. */
import { app, userData } from './app.ts';
import { nativeTheme } from './desktop.ts';
import { event } from './known.ts';
import { menuHooks } from './menus.ts';
import { becomeReady } from './readiness.ts';
import { hooks } from './windows.ts';

export { app, autoUpdater } from './app.ts';
export { ipcMain } from './ipc-main.ts';
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
// docs/api/app.md, window-all-closed: not while quitting; the app quits where nobody listens.
hooks.allClosed = () => {
  if (app.quitting) return;
  if (!app.emit('window-all-closed')) app.quit();
};
hooks.userData = userData;
hooks.dark = () => nativeTheme.shouldUseDarkColors;
menuHooks.quit = () => app.quit();

/**
 * docs/tutorial/esm.md: what an entry's imports and its synchronous part do is done before `ready`. Evaluation of a graph
 * without a top-level await is one turn of the loop, and this module is part of it.
 */
setImmediate(() => {
  // docs/api/app.md, open-file and open-url: what started the app comes before `ready`; who listens later misses it.
  const opened = process.env['STAND_IN_OPENED'];
  if (opened !== undefined) {
    const { event: which, text } = JSON.parse(opened) as { event: string; text: string };
    app.emit(which, event(), text);
  }
  becomeReady();
  app.emit('ready', event(), {});
});
