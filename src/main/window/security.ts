/**
 * Decides what a window may do: Electron's security checklist as data and functions. They use slices of Electron's types, so
 * that a test checks them without Electron; index.ts and window.ts wire them in. Anything not explicitly allowed is refused.
 */
import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { WebPreferences } from 'electron';
import { linkSchema } from '../../contract/text/rich-text.ts';
import { windowHeaders } from '../../contract/window-policy.ts';

export const SCHEME = 'app';
/** The only origin of every window. A standard, secure scheme gives it IndexedDB, Web Locks and a real origin. */
export const ORIGIN = `${SCHEME}://spotter`;

/** Preferences of every window (checklist 2-8, 12, 20). window.ts adds `preload`. */
export const webPreferences = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  enableWebSQL: false,
  // The window sends the queue, so Chromium must not throttle it behind other windows.
  backgroundThrottling: false,
} as const satisfies WebPreferences;

/** Privileges of `app://`, which replaces the file scheme (checklist 18). */
export const schemePrivileges = {
  standard: true,
  secure: true,
  supportFetchAPI: true,
  codeCache: true,
  bypassCSP: false,
  allowServiceWorkers: false,
  corsEnabled: false,
  stream: true,
} as const;

/** Checklist 13: the window never leaves its own origin. */
export const mayNavigate = (url: string): boolean => isOwn(url);

/** True for an address of the window itself. */
export const isOwn = (url: string): boolean => originOf(url) === ORIGIN;

/** Checklist 15: the system receives only URLs that are valid links in the window. */
export const mayOpenOutside = (url: string): boolean => linkSchema.safeParse(url).success;

/** The slice of an IPC event used to check its sender. */
export interface Sender {
  readonly senderFrame: { readonly url: string; readonly parent: unknown } | null;
}

/** Checklist 17: accepts only the main frame of our own origin. A frame that is gone or has no address is refused. */
export const mayCall = ({ senderFrame }: Sender): boolean =>
  senderFrame !== null &&
  senderFrame !== undefined &&
  senderFrame.parent === null &&
  typeof senderFrame.url === 'string' &&
  isOwn(senderFrame.url);

const originOf = (url: string): string | null => {
  if (!URL.canParse(url)) return null;
  const { protocol, host, username, password } = new URL(url);
  return username === '' && password === '' ? `${protocol}//${host}` : null;
};

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

/**
 * Returns the file for an `app://spotter/…` address. The file must be inside `root` after symbolic links are resolved, and of a
 * type that the window uses. Returns null otherwise.
 */
export const fileOf = async (
  root: string,
  url: string,
): Promise<{ readonly path: string; readonly type: string } | null> => {
  if (!isOwn(url)) return null;
  let name: string;
  try {
    name = decodeURIComponent(new URL(url).pathname);
  } catch {
    return null;
  }
  if (name.includes('\0') || name.includes('\\')) return null;
  const wanted = name === '/' ? 'index.html' : name.slice(1);
  const type = types[/\.[a-z0-9]+$/.exec(wanted)?.[0] ?? ''];
  if (type === undefined) return null;
  try {
    const inside = await realpath(root);
    const path = await realpath(join(inside, wanted));
    const way = relative(inside, path);
    if (way === '' || way.startsWith(`..${sep}`) || way === '..' || isAbsolute(way)) return null;
    return { path, type };
  } catch {
    return null;
  }
};

/** Headers of every `app://` response: the same policy as in the browser shell. */
export const answerHeaders = (type: string): Record<string, string> => ({
  ...windowHeaders,
  'content-type': type,
});
