/**
 * What the shell was started with. Chromium's own switches come along in argv: what is not ours is passed over. A data folder is one
 * per system whatever started the shell: what README's table says, and never a roaming profile.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import envPaths from 'env-paths';
import { nearMissKey, type WindowAsk } from '../contract/asks.ts';

export interface Arguments {
  /** Absolute. */
  readonly data_dir: string;
  readonly server: string | null;
  /** A link that was pressed to start the app. */
  readonly ask: WindowAsk | null;
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

/** The last link among a program's arguments: how Windows and Linux hand one over. */
export const askOfArguments = (args: readonly string[]): WindowAsk | null =>
  args.map(askOfLink).findLast((ask) => ask !== null) ?? null;

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
    ask: askOfArguments(args),
    self_test:
      values['self-test'] === undefined ? null : resolve(cwd, text('self-test') ?? SELF_TEST_FILE),
  };
};
