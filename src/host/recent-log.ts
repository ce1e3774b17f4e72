/**
 * The newest warnings and errors of the host, for "Copy diagnostics": the program's own sentence and the system's code. Every
 * other fact of a line (a path, an address, an error's text) stays with the shell that prints it.
 */
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

export interface Said {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly level: 'warn' | 'error';
  readonly message: string;
  /** `ENOSPC`, or nothing. */
  readonly code: string;
}

export interface RecentLog {
  readonly log: Log;
  said(): Said[];
}

const KEPT = 30;

/** Hands every line on to `log`, keeps the newest, and gives each that is kept to `write` (log-file.ts). */
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
