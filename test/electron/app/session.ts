/** `session`, `protocol`: the handler of `app://`, and the permissions of a page. */
import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import type { Permissions } from '../peer.ts';
import { known } from './known.ts';
import { answers, note } from './line.ts';
import { needReady, needUnready } from './readiness.ts';

type Handler = (request: Request) => Response | Promise<Response>;
type CheckHandler = Parameters<Electron.Session['setPermissionCheckHandler']>[0];
type RequestHandler = Parameters<Electron.Session['setPermissionRequestHandler']>[0];
export type Permission = Parameters<NonNullable<CheckHandler>>[1];

const schemes = new Map<string, Handler>();
const privileged = new Map<string, Electron.Privileges>();

const protocolOfSession = known('session.protocol', {
  /** docs/api/protocol.md, protocol.handle: one handler per scheme. */
  handle(scheme: string, handler: Handler): void {
    if (schemes.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
    schemes.set(scheme, handler);
    note('protocol.handle', scheme);
  },
  isProtocolHandled: (scheme: string): boolean => schemes.has(scheme),
} satisfies Pick<Electron.Protocol, 'isProtocolHandled'> & {
  handle(scheme: string, handler: Handler): void;
});

type BeforeRequest = (
  details: Electron.OnBeforeRequestListenerDetails,
  answer: (response: Electron.CallbackResponse) => void,
) => void;
let before: { readonly urls: readonly string[]; readonly listener: BeforeRequest } | null = null;

/** docs/api/web-request.md, onBeforeRequest: the last listener wins; it is called only for matching URLs. */
const webRequest = known('session.webRequest', {
  onBeforeRequest({ urls }: Electron.WebRequestFilter, listener: BeforeRequest): void {
    before = { urls, listener };
    note('webRequest.onBeforeRequest', urls);
  },
});

/** Match patterns of the form `scheme://*` + `/*`; other patterns are not supported here. */
const matches = (pattern: string, url: string): boolean => {
  const scheme = /^([a-z]+):\/\/\*\/\*$/.exec(pattern)?.[1];
  if (scheme === undefined) throw new Error(`electron: the pattern ${pattern} is not known`);
  return url.startsWith(`${scheme}://`);
};

answers.requests = ({ url }) => {
  if (before === null || !before.urls.some((pattern) => matches(pattern, url))) return;
  before.listener({ url } as Electron.OnBeforeRequestListenerDetails, () => undefined);
};

class StandInSession extends EventEmitter {
  webRequest = webRequest;
  protocol = protocolOfSession;
  check: CheckHandler = null;
  request: RequestHandler = null;
  spelling = true;

  setPermissionCheckHandler(handler: CheckHandler): void {
    this.check = handler;
  }
  setPermissionRequestHandler(handler: RequestHandler): void {
    this.request = handler;
  }
  setDevicePermissionHandler = (): void => undefined;
  setSpellCheckerEnabled(enabled: boolean): void {
    this.spelling = enabled;
    note('session.setSpellCheckerEnabled', enabled);
  }
  /** docs/api/session.md, resolveProxy: "resolves with the proxy information for url", as a PAC script answers. */
  resolveProxy = async (url: string): Promise<string> => {
    note('session.resolveProxy', url);
    return process.env['STAND_IN_PROXY'] ?? 'DIRECT';
  };
  availableSpellCheckerLanguages = ['en-GB', 'en-US', 'es', 'es-MX', 'fr', 'pl'];
  /** docs/api/session.md, setSpellCheckerLanguages: an unavailable language throws. */
  setSpellCheckerLanguages(languages: string[]): void {
    const unknown = languages.find((one) => !this.availableSpellCheckerLanguages.includes(one));
    if (unknown !== undefined) throw new Error(`Invalid language code provided: "${unknown}"`);
    note('session.setSpellCheckerLanguages', languages);
  }
}

const made = new StandInSession();

/** docs/api/session.md, will-download; docs/api/download-item.md: a person accepts the offered path or chooses another. */
answers.download = ({ filename, path }) => {
  let offered = '';
  const item = Object.assign(new EventEmitter(), {
    getFilename: () => filename,
    setSaveDialogOptions: ({ defaultPath }: Electron.SaveDialogOptions) =>
      void (offered = defaultPath ?? ''),
    getSavePath: () => path,
  } satisfies Partial<Electron.DownloadItem>);
  made.emit('will-download', {}, item);
  item.emit('done', {}, 'completed');
  return offered;
};

const standIn = known('session', made);

/** The sessions that `session.fromPartition` gave out. */
export const partitions = new Set<unknown>();
/** docs/api/session.md: "When the `Session` with the same `partition` exists, it is returned"; without `persist:` it is in memory. */
const byName = new Map<string, object>();

export const session = known('session', {
  /** docs/api/session.md: "session can only be received when app is ready". */
  get defaultSession() {
    needReady('Session');
    return standIn;
  },
  fromPartition(partition: string, options: Electron.FromPartitionOptions): object {
    needReady('Session');
    const found = byName.get(partition) ?? known('session', {});
    if (!byName.has(partition)) note('session.fromPartition', { partition, ...options });
    byName.set(partition, found);
    partitions.add(found);
    return found;
  },
});

export const protocol = known('protocol', {
  /** docs/api/protocol.md: "can only be used before the ready event … and can be called only once". */
  registerSchemesAsPrivileged(schemesGiven: Electron.CustomScheme[]): void {
    needUnready('protocol.registerSchemesAsPrivileged');
    if (privileged.size > 0)
      throw new Error('protocol.registerSchemesAsPrivileged can be called only once');
    for (const { scheme, privileges = {} } of schemesGiven) privileged.set(scheme, privileges);
    note('protocol.registerSchemesAsPrivileged', schemesGiven);
  },
} satisfies Pick<Electron.Protocol, 'registerSchemesAsPrivileged'>);

const bodiless = new Set([101, 204, 205, 304]);
answers.protocol = async ({ url, method, headers }) => {
  const scheme = new URL(url).protocol.slice(0, -1);
  const handler = schemes.get(scheme);
  // Chromium: ERR_UNKNOWN_URL_SCHEME; IndexedDB, fetch and module scripts need these three (docs/api/structures/custom-scheme.md).
  const { standard, secure, supportFetchAPI } = privileged.get(scheme) ?? {};
  if (handler === undefined || !standard || !secure || !supportFetchAPI) return null;
  const answer = await handler(new Request(url, { method, headers: { ...headers } }));
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: bodiless.has(answer.status) ? null : new Uint8Array(await answer.arrayBuffer()),
  };
};

