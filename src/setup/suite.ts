/**
 * `npm test`: the checks and the suites, two at a time, because a test waits as much as it computes. All of them run, so that
 * one broken test does not hide another; one that failed decides the status. Ends with what failed, by name, so that the end
 * of a log is enough to know it, and one line, `N passed, N failed`, counted from the runners' own reports.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run as prepare } from './prepare.ts';
import { bringShell } from './shell.ts';
import { runNamed } from './system.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const results = join(root, 'test-results');
const VITEST = join(root, 'node_modules/vitest/vitest.mjs');
const PLAYWRIGHT = join(root, 'node_modules/playwright/cli.js');

interface Count {
  readonly passed: number;
  readonly failed: number;
  /** `file › test`, of those that failed, and of those that passed on a second try only. */
  readonly names: readonly string[];
}

const SECOND = 'passed on a second try';
/** One more try where a whole run decides, as in playwright.config.ts; a test that needs it is named at the end. */
const RETRY = process.env['CI'] === undefined ? [] : ['--retry=1'];

/** A runner that wrote no report has failed before its first test: that counts as one failure. */
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
      assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
    }[];
  };
  const names = testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(root, name);
    // What passed keeps what its first try failed with.
    const told = assertionResults.flatMap(({ status: ended, fullName, failureMessages: [why] }) => {
      if (ended === 'failed') return [`${file} › ${fullName}`];
      const [line] = why?.split('\n') ?? [];
      return line === undefined ? [] : [`${file} › ${fullName} (${SECOND}; first: ${line})`];
    });
    // A file that could not even be loaded has no test of its own to fail.
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
    const status = tests.map((one) => one.status);
    if (status.includes('unexpected')) return [`${file} › ${title}`];
    return status.includes('flaky') ? [`${file} › ${title} (${SECOND})`] : [];
  }),
  ...suites.flatMap(namesOf),
];

const fromPlaywright = (report: unknown): Count => {
  const { stats, errors, suites } = report as PlaywrightSuite & {
    stats: { expected: number; flaky: number; unexpected: number };
    errors: unknown[];
  };
  return {
    passed: stats.expected + stats.flaky,
    failed: Math.max(stats.unexpected, errors.length > 0 ? 1 : 0),
    names: (suites ?? []).flatMap(namesOf),
  };
};

interface Step {
  readonly title: string;
  /** Fewer passed tests mean that it found nothing to run. Far below what there is: on some systems many are skipped. */
  readonly floor: number;
  /** Runs it and answers its exit status. */
  readonly run: () => Promise<number>;
  /** What passed and what did not, once it has ended so. */
  readonly count: (status: number) => Count;
}

const reportOf = (name: string): string => join(results, `${name}.json`);

const vitest = (name: string, floor: number, projects: readonly string[]): Step => ({
  title: name,
  floor,
  count: () => countOf(reportOf(name), fromVitest),
  run: () =>
    runNamed(name, process.execPath, [
      VITEST,
      'run',
      '--config=test/vitest.config.ts',
      // Node reads the configuration as it is: bundled with all that it imports it costs each runner a second.
      '--configLoader=native',
      ...RETRY,
      ...projects.map((project) => `--project=${project}`),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reportOf(name)}`,
    ]),
});

const playwright = (name: string, floor: number, project: string): Step => ({
  title: name,
  floor,
  count: () => countOf(reportOf(name), fromPlaywright),
  run: () =>
    runNamed(
      name,
      process.execPath,
      [
        PLAYWRIGHT,
        'test',
        '--config=test/playwright.config.ts',
        `--project=${project}`,
        // Of its own: Playwright empties the folder, and another suite may be using it.
        `--output=${join(results, name)}`,
      ],
      { ...process.env, SPOTTER_E2E_REPORT: reportOf(name) },
    ),
});

const check: Step = {
  title: 'check',
  floor: 0,
  count: (status) => ({ passed: 0, failed: status === 0 ? 0 : 1, names: [] }),
  run: () => runNamed('check', process.execPath, ['--run', 'check']),
};

/** The longest first: the others fill the time beside it. */
const steps: readonly Step[] = [
  playwright('e2e', 80, 'browser'),
  check,
  vitest('unit', 600, ['unit', 'renderer']),
  vitest('service', 800, ['service', 'service-postgres']),
  // The built Electron shell, with test/electron in Electron's place.
  playwright('stand-in', 30, 'stand-in-proof'),
];
/** The sentence where fewer tests passed than the floor; null where there were enough. */
export const tooFew = (title: string, passed: number, floor: number): string | null =>
  passed < floor ? `${title}: only ${passed} tests passed, of at least ${floor}` : null;

/** At once. More would not end sooner: each is two workers and what they start. */
const LANES = 2;

export const run = async (): Promise<number> => {
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  process.chdir(root);
  const prepared = await prepare();
  if (prepared !== 0) return prepared;

  const failures: string[] = [];
  const named: string[] = [];
  const total = { passed: 0, failed: 0 };
  // Once for all: the end-to-end tests open this window, test/setup/shell.test.ts looks at all three parts.
  if (!(await bringShell(root, (text) => console.log(text)))) {
    failures.push('build');
    total.failed += 1;
  }
  const waiting = [...steps];
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const began = performance.now();
      const status = await step.run();
      const { passed, failed: tests, names } = step.count(status);
      // What fails outside every test, an error that nobody caught for instance, is one failure too.
      const few = tooFew(step.title, passed, step.floor);
      const failed = status === 0 && few === null ? tests : Math.max(tests, 1);
      if (few !== null) named.push(few);
      const minutes = ((performance.now() - began) / 60_000).toFixed(1);
      console.log(`${step.title}: ${status === 0 ? 'passed' : 'FAILED'} (${minutes} min)`);
      named.push(...names);
      total.passed += passed;
      total.failed += failed;
      if (status !== 0 || failed > 0) failures.push(step.title);
    }
  };
  await Promise.all(Array.from({ length: LANES }, work));
  for (const name of named) console.error(`- ${name}`);
  if (failures.length > 0) console.error(`Failed: ${failures.join(', ')}`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return failures.length > 0 ? 1 : 0;
};
