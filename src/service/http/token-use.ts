/**
 * Records when each token was last used, for the lists of tokens (decisions §12.6). Requests only note the token in memory: the
 * notes are written together once a minute, so that no request waits for a write. A stop drops the last minute's: another process
 * may hold the database for long.
 */
import type { App } from '../app.ts';
import { markUsed } from '../store/access/tokens.ts';

export interface TokenUse {
  note(token_hash: string, now: number): void;
  stop(): void;
}

export const trackTokenUse = ({
  store,
  log,
  options,
}: Pick<App, 'store' | 'log' | 'options'>): TokenUse => {
  let used = new Map<string, number>();
  const write = (): void => {
    if (used.size === 0) return;
    const hashes = [...used.keys()];
    const latest = Math.max(...used.values());
    used = new Map();
    store
      .write((tx) => markUsed(tx, hashes, latest))
      // The next minute's note replaces a lost one.
      .catch((error: unknown) => log.warn({ err: error }, 'the use of tokens was not recorded'));
  };
  const timer = setInterval(write, options['token-use-interval']).unref();
  return {
    note: (token_hash, now) => void used.set(token_hash, now),
    stop: () => clearInterval(timer),
  };
};
