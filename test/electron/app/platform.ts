/**
 * The platform that the app believes to run on (`STAND_IN_PLATFORM`), and what Electron offers there: `electron.d.ts` marks
 * platform-specific methods and events with `@platform`. Tests set it to see the app's behaviour on another system; files,
 * processes and paths stay Linux's.
 */
import { readFileSync } from 'node:fs';

export const platform = process.platform;

/**
 * Maps members such as `App.setUserActivity` and `PowerMonitor#shutdown` to their platforms. Unmarked members exist everywhere.
 */
export const readMarks = (types: string): ReadonlyMap<string, readonly string[]> => {
  const marks = new Map<string, readonly string[]>();
  let owner = '';
  let marked: readonly string[] | null = null;
  for (const line of types.split('\n')) {
    owner = /^ {2}(?:class|interface) (\w+)/.exec(line)?.[1] ?? owner;
    const found = /^ {5}\* @platform ([\w,]+)/.exec(line)?.[1];
    if (found !== undefined) marked = found.replace('mas', 'darwin').split(',');
    if (/^\s+(?:\*|\/\*\*)/.test(line)) continue;
    const event = /^ {4}on\(event: '([\w-]+)'/.exec(line)?.[1];
    const member = /^ {4}(?:static |readonly )*(\w+)[(?:<]/.exec(line)?.[1];
    const name = event === undefined ? `${owner}.${member}` : `${owner}#${event}`;
    if (
      marked !== null &&
      (event !== undefined || !/^(?:on|off|once|(?:add|remove)Listener)$/.test(member ?? 'on'))
    )
      marks.set(name, marked);
    marked = null;
  }
  return marks;
};

const types = new URL('../../../node_modules/electron/electron.d.ts', import.meta.url);
const marks = readMarks(readFileSync(types, 'utf8'));

/** Marks that are too narrow: shell/browser/browser_win.cc, Browser::SetBadgeCount, also draws it on Windows. */
const everywhere = new Set(['App.setBadgeCount', 'App.badgeCount']);

/** @param name module or class, such as `app` or `session.protocol` @param part `.method` or `#event` */
export const isHere = (name: string, part: string): boolean => {
  const last = name.split('.').at(-1) ?? '';
  const full = `${last.charAt(0).toUpperCase()}${last.slice(1)}${part}`;
  return everywhere.has(full) || (marks.get(full)?.includes(platform) ?? true);
};

/** Throws for a system event that Electron does not emit on this platform, because the app could never receive it. */
export const needEvent = (name: string, event: string): void => {
  if (!isHere(name, `#${event}`))
    throw new Error(`electron: ${name} has no event ${event} on ${platform} (electron.d.ts)`);
};
