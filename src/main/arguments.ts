/**
 * What the shell was started with. Chromium's own switches come along in argv: what is not ours is passed over. A data folder is one
 * per system whatever started the shell: what README's table says, and never a roaming profile.
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import envPaths from 'env-paths';
import { nearMissKey, type WindowAsk } from '../contract/asks.ts';

/** What the system hands over: a link of ours, or the absolute path of a file, which may be an export. */
export type Opened =
  | { readonly kind: 'link'; readonly ask: WindowAsk }
  | { readonly kind: 'file'; readonly path: string };

export interface Arguments {
  /** Absolute. */
  readonly data_dir: string;
  readonly server: string | null;
  /** A link or a file that was opened to start the app. */
  readonly opened: Opened | null;
  /** Absolute: the file that a self-test writes (self-test.ts); null in any other run. */
  readonly self_test: string | null;
}

const SELF_TEST_FILE = 'spotter-self-test.json';

const SCHEME = 'spotter:';

/** `spotter://new`, `spotter://near-misses/<key>`; anything else is nothing. */
export const askOfLink = (text: string): WindowAsk | null => {
  if (text.length > 500 || !URL.canParse(text)) return null;
  const { protocol, host, pathname, search, hash, username, password, port } = new URL(text);
  if (protocol !== SCHEME || `${search}${hash}${username}${password}${port}` !== '') return null;
  if (host === 'new' && ['', '/'].includes(pathname)) return { ask: 'show', place: 'new' };
  const key = host === 'near-misses' ? nearMissKey.safeParse(pathname.slice(1)) : undefined;
  return key?.success ? { ask: 'near_miss', key: key.data } : null;
};

/** A file's path from an argument: as a path, or as a `file:` address, which is how GNOME and KDE write it. */
const pathOf = (text: string, cwd: string): string | null => {
  // A letter and a colon are a drive of Windows.
  if (!/^[a-z][a-z\d+.-]+:/i.test(text)) return resolve(cwd, text);
  try {
    return fileURLToPath(text);
  } catch {
    // Of another scheme, or of another computer.
    return null;
  }
};

/** Only what is named as an export is: a switch or a folder is nothing to open. */
const fileOf = (text: string, cwd: string): Opened | null => {
  const path = text.startsWith('-') || text.length > 4096 ? null : pathOf(text, cwd);
  return path?.toLowerCase().endsWith('.zip') ? { kind: 'file', path } : null;
};

/** The last link or file among a program's arguments: how Windows and Linux hand one over. @param cwd where a relative path starts */
export const openedOfArguments = (args: readonly string[], cwd: string): Opened | null =>
  args
    .map((text): Opened | null => {
      const ask = askOfLink(text);
      return ask === null ? fileOf(text, cwd) : { kind: 'link', ask };
    })
    .findLast((opened) => opened !== null) ?? null;

/** @param cwd a relative folder starts from here */
export const readArguments = (argv: readonly string[], cwd: string): Arguments => {
  const args = argv.slice(1);
  const { values } = parseArgs({
    args,
    strict: false,
    options: {
      'data-dir': { type: 'string' },
      server: { type: 'string' },
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
    opened: openedOfArguments(args, cwd),
    self_test:
      values['self-test'] === undefined ? null : resolve(cwd, text('self-test') ?? SELF_TEST_FILE),
  };
};
