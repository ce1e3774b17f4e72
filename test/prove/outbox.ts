/**
 * The outbox's promises over seeded runs: real Chromium, real host, real service, a faulty network, and SIGKILL at named
 * points. `npm run prove -- outbox --seed N` replays one seed and prints its script.
 */
import { join } from 'node:path';
import { bringWindow } from '../../src/setup/window/window.ts';
import { descendants } from '../support/processes.ts';
import { startServer } from '../support/server.ts';
import { tempDir } from '../support/service.ts';
import { buildDriver, createBrowser } from './outbox/machine.ts';
import type { Bench } from './outbox/laptop.ts';
import { runSeed, type RunReport } from './outbox/run-seed.ts';
import { scriptOf } from './outbox/script.ts';
import { commitFigures, commitNow, keep, seriesFigures } from './outbox/tally.ts';
import type { Case } from './run.ts';

const RUNS = Number(process.env['SPOTTER_OUTBOX_RUNS'] ?? 1_000);
const WORKERS = Number(process.env['SPOTTER_OUTBOX_WORKERS'] ?? 2);
/** Runs per service folder, because photos accumulate. */
const SERVICE_RUNS = 40;

const print = (text: string): void => console.log(text);

let asked_to_end = false;

/** Plays seeds in sequence on a dedicated browser and service, until none is left. */
const work = async (
  files: Pick<Bench, 'driver_files' | 'window_files'>,
  next: () => number | null,
  tell: (report: RunReport) => void,
  say?: (text: string) => void,
): Promise<void> => {
  let browser = createBrowser();
  let server = await startServer();
  try {
    let runs = 0;
    /** The state of a failed run must not affect the next. */
    let failed = false;
    for (let seed = next(); seed !== null; seed = next()) {
      runs += 1;
      if (runs % SERVICE_RUNS === 0 || failed) {
        await server.remove();
        server = await startServer();
      }
      if (failed) {
        await browser.end();
        browser = createBrowser();
      }
      const bench = { server, browser, ...files };
      const report = await runSeed(seed, bench, say);
      failed = report.failures.length > 0;
      // Ctrl+C also reaches hosts and services, so a run it interrupted counts for nothing.
      if (!(failed && asked_to_end)) tell(report);
    }
  } finally {
    await browser.end();
    await server.remove();
  }
};

/** Hosts and services start hundreds of times, so share a compile cache. */
const keepCompiled = async (folder: string): Promise<void> => {
  process.env['NODE_COMPILE_CACHE'] = folder;
  const first = await startServer();
  await first.stop('SIGTERM');
  await first.remove();
};

const listing = (seed: number): string => {
  const { steps, faults, kills } = scriptOf(seed);
  return [...steps, ...faults, ...kills].map((one) => `  ${JSON.stringify(one)}`).join('\n');
};

/** Kills all child processes at exit. The first Ctrl+C lets running seeds finish and counts them; the second ends at once. */
const endChildren = (): void => {
  process.once('exit', () => {
    for (const { pid } of descendants(process.pid)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended meanwhile.
      }
    }
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (asked_to_end) process.exit(1);
      asked_to_end = true;
    });
};

export const playSeeds = async (
  first: number,
  count: number,
  workers: number,
  say?: (text: string) => void,
  onReport: (report: RunReport) => void = () => undefined,
): Promise<readonly RunReport[]> => {
  const folder = tempDir('prove-driver');
  const reports: RunReport[] = [];
  try {
    const root = join(import.meta.dirname, '../..');
    await bringWindow(root, print);
    const files = {
      driver_files: await buildDriver(join(folder.path, 'window')),
      window_files: join(root, 'out/renderer'),
    };
    await keepCompiled(join(folder.path, 'compiled'));
    let at = first;
    const next = (): number | null => (at < first + count && !asked_to_end ? at++ : null);
    const tell = (report: RunReport): void => {
      reports.push(report);
      onReport(report);
      if (report.failures.length > 0)
        print(`seed ${report.seed} failed: ${report.failures.join('; ')}\n${listing(report.seed)}`);
      else if (reports.length % 10 === 0) print(`${reports.length} runs …`);
    };
    await Promise.all(
      Array.from({ length: Math.min(workers, count) }, () => work(files, next, tell, say)),
    );
  } finally {
    folder.remove();
  }
  return reports;
};

export const outbox: Case = {
  name: 'outbox',
  title: 'outbox: SIGKILL and faults at named points',
  run: async (seed, replay, share) => {
    const count = replay ? 1 : Math.max(1, Math.round(RUNS * share));
    endChildren();
    if (replay) print(listing(seed));
    const commit = commitNow();
    const reports = replay
      ? await playSeeds(seed, count, WORKERS, print)
      : await playSeeds(seed, count, WORKERS, undefined, (report) => keep(commit, report));
    print(seriesFigures(reports));
    if (!replay) print(commitFigures(commit));
    return {
      runs: reports.length,
      failures: reports.flatMap(({ seed: one, failures }) =>
        failures.length === 0
          ? []
          : [
              `seed ${one} (npm run prove -- outbox --seed ${one}): ${failures.join('; ').slice(0, 600)}`,
            ],
      ),
    };
  },
};
