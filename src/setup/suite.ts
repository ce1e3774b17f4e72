/**
 * `npm test` proves the product; `npm run test:all` proves everything (`--rest`: only the steps that `npm test` leaves out;
 * `--shard i/n`: a part of those). A step takes two cores, so as many run at once as there are pairs of cores. All steps run, so that
 * one failing test does not hide another. Ends with a table of wall and processor time, the names of failed tests, and one line
 * `N passed, N failed`, counted from the runners' reports.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run as prepare } from './prepare.ts';
import { bringShell } from './shell.ts';
import { runNamed } from './system.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const results = join(root, 'test-results');
const VITEST = join(root, 'node_modules/vitest/vitest.mjs');
const PLAYWRIGHT = join(root, 'node_modules/playwright/cli.js');
const RUN = join(root, 'src/setup/run.js');

interface Count {
  readonly passed: number;
  readonly failed: number;
  /** `file › test` of each failed test. */
  readonly names: readonly string[];
}

/** A missing report counts as one failure: the runner failed before its first test. */
const countOf = (file: string, read: (report: unknown) => Count): Count => {
  try {
    return read(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return { passed: 0, failed: 1, names: [`no report in ${relative(root, file)}`] };
  }
};

const fromVitest = (report: unknown): Count => {
  const { numPassedTests, numFailedTests, success, testResults } = report as {
    numPassedTests: number;
    numFailedTests: number;
    success: boolean;
    testResults: {
      name: string;
      status: string;
      assertionResults: { status: string; fullName: string }[];
    }[];
  };
  const names = testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(root, name);
    const told = assertionResults
      .filter((one) => one.status === 'failed')
      .map(({ fullName }) => `${file} › ${fullName}`);
    // A file that could not be loaded has no failed test, so its name stands in.
    const whole = status === 'failed' && !assertionResults.some((one) => one.status === 'failed');
    return whole ? [file, ...told] : told;
  });
  return { passed: numPassedTests, failed: Math.max(numFailedTests, success ? 0 : 1), names };
};

interface PlaywrightSuite {
  readonly specs?: readonly {
    readonly title: string;
    readonly file: string;
    readonly tests: readonly { readonly status: string }[];
  }[];
  readonly suites?: readonly PlaywrightSuite[];
}

const namesOf = ({ specs = [], suites = [] }: PlaywrightSuite): string[] => [
  ...specs.flatMap(({ title, file, tests }) => {
    const failed = tests.some(({ status }) => status === 'unexpected' || status === 'flaky');
    return failed ? [`${file} › ${title}`] : [];
  }),
  ...suites.flatMap(namesOf),
];

const fromPlaywright = (report: unknown): Count => {
  const { stats, errors, suites } = report as PlaywrightSuite & {
    stats: { expected: number; flaky: number; unexpected: number };
    errors: unknown[];
  };
  return {
    passed: stats.expected,
    failed: Math.max(stats.unexpected + stats.flaky, errors.length > 0 ? 1 : 0),
    names: (suites ?? []).flatMap(namesOf),
  };
};

interface Step {
  readonly title: string;
  /**
   * Minimum number of passed tests. It detects a step that found nothing to run and is low, because some systems skip many
   * tests.
   */
  readonly floor: number;
  /** Typical duration in seconds on two cores. */
  readonly usual: number;
  /** Runs the step and returns its exit status. */
  readonly run: (name: string) => Promise<number>;
  /** Counts the results after the run, given its exit status. */
  readonly count: (name: string, status: number) => Count;
}

const reportOf = (name: string): string => join(results, `${name}.json`);

