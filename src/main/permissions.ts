/**
 * Electron's checklist, 5: what a page may use, by every name that Electron knows. A new version's new name does not compile until
 * it is answered here. Asked and requested are answered by the same rule, for the main frame of our own origin only.
 */
import type { Session } from 'electron';
import { isOwn } from './security.ts';

type CheckHandler = NonNullable<Parameters<Session['setPermissionCheckHandler']>[0]>;
export type Permission = Parameters<CheckHandler>[1];

/** `camera`: media, as long as nothing but pictures is wanted. `reading`: files, as long as nothing is written. */
export const permissions = {
  media: 'camera',
  // Both Copy buttons; plain text and what Chromium has cleaned, written after a press.
  'clipboard-sanitized-write': 'allowed',
  // What waits is in IndexedDB: the browser must not clear it to make room.
  'persistent-storage': 'allowed',
  // A folder that the person chose in the system's dialog, or dropped, watched for new photos.
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

/** Who asks, as far as Electron tells. */
export interface Asker {
  readonly url: string;
  readonly main_frame: boolean;
  /** Of a request or a check for `media`: `video`, `audio`, or `unknown`. */
  readonly media?: readonly string[];
  /** Of files: what is wanted with them. */
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

/** Plugged into a session: nothing is granted by Electron's own default. */
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
      main_frame: details.isMainFrame,
      media: details.mediaType === undefined ? undefined : [details.mediaType],
      file_access: details.fileAccessType,
    }),
  );
  session.setDevicePermissionHandler(() => false);
};