/**
 * docs/api/session.md, setPermissionRequestHandler: "Most web APIs do a permission check and then make a permission request if
 * the check is denied." Without a handler Electron grants the permission.
 */
const decide = (
  contents: Electron.WebContents,
  permission: Permission,
  media: 'video' | 'audio' | undefined,
): Promise<boolean> => {
  const page = 'app://spotter/index.html';
  // shell/browser/electron_permission_manager.cc: the URL of the origin, with its slash.
  const origin = 'app://spotter/';
  const { check, request } = made;
  const checked =
    check === null ||
    check(contents, permission, origin, {
      isMainFrame: true,
      requestingUrl: page,
      securityOrigin: origin,
      ...(media === undefined ? {} : { mediaType: media }),
    });
  if (checked || request === null) return Promise.resolve(checked || request === null);
  return new Promise((resolve) =>
    request(contents, permission, resolve, {
      isMainFrame: true,
      requestingUrl: page,
      ...(media === undefined ? {} : { securityOrigin: origin, mediaTypes: [media] }),
    } as Electron.PermissionRequest),
  );
};

/**
 * electron.d.ts, setPermissionCheckHandler: "`isMainFrame` will always be `false` for a `fileSystem` request as a result of Chromium
 * limitations"; shell/browser/file_system_access/file_system_access_permission_context.cc, GetStatus: no web contents either. A request has
 * its frame.
 */
answers.fileAccess = async ({ access: fileAccessType }) => {
  const { check, request } = made;
  const details = { isMainFrame: false, isDirectory: true, fileAccessType };
  if (check !== null && !check(null, 'fileSystem', 'app://spotter/', details)) return 'denied';
  if (request === null) return 'granted';
  const asked = {
    isMainFrame: true,
    requestingUrl: 'app://spotter/index.html',
    isDirectory: true,
    fileAccessType,
  };
  return new Promise((resolve) =>
    request(
      {} as Electron.WebContents,
      'fileSystem',
      (yes) => resolve(yes ? 'granted' : 'denied'),
      asked,
    ),
  );
};

/** Chromium's permission names (CDP Browser.PermissionDescriptor), and what Electron passes to its handlers for each. */
const asked: Readonly<Record<string, readonly [Permission, ('video' | 'audio')?]>> = {
  camera: ['media', 'video'],
  microphone: ['media', 'audio'],
  'clipboard-write': ['clipboard-sanitized-write'],
  'clipboard-read': ['clipboard-read'],
  notifications: ['notifications'],
  geolocation: ['geolocation'],
  'persistent-storage': ['persistent-storage'],
  'screen-wake-lock': ['screen-wake-lock'],
  'local-fonts': ['local-fonts'],
  'window-management': ['window-management'],
  midi: ['midi'],
};

/** Chromium's settings before the page loads, so that a refusal is a real one. */
export const permissionsOf = async (contents: Electron.WebContents): Promise<Permissions> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(asked).map(async ([name, [permission, media]]) => [
        name,
        (await decide(contents, permission, media)) ? 'granted' : 'denied',
      ]),
    ),
  ) as Permissions;
