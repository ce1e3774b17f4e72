/**
 * The product on Node for Windows, under Wine (test/prove/windows/machine.ts), in a folder of a user called Jörg Müller: the
 * suites of host and service with their journal, spool, lock, backup and restore, and the walk-through against a
 * service there. Wine permits operations that Windows refuses; test/support/windows-errors.ts imitates those refusals on every
 * system.
 */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '../support/service.ts';
import { walkThrough } from '../support/walk-through.ts';
import type { Case, Outcome } from './run.ts';
import { type Program, startWindows, type Windows } from './windows/machine.ts';

/** Minimum numbers of passed tests, so that a suite that loads nothing is no success. */
const suites = [
  { name: 'host', project: 'unit', floor: 200 },
  { name: 'service', project: 'service', floor: 400 },
];

/** Wine is several times slower than Windows, milliseconds. */
const PATIENCE = 120_000;

interface Report {
  readonly numPassedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const lineOf = (text: string | undefined): string => text?.split('\n')[0] ?? '';

const failuresOf = ({ testResults }: Report): string[] =>
  testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = name.replace(/^.*?(?=test[\\/])/, '');
    const failed = assertionResults.filter((one) => one.status === 'failed');
    // A file that could not be loaded has no test that fails.
    if (status === 'failed' && failed.length === 0) return [`${file}: ${lineOf(message)}`];
    return failed.map(
      ({ fullName, failureMessages: [why] }) => `${file} › ${fullName}: ${lineOf(why)}`,
    );
  });

const runSuite = async (
  windows: Windows,
  { name, project, floor }: (typeof suites)[number],
): Promise<Outcome> => {
  const report = `test-results/windows-${name}.json`;
  await rm(join(windows.folder, report), { force: true });
  const program = await windows.node([
    'node_modules/vitest/vitest.mjs',
    'run',
    `test/${name}/`,
    '--config=test/vitest.config.ts',
    `--project=${project}`,
    `--testTimeout=${PATIENCE}`,
    '--reporter=json',
    `--outputFile=${report}`,
  ]);
  program.line.end();
  let said = '';
  for await (const part of program.line) said = (said + String(part)).slice(-4_000);
  const { errors } = await program.ended;
  const text = await readFile(join(windows.folder, report), 'utf8').catch(() => null);
  if (text === null) return { runs: 0, failures: [`${name}: no report: ${said}${errors}`] };
  const read = JSON.parse(text) as Report;
  const { numPassedTests: passed, numPendingTests: skipped } = read;
  const failures = failuresOf(read);
  if (passed < floor) failures.push(`${name}: only ${passed} of at least ${floor} tests passed`);
  const note = `${name}: ${passed} passed, ${skipped} skipped`;
  return { runs: passed + failures.length, failures, note };
};

/** The first line that a program prints. */
const firstLine = async ({ line, ended }: Program): Promise<string> => {
  let text = '';
  for await (const part of line.iterator({ destroyOnReturn: false })) {
    text += String(part);
    if (text.includes('\n')) return text;
  }
  const { errors } = await ended;
  throw new Error(`the service ended before it said where it is: ${errors}`);
};

/** A service on Windows, `curl` on Linux; then the service is told to end as the app does it. */
const runWalkThrough = async (windows: Windows): Promise<Outcome> => {
  const data = await windows.place('Daten der Firma');
  const work = tempDir('windows-walk');
  const program = await windows.node([
    'src/service/cli.ts',
    '--demo',
    '--demo-bare',
    '--embedded',
    '--port=0',
    '--rate-limit=0',
    `--data-dir=${data.windows}`,
  ]);
  const failures: string[] = [];
  try {
    const first = await firstLine(program);
    const id = await walkThrough(work.path, first);
    if ((await walkThrough(work.path, first)) !== id)
      failures.push('walk-through: the second time it filed another near miss');
    program.line.resume();
    program.line.end();
    const { code, errors } = await program.ended;
    if (code !== 0) failures.push(`walk-through: the service ended with ${code}: ${errors}`);
  } catch (error) {
    failures.push(`walk-through: ${String(error)}`);
    program.kill();
  } finally {
    work.remove();
  }
  return { runs: 1, failures, note: 'walk-through' };
};

export const windows: Case = {
  name: 'windows',
  title: "the suites and the walk-through on Windows' Node, under Wine",
  run: async () => {
    const machine = await startWindows();
    try {
      const played: Outcome[] = [await runWalkThrough(machine)];
      for (const suite of suites) played.push(await runSuite(machine, suite));
      return {
        runs: played.reduce((sum, { runs }) => sum + runs, 0),
        failures: played.flatMap(({ failures }) => failures),
        note: played.map(({ note }) => note).join('; '),
      };
    } finally {
      await machine.end();
    }
  },
};
