/**
 * Sets the Windows application id. The installer writes the same id into the start menu's shortcut. Windows shows the program's
 * name and picture in notifications and the taskbar only when both ids match. Electron sets the id itself only for Squirrel
 * installers.
 */
import type { App } from 'electron';

/** Equals `appId` in .config/electron-builder.js. */
export const APP_ID = 'app.spotter.desktop';

/** Must run before the first window opens. */
export const sayAppId = (
  app: Pick<App, 'setAppUserModelId'>,
  platform: NodeJS.Platform = process.platform,
): void => {
  if (platform === 'win32') app.setAppUserModelId(APP_ID);
};
