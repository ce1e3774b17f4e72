/**
 * Parses the shell's command line. Unknown switches are ignored, because Chromium's own switches share argv. The default data
 * folder is the same for every shell (src/setup/commands.md) and never lies in a roaming profile.
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import envPaths from 'env-paths';
import { nearMissKey, type WindowAsk } from '../contract/asks.ts';

/** An object to open, handed over by the system: a `spotter://` link, or a file (an absolute path), which may be an export. */
export type Opened =
  | { readonly kind: 'link'; readonly ask: WindowAsk }
  | { readonly kind: 'file'; readonly path: string };

export interface Arguments {
  /** Absolute path. */
  readonly data_dir: string;
  readonly server: string | null;
  /** Starts without showing the window, as the system does after its user signs in. */
  readonly hidden: boolean;
  /** The link or file that started the app. */
  readonly opened: Opened | null;
  /** Absolute path of the report that a self-test writes (self-test.ts); null in any other run. */
  readonly self_test: string | null;
}

const SELF_TEST_FILE = 'spotter-self-test.json';

const SCHEME = 'spotter:';

/** Accepts `spotter://new` and `spotter://near-misses/<key>`; returns null for any other text. */
export const askOfLink = (text: string): WindowAsk | null => {
  if (text.length > 500 || !URL.canParse(text)) return null;
  const { protocol, host, pathname, search, hash, username, password, port } = new URL(text);
  if (protocol !== SCHEME || `${search}${hash}${username}${password}${port}` !== '') return null;
  if (host === 'new' && ['', '/'].includes(pathname)) return { ask: 'show', place: 'new' };
  const key = host === 'near-misses' ? nearMissKey.safeParse(pathname.slice(1)) : undefined;
  return key?.success ? { ask: 'near_miss', key: key.data } : null;
};

/** Resolves a file argument, given as a path or, by GNOME and KDE, as a `file:` URL. */
const pathOf = (text: string, cwd: string): string | null => {
  // Two letters or more before the colon, because `C:` is a Windows drive.
  if (!/^[a-z][a-z\d+.-]+:/i.test(text)) return resolve(cwd, text);
  try {
    return fileURLToPath(text);
  } catch {
    // Another scheme, or a file on another computer.
    return null;
  }
};

/** Only a `.zip` can be an export; switches and folders are ignored. */
const fileOf = (text: string, cwd: string): Opened | null => {
  const path = text.startsWith('-') || text.length > 4096 ? null : pathOf(text, cwd);
  return path?.toLowerCase().endsWith('.zip') ? { kind: 'file', path } : null;
};

/**
 * Finds the last link or file among the arguments. Windows and Linux hand a link or file over this way.
 * @param cwd base of relative paths
 */
export const openedOfArguments = (args: readonly string[], cwd: string): Opened | null =>
  args
    .map((text): Opened | null => {
      const ask = askOfLink(text);
      return ask === null ? fileOf(text, cwd) : { kind: 'link', ask };
    })
    .findLast((opened) => opened !== null) ?? null;

/** @param cwd base of a relative folder */
export const readArguments = (argv: readonly string[], cwd: string): Arguments => {
  const args = argv.slice(1);
  const { values } = parseArgs({
    args,
    strict: false,
    options: {
      'data-dir': { type: 'string' },
      server: { type: 'string' },
      hidden: { type: 'boolean' },
      'self-test': { type: 'string' },
    },
  });
  const text = (name: keyof typeof values): string | null => {
    const value = values[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  return {
    data_dir: resolve(cwd, text('data-dir') ?? envPaths('spotter', { suffix: '' }).data),
    server: text('server'),
    hidden: values.hidden === true,
    opened: openedOfArguments(args, cwd),
    self_test:
      values['self-test'] === undefined ? null : resolve(cwd, text('self-test') ?? SELF_TEST_FILE),
  };
};
