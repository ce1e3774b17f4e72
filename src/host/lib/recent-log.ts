/**
 * Keeps the host's latest warnings and errors for "Copy diagnostics": only the program's sentence and the system's code. Other
 * facts (a path, an address, an error's text) go only to the shell's log.
 */
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

export interface Said {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly level: 'warn' | 'error';
  readonly message: string;
  /** Such as `ENOSPC`; '' if there is none. */
  readonly code: string;
}

export interface RecentLog {
  readonly log: Log;
  said(): Said[];
}

const KEPT = 30;

/** Forwards every line to `log`, keeps the latest warnings and errors, and passes them to `write` (log-file.ts). */
export const keepRecent = (
  log: Log,
  clock: Pick<Clock, 'now'>,
  write: (said: Said) => void = () => undefined,
): RecentLog => {
  const kept: Said[] = [];
  return {
    log: (line) => {
      log(line);
      if (line.level === 'info') return;
      const { level, message } = line;
      const code = line['code'];
      const said = { at: clock.now(), level, message, code: typeof code === 'string' ? code : '' };
      kept.push(said);
      write(said);
      if (kept.length > KEPT) kept.shift();
    },
    said: () => [...kept],
  };
};
