/**
 * `npm test`: every step in order, the first failing one decides the status, but all test suites run, so that one
 * broken test does not hide another. Ends with what failed, by name, so that the end of a log is enough to know it, and
 * one line, `N passed, N failed`, counted from the runners' own reports.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run as prepare } from './prepare.ts';
import { bringShell } from './shell.ts';
import { runHere } from './system.ts';

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

const vitest = (name: string, projects: readonly string[]) => ({
  title: name,
  report: join(results, `${name}.json`),
  read: fromVitest,
  run: () =>
    runHere(process.execPath, [
      VITEST,
      'run',
      '--config=test/vitest.config.ts',
      ...RETRY,
      ...projects.map((project) => `--project=${project}`),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${join(results, `${name}.json`)}`,
    ]),
});

const playwright = (name: string, project: string) => {
  const report = join(results, `${name}.json`);
  return {
    title: name,
    report,
    read: fromPlaywright,
    run: () =>
      runHere(
        process.execPath,
        [PLAYWRIGHT, 'test', '--config=test/playwright.config.ts', `--project=${project}`],
        { ...process.env, SPOTTER_E2E_REPORT: report },
      ),
  };
};

const suites = [
  vitest('unit', ['unit', 'renderer']),
  vitest('service', ['service', 'service-postgres']),
  playwright('e2e', 'browser'),
  // The built Electron shell, with test/electron in Electron's place.
  playwright('stand-in', 'stand-in-proof'),
];

/** npm by its own path: on Windows a plain `npm` is no program that can be started. */
const npmRun = (script: string): Promise<number> => {
  const npm = process.env['npm_execpath'];
  return npm === undefined
    ? runHere('npm', ['run', script])
    : runHere(process.execPath, [npm, 'run', script]);
};

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
  const checked = await npmRun('check');
  if (checked !== 0) {
    failures.push('check');
    total.failed += 1;
  }
  for (const suite of suites) {
    const status = await suite.run();
    const { passed, failed, names } = countOf(suite.report, suite.read);
    named.push(...names);
    total.passed += passed;
    total.failed += failed;
    if (status !== 0 || failed > 0) failures.push(suite.title);
  }
  for (const name of named) console.error(`- ${name}`);
  if (failures.length > 0) console.error(`Failed: ${failures.join(', ')}`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return failures.length > 0 ? 1 : 0;
};
