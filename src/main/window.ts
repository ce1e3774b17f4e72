/** Makes the one window and closes every door that security.ts does not name as open. */
import { app, BrowserWindow, type Session, shell } from 'electron';
import { mayNavigate, mayOpenOutside, mayUse, ORIGIN, webPreferences } from './security.ts';

/** Checklist 5: asked and answered by the same rule, for every permission of every page. */
export const closePermissions = (session: Session): void => {
  session.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(
      mayUse(
        permission,
        details.requestingUrl,
        'mediaTypes' in details ? details.mediaTypes : undefined,
      ),
    ),
  );
  session.setPermissionCheckHandler((_contents, permission, origin, details) =>
    mayUse(permission, origin, details.mediaType === undefined ? undefined : [details.mediaType]),
  );
  session.setDevicePermissionHandler(() => false);
};

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
      if (mayOpenOutside(url)) void shell.openExternal(url);
      return { action: 'deny' };
    });
  });
};

/** @param preload path of the built preload */
export const openWindow = (preload: string, icon: string): BrowserWindow => {
  const window = new BrowserWindow({
    title: 'Spotter',
    icon,
    width: 1280,
    height: 860,
    minWidth: 360,
    minHeight: 560,
    show: false,
    webPreferences: { ...webPreferences, preload },
  });
  window.once('ready-to-show', () => window.show());
  void window.loadURL(`${ORIGIN}/index.html`);
  return window;
};