const vitest = (
  title: string,
  [floor, usual]: readonly [number, number],
  project: string,
  tier: 'main' | 'rest',
  args: readonly string[] = [],
): Step => ({
  title,
  floor,
  usual,
  count: (name) => countOf(reportOf(name), fromVitest),
  run: (name) => {
    const words = [
      VITEST,
      'run',
      '--config=test/vitest.config.ts',
      // Node reads the configuration unbundled, which saves each runner a second.
      '--configLoader=native',
      `--project=${project}`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reportOf(name)}`,
      ...(tier === 'main' ? ['--tagsFilter=!slow'] : []),
      ...args,
    ];
    return runNamed(name, process.execPath, words, { ...process.env, SPOTTER_TIER: tier });
  },
});

const playwright = (
  title: string,
  [floor, usual]: readonly [number, number],
  project: string,
  args: readonly string[],
): Step => ({
  title,
  floor,
  usual,
  count: (name) => countOf(reportOf(name), fromPlaywright),
  run: (name) =>
    runNamed(
      name,
      process.execPath,
      [
        PLAYWRIGHT,
        'test',
        '--config=test/playwright.config.ts',
        `--project=${project}`,
        // Playwright empties its output folder, so every step has a separate one.
        `--output=${join(results, name)}`,
        ...args,
      ],
      { ...process.env, SPOTTER_E2E_REPORT: reportOf(name) },
    ),
});

const check = (usual: number, names: readonly string[]): Step => ({
  title: 'check',
  floor: 0,
  usual,
  count: (_name, status) => ({ passed: 0, failed: status === 0 ? 0 : 1, names: [] }),
  run: (name) => runNamed(name, process.execPath, [RUN, 'check', ...names]),
});

/** Files with a journey of `npm test`: Playwright reads no others, which saves each runner some seconds. */
const mainJourneys = (): string[] => {
  const folder = join(root, 'test/e2e');
  const names = readdirSync(folder).filter((name) => name.endsWith('.spec.ts'));
  return names.filter((name) => readFileSync(join(folder, name), 'utf8').includes('@main'));
};

/** Steps of `npm test`. */
const mainSteps: readonly Step[] = [
  playwright('journeys', [6, 120], 'browser', ['--grep=@main', ...mainJourneys()]),
  check(55, ['types', 'svelte', 'walls']),
  vitest('window', [600, 190], 'renderer', 'main'),
  vitest('service', [900, 90], 'service', 'main'),
  vitest('unit', [700, 55], 'unit', 'main'),
  playwright('stand-in', [2, 50], 'stand-in-main', mainJourneys()),
  vitest('postgres', [50, 20], 'service-postgres', 'main'),
];

/** Steps that `npm run test:all` adds. */
const restSteps = (shard: string | undefined): readonly Step[] => {
  const part = shard === undefined ? [] : [`--shard=${shard}`];
  const floor = (whole: number): number => (shard === undefined ? whole : 1);
  const shuffled = ['--sequence.shuffle.files', `--sequence.seed=${Date.now() % 100_000}`];
  return [
    playwright('all journeys', [floor(80), 3_200], 'browser', ['--grep-invert=@main', ...part]),
    vitest('long window', [floor(60), 860], 'renderer', 'rest', [...shuffled, ...part]),
    vitest('long service', [floor(100), 1_100], 'service', 'rest', part),
    vitest('all postgres', [floor(300), 1_300], 'service-postgres', 'rest', part),
    vitest('long unit', [floor(30), 320], 'unit', 'rest', part),
    playwright('all stand-in', [floor(30), 1_000], 'stand-in-proof', [
      '--grep-invert=@main',
      ...part,
    ]),
    ...(shard === undefined || shard.startsWith('1/')
      ? [check(175, ['format', 'lint', 'unused', 'licences'])]
      : []),
  ];
};

/** Returns a sentence when fewer tests passed than the floor, null otherwise. */
export const tooFew = (title: string, passed: number, floor: number): string | null =>
  passed < floor ? `${title}: only ${passed} tests passed, of at least ${floor}` : null;

/**
 * Steps at once. Each uses two workers and their child processes: on two cores, two steps at once took 10.6 minutes, one
 * after the other 9.6.
 */
const LANES = Math.max(1, Math.floor(availableParallelism() / 2));

/**
 * Processor seconds of all awaited child processes so far; 0 where the system does not report them. The difference between two
 * readings belongs to the steps that ended in between.
 */
const childSeconds = (): number => {
  if (process.platform !== 'linux') return 0;
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
  const TICKS = 100;
  return (Number(fields[13]) + Number(fields[14])) / TICKS;
};

interface Total {
  passed: number;
  failed: number;
}

interface Ran {
  readonly title: string;
  readonly wall: number;
  readonly cpu: number;
  readonly count: Count;
  readonly failed: boolean;
}

const minutes = (seconds: number): string => `${(seconds / 60).toFixed(1)} min`;

const runStep = async (step: Step, at: string): Promise<Ran> => {
  const name = step.title.replaceAll(' ', '-');
  console.log(`${at}: ${step.title} begins (${minutes(step.usual)} as a rule)`);
  const began = performance.now();
  const status = await step.run(name);
  const wall = (performance.now() - began) / 1_000;
  const { passed, failed: tests, names } = step.count(name, status);
  // An error outside every test counts as one failure.
  const few = tooFew(step.title, passed, step.floor);
  const failed = status === 0 && few === null ? tests : Math.max(tests, 1);
  console.log(`${at}: ${step.title} ${failed === 0 ? 'passed' : 'FAILED'} (${minutes(wall)})`);
  return {
    title: step.title,
    wall,
    cpu: childSeconds(),
    count: { passed, failed, names: few === null ? names : [few, ...names] },
    failed: failed > 0,
  };
};

/** Runs the steps, two at a time. `cpu` of a step is the processor time since the previous step ended. */
const runSteps = async (steps: readonly Step[]): Promise<readonly Ran[]> => {
  const waiting = [...steps.entries()];
  const ran: Ran[] = [];
  let spent = childSeconds();
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, step] = next;
      const one = await runStep(step, `Step ${index + 1} of ${steps.length}`);
      ran.push({ ...one, cpu: one.cpu - spent });
      spent = one.cpu;
    }
  };
  await Promise.all(Array.from({ length: LANES }, work));
  return ran;
};

const COUNTS = join(results, 'counts.json');

/** Number of tests that the last `npm test` of this checkout passed; 0 without one. */
const passedBefore = (): number => {
  try {
    return (JSON.parse(readFileSync(COUNTS, 'utf8')) as { readonly passed: number }).passed;
  } catch {
    return 0;
  }
};

const emptyResults = (except: readonly string[]): void => {
  mkdirSync(results, { recursive: true });
  for (const name of readdirSync(results).filter((one) => !except.includes(one)))
    rmSync(join(results, name), { recursive: true, force: true });
};

const shardOf = (args: readonly string[]): string | undefined =>
  args.flatMap((arg, at) => {
    if (arg === '--shard') return args[at + 1] ?? [];
    return arg.startsWith('--shard=') ? arg.slice('--shard='.length) : [];
  })[0];

const report = (ran: readonly Ran[], total: Total): void => {
  for (const { title, wall, cpu, count } of ran)
    console.log(
      `${title.padEnd(14)} ${minutes(wall).padStart(9)} ${`${cpu.toFixed(0)} CPU s`.padStart(11)} ${String(count.passed).padStart(6)} passed`,
    );
  for (const name of ran.flatMap(({ count }) => count.names)) console.error(`- ${name}`);
  const failed = ran.filter((one) => one.failed).map(({ title }) => title);
  if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
};

/** @param args `--all`, `--rest`, `--shard i/n` */
export const run = async (args: readonly string[] = []): Promise<number> => {
  const rest = args.includes('--rest');
  const shard = shardOf(args);
  const before = rest ? passedBefore() : 0;
  emptyResults(rest ? ['counts.json'] : []);
  process.chdir(root);
  const prepared = await prepare();
  if (prepared !== 0) return prepared;
  const more = rest || args.includes('--all') ? restSteps(shard) : [];
  const steps = [...(rest ? [] : mainSteps), ...more];
  // Built once for all steps: the end-to-end tests open this window, and test/setup/shell.test.ts checks all three parts.
  const built = await bringShell(root, (text) => console.log(text));
  const ran = await runSteps(steps);
  const total: Total = { passed: before, failed: built ? 0 : 1 };
  for (const { count } of ran) {
    total.passed += count.passed;
    total.failed += count.failed;
  }
  // Only `npm test` writes the count; each later `--rest` adds its result to this number.
  if (more.length === 0) writeFileSync(COUNTS, JSON.stringify({ passed: total.passed }));
  report(ran, total);
  return total.failed > 0 ? 1 : 0;
};
