/** Reads /proc for a process and its descendants: for tests of what command lines reveal and which process outlives which. */
import { readdirSync, readFileSync } from 'node:fs';

export interface Seen {
  readonly pid: number;
  readonly parent: number;
  /** Arguments, separated by spaces. */
  readonly command: string;
  readonly environment: string;
}

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // it ended meanwhile, or belongs to another user
  }
};

const all = (): Seen[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      // The name in parentheses may contain spaces, so fields are counted after it.
      const stat = read(`/proc/${name}/stat`);
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return {
        pid: Number(name),
        parent: fields[0] === 'Z' ? 0 : Number(fields[1] ?? 0),
        command: read(`/proc/${name}/cmdline`).replaceAll('\0', ' '),
        environment: read(`/proc/${name}/environ`),
      };
    });

/** The living descendants of a process. */
export const descendants = (pid: number): Seen[] => {
  const seen = all();
  const found = new Map<number, Seen>();
  let ring = [pid];
  while (ring.length > 0) {
    const next = seen.filter(({ parent, pid: own }) => ring.includes(parent) && !found.has(own));
    for (const one of next) found.set(one.pid, one);
    ring = next.map((one) => one.pid);
  }
  return [...found.values()];
};

/** The processes that still run; zombies do not count. */
export const alive = (pids: readonly number[]): number[] => {
  const living = new Set(
    all()
      .filter(({ parent }) => parent !== 0)
      .map(({ pid }) => pid),
  );
  return pids.filter((pid) => living.has(pid));
};
