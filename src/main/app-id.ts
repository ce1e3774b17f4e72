/**
 * Who Windows takes the program for. The installer writes this id into the shortcut of the start menu; only a program that says the same
 * id is shown under its name and picture, in notifications and in the taskbar. Electron says it by itself for Squirrel's installers alone.
 */
import type { App } from 'electron';

/** `appId` of .config/electron-builder.js. */
export const APP_ID = 'app.spotter.desktop';

/** Before the first window. */
export const sayAppId = (
  app: Pick<App, 'setAppUserModelId'>,
  platform: NodeJS.Platform = process.platform,
): void => {
  if (platform === 'win32') app.setAppUserModelId(APP_ID);
};
