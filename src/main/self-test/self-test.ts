/**
 * Judges `--self-test FILE` without Electron: the results of the shell's checks, the report, its table, and the exit status. A
 * check without an answer has failed.
 */
import type { Result } from '../../contract/problem.ts';
import {
  type Answer,
  type SelfTestCheck,
  type SelfTestReport,
  selfTestReport,
  shellCheck,
  windowCheck,
} from '../../contract/self-test.ts';
import type { VaultRead, VaultState, VaultWrite } from '../../host/vault/index.ts';

/** Time limit for the host and the service to stop, in milliseconds. */
const STOP_MS = 5_000;

type Check = SelfTestCheck['name'];
const names: readonly Check[] = [...shellCheck.options, ...windowCheck.options];

/** Collects the answers; only the first answer of a check counts. */
export const collectAnswers = () => {
  const answers = new Map<Check, Answer>();
  const lacks = (wanted: readonly Check[]): boolean => wanted.some((name) => !answers.has(name));
  return {
    add: (name: Check, answer: Answer): void => {
      if (!answers.has(name)) answers.set(name, answer);
    },
    /** True when the window has answered all of its checks. */
    windowIsDone: (): boolean => !lacks(windowCheck.options),
    /** @param why the reason given for checks without an answer */
    checks: (why: string): SelfTestCheck[] =>
      names.map((name) => ({
        name,
        ...(answers.get(name) ?? { result: 'fail', sentence: why }),
      })),
  };
};

export const reportOf = (
  versions: SelfTestReport['versions'],
  made_at: number,
  checks: readonly SelfTestCheck[],
): SelfTestReport =>
  selfTestReport.parse({ format: 1, made_at: new Date(made_at).toISOString(), versions, checks });

export const statusOf = ({ checks }: SelfTestReport): 0 | 1 =>
  checks.some(({ result }) => result === 'fail') ? 1 : 0;

/** Formats the report for a person, one line per check. Failures come last, where they are seen. */
export const tableOf = (report: SelfTestReport): string => {
  const { spotter, electron, chromium, node, platform, arch, system, packaged } = report.versions;
  const order = ['pass', 'not here', 'fail'];
  const checks = report.checks.toSorted(
    (a, b) => order.indexOf(a.result) - order.indexOf(b.result),
  );
  const width = Math.max(...names.map(({ length }) => length));
  return [
    `Spotter ${spotter} ${packaged ? 'as a package' : 'from its sources'}, Electron ${electron}, Chromium ${chromium}, Node ${node}, ${platform} ${arch} ${system}`,
    ...checks.map(
      ({ name, result, sentence }) => `${result.padEnd(8)}  ${name.padEnd(width)}  ${sentence}`,
    ),
  ].join('\n');
};

// ---- the shell's own checks

/** Judges the canary that was written to the keychain, read and erased. A Linux desktop may have no keychain. */
export const keychainAnswer = (
  wrote: VaultWrite,
  read: VaultRead | null,
  removed: VaultState | null,
  platform: NodeJS.Platform,
): Answer => {
  if (wrote === 'ok' && read?.state === 'ok' && removed === 'ok')
    return { result: 'pass', sentence: 'The keychain keeps, gives back and erases a token.' };
  const state = wrote !== 'ok' ? wrote : read?.state !== 'ok' ? read?.state : removed;
  if (state === 'locked')
    return { result: 'not here', sentence: 'The keychain is locked: unlock it, then try again.' };
  if (state === 'absent' && platform === 'linux')
    return {
      result: 'not here',
      sentence: 'No keychain answers: tokens last until Spotter ends.',
    };
  return { result: 'fail', sentence: `The keychain does not work (${state ?? 'no answer'}).` };
};

export const serviceAnswer = (connected: Result<unknown>, ms: number): Answer =>
  connected.ok
    ? {
        result: 'pass',
        sentence: `The service on this laptop answers after ${ms} ms.`,
        numbers: { ms },
      }
    : {
        result: 'fail',
        sentence: `No service on this laptop: ${JSON.stringify(connected.problem).slice(0, 900)}`,
      };

/**
 * Checks that Chromium writes the window's database to the folder that the host copies.
 * @param inside the names in that folder; null when the folder is missing
 */
export const databasePlaceAnswer = (folder: string, inside: readonly string[] | null): Answer => {
  // Chromium makes one folder per origin: LevelDB's has an extension, the newer SQLite store's has none.
  const databases = (inside ?? []).filter((name) => /_\d+(?:\.indexeddb\.leveldb)?$/.test(name));
  return databases.length > 0
    ? {
        result: 'pass',
        sentence: `The window’s database lies where it is copied: ${databases[0]}.`,
      }
    : { result: 'fail', sentence: `There is no database in ${folder}: nothing would be copied.` };
};

/** @param asked origins outside this machine that the window requested; each request was refused */
export const networkAnswer = (asked: readonly string[]): Answer =>
  asked.length === 0
    ? { result: 'pass', sentence: 'The window asked the network for nothing.' }
    : {
        result: 'fail',
        sentence: `The window asked the network for ${[...new Set(asked)].join(', ').slice(0, 500)}`,
      };

/** @param ended true when nothing answers at the service's address any more */
export const stopAnswer = (ms: number, ended: boolean): Answer => {
  const numbers = { ms };
  if (!ended)
    return { result: 'fail', sentence: 'The service was told to stop and runs.', numbers };
  return ms <= STOP_MS
    ? { result: 'pass', sentence: `Host and service stopped within ${ms} ms.`, numbers }
    : { result: 'fail', sentence: `Host and service took ${ms} ms to stop.`, numbers };
};
