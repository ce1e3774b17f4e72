/**
 * Decides every permission that Electron knows (checklist, 5). A name added by a new Electron version does not compile until it
 * is answered here. Requests and checks follow the same rule: only the main frame of our own origin is allowed. A check for
 * files names no frame, so its origin decides.
 */
import type { Session } from 'electron';
import { isOwn } from './security.ts';

type CheckHandler = NonNullable<Parameters<Session['setPermissionCheckHandler']>[0]>;
export type Permission = Parameters<CheckHandler>[1];

/** `camera`: media, provided that only video is requested. `reading`: files, provided that only read access is requested. */
export const permissions = {
  media: 'camera',
  // Used by both Copy buttons: plain text and content that Chromium has sanitised, after a click.
  'clipboard-sanitized-write': 'allowed',
  // The queue is in IndexedDB, which the browser must not evict to free space.
  'persistent-storage': 'allowed',
  // Reads a folder that the person chose or dropped, and watches it for new photos.
  fileSystem: 'reading',
  ar: 'refused',
  'automatic-fullscreen': 'refused',
  'background-fetch': 'refused',
  'background-sync': 'refused',
  'captured-surface-control': 'refused',
  'clipboard-read': 'refused',
  'deprecated-sync-clipboard-read': 'refused',
  'display-capture': 'refused',
  fullscreen: 'refused',
  geolocation: 'refused',
  'geolocation-approximate': 'refused',
  'hand-tracking': 'refused',
  hid: 'refused',
  'idle-detection': 'refused',
  keyboardLock: 'refused',
  'local-fonts': 'refused',
  'local-network': 'refused',
  'local-network-access': 'refused',
  'loopback-network': 'refused',
  mediaKeySystem: 'refused',
  midi: 'refused',
  midiSysex: 'refused',
  nfc: 'refused',
  notifications: 'refused',
  openExternal: 'refused',
  'payment-handler': 'refused',
  'periodic-background-sync': 'refused',
  pointerLock: 'refused',
  'screen-wake-lock': 'refused',
  sensors: 'refused',
  serial: 'refused',
  'smart-card': 'refused',
  'speaker-selection': 'refused',
  'storage-access': 'refused',
  'system-wake-lock': 'refused',
  'top-level-storage-access': 'refused',
  usb: 'refused',
  vr: 'refused',
  'web-app-installation': 'refused',
  'web-printing': 'refused',
  'window-management': 'refused',
  unknown: 'refused',
} as const satisfies Readonly<Record<Permission, 'allowed' | 'camera' | 'reading' | 'refused'>>;

/** The requesting page, as described by Electron. */
export interface Asker {
  readonly url: string;
  readonly main_frame: boolean;
  /** For `media`: `video`, `audio` or `unknown`. */
  readonly media?: readonly string[];
  /** For files: the requested access. */
  readonly file_access?: string | undefined;
}

export const mayUse = (
  permission: string,
  { url, main_frame, media = [], file_access }: Asker,
): boolean => {
  if (!main_frame || !isOwn(url) || !Object.hasOwn(permissions, permission)) return false;
  const answer = permissions[permission as Permission];
  if (answer === 'camera') return media.length > 0 && media.every((kind) => kind === 'video');
  if (answer === 'reading') return file_access === 'readable';
  return answer === 'allowed';
};

/** Installs the rules in a session, which replaces Electron's permissive defaults. */
export const closePermissions = (
  session: Pick<
    Session,
    'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler'
  >,
): void => {
  session.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(
      mayUse(permission, {
        url: details.requestingUrl,
        main_frame: details.isMainFrame,
        media: 'mediaTypes' in details ? details.mediaTypes : undefined,
        file_access: 'fileAccessType' in details ? details.fileAccessType : undefined,
      }),
    ),
  );
  session.setPermissionCheckHandler((_contents, permission, origin, details) =>
    mayUse(permission, {
      url: origin,
      // electron.d.ts, setPermissionCheckHandler: "`isMainFrame` will always be `false` for a `fileSystem` request".
      main_frame: permission === 'fileSystem' || details.isMainFrame,
      media: details.mediaType === undefined ? undefined : [details.mediaType],
      file_access: details.fileAccessType,
    }),
  );
  session.setDevicePermissionHandler(() => false);
};
