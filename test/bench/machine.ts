/**
 * The machine's part of every comparison: cores to pin to, figures of /proc, alternating rounds, medians, and the results
 * folder. Other load (CPU time of other processes, interrupts and the hypervisor) is measured with each round and printed; no
 * round is discarded because of its result.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');
/** Ignored by git. `BENCH_RESULTS`: another folder, for a short form with meaningless figures. */
export const results = process.env['BENCH_RESULTS'] ?? join(root, 'out/bench');
mkdirSync(results, { recursive: true });

const has = (command: string): boolean => {
  try {
    execFileSync('which', [command], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const canPin = process.platform === 'linux' && availableParallelism() > 1 && has('taskset');

/** A command line pinned to one core, if the machine supports it. */
export const pinned = (core: 0 | 1, command: string, args: readonly string[]) =>
  canPin
    ? { command: 'taskset', args: ['-c', String(core), command, ...args] }
    : { command, args: [...args] };

/** Pins this process and all its later children. */
export const pinSelf = (core: 0 | 1): void => {
  if (canPin)
    execFileSync('taskset', ['-cp', String(core), String(process.pid)], { stdio: 'ignore' });
};

export const machine = (): string =>
  `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, ${canPin ? 'clients on core 0, servers on core 1' : 'not pinned'}`;

const stat = (pid: number): string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
};

/** A process's CPU time in seconds and resident memory in MB; zero without /proc. */
export const usage = (pid: number): { readonly cpu_s: number; readonly rss_mb: number } => {
  try {
    const fields = stat(pid);
    const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
    return {
      cpu_s: (Number(fields[11]) + Number(fields[12])) / 100,
      rss_mb: Math.round(Number(rss) / 1024),
    };
  } catch {
    return { cpu_s: 0, rss_mb: 0 };
  }
};

/** A process's command line; empty without /proc or without such a process. */
export const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
};

/** All descendants of this process. */
export const descendants = (pid: number): number[] => {
  const parents = new Map<number, number>();
  try {
    for (const name of readdirSync('/proc'))
      if (/^\d+$/.test(name)) {
        try {
          parents.set(Number(name), Number(stat(Number(name))[1]));
        } catch {
          // It ended meanwhile.
        }
      }
  } catch {
    return [];
  }
  const found: number[] = [];
  const under = (parent: number): void => {
    for (const [child, of] of parents)
      if (of === parent) {
        found.push(child);
        under(child);
      }
  };
  under(pid);
  return found;
};

const busyTicks = (): number => {
  try {
    const fields =
      readFileSync('/proc/stat', 'utf8').split('\n')[0]?.trim().split(/\s+/).slice(1) ?? [];
    // Everything except idle and waiting for a disk; user time already contains guest time.
    return fields
      .slice(0, 8)
      .reduce((sum, ticks, at) => sum + (at === 3 || at === 4 ? 0 : Number(ticks)), 0);
  } catch {
    return 0;
  }
};

/** CPU time of a process and its ended children, seconds. */
const spentBy = (pid: number): number => {
  try {
    return stat(pid)
      .slice(11, 15)
      .reduce((sum, ticks) => sum + Number(ticks) / 100, 0);
  } catch {
    return 0;
  }
};

/** Number of cores that other processes kept busy while `work` ran (0.5: half a core). */
export const withNoise = async <T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly noise: number }> => {
  const own = () =>
    [process.pid, ...descendants(process.pid)].reduce((sum, pid) => sum + spentBy(pid), 0);
  const [before, mine, began] = [busyTicks(), own(), performance.now()];
  const value = await work();
  const seconds = (performance.now() - began) / 1000;
  const other = (busyTicks() - before) / 100 - (own() - mine);
  return { value, noise: Math.max(0, Math.round((other / seconds) * 100) / 100) };
};

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = 0, high = 0] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 === 1 ? high : (low + high) / 2;
};

export interface Side {
  readonly name: string;
  /** Runs one round; returns units per second. */
  round(index: number): Promise<number>;
}

/** Alternates rounds, A B C A B C; prints medians with their range and the ratio of the first side to each other. */
export const compare = async (
  name: string,
  unit: string,
  rounds: number,
  sides: readonly Side[],
): Promise<void> => {
  const figures = new Map(
    sides.map((side) => [side.name, [] as { value: number; noise: number }[]]),
  );
  for (let index = 0; index < rounds; index += 1)
    for (const side of sides) {
      const round = await withNoise(() => side.round(index));
      figures.get(side.name)?.push(round);
      console.log(
        `  round ${index + 1}  ${side.name.padEnd(40)} ${round.value.toFixed(0).padStart(7)} ${unit}  (other load: ${round.noise} cores)`,
      );
    }
  const rows = sides.map((side) => {
    const values = (figures.get(side.name) ?? []).map(({ value }) => value);
    return {
      name: side.name,
      median: median(values),
      min: Math.min(...values),
      max: Math.max(...values),
    };
  });
  const first = rows[0]?.median ?? 0;
  console.log(`${name}: ${machine()}`);
  for (const row of rows)
    console.log(
      `  ${row.name.padEnd(48)} ${row.median.toFixed(0)} ${unit} (${row.min.toFixed(0)}-${row.max.toFixed(0)})` +
        (row === rows[0] ? '' : `   ours is ${(first / row.median).toFixed(2)} x`),
    );
  keep(name, { machine: machine(), unit, rounds, rows, figures: Object.fromEntries(figures) });
};

export const keep = (name: string, figures: object): void => {
  const path = join(results, `${name}.json`);
  writeFileSync(path, `${JSON.stringify({ at: new Date().toISOString(), ...figures }, null, 2)}\n`);
  console.log(`  written to ${path}`);
};
