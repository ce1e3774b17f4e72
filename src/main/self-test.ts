/**
 * What `--self-test FILE` decides without Electron: what the shell's own checks come to, what a report is made of, how it is shown, and
 * the status of the run. A check that nobody answered has failed.
 */
import type { Result } from '../contract/problem.ts';
import {
  type Answer,
  type SelfTestCheck,
  type SelfTestReport,
  selfTestReport,
  shellCheck,
  windowCheck,
} from '../contract/self-test.ts';
import type { VaultRead, VaultState, VaultWrite } from '../host/vault/index.ts';

/** A service that was told to stop has ended by then. */
export const STOP_MS = 5_000;

type Check = SelfTestCheck['name'];
const names: readonly Check[] = [...shellCheck.options, ...windowCheck.options];

/** Answers as they come; the first one of a check counts. */
export const collectAnswers = () => {
  const answers = new Map<Check, Answer>();
  const lacks = (wanted: readonly Check[]): boolean => wanted.some((name) => !answers.has(name));
  return {
    tell: (name: Check, answer: Answer): void => {
      if (!answers.has(name)) answers.set(name, answer);
    },
    /** The window has told all that it does. */
    windowIsDone: (): boolean => !lacks(windowCheck.options),
    /** @param why the run ended before the others were done */
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

/** For a person: a line for each check, what failed last, so that it is seen. */
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

/** A canary was written to the keychain, read and erased. On Linux a desktop may well have none. */
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
 * The host copies the window's database before each start from one folder; it must be the one that Chromium writes to.
 * @param inside the names in that folder, null where it is not there
 */
export const databasePlaceAnswer = (folder: string, inside: readonly string[] | null): Answer => {
  const databases = (inside ?? []).filter((name) => name.endsWith('.indexeddb.leveldb'));
  return databases.length > 0
    ? {
        result: 'pass',
        sentence: `The window’s database lies where it is copied: ${databases[0]}.`,
      }
    : { result: 'fail', sentence: `There is no database in ${folder}: nothing would be copied.` };
};

/** @param asked addresses outside this machine that the window asked for; each was refused */
export const networkAnswer = (asked: readonly string[]): Answer =>
  asked.length === 0
    ? { result: 'pass', sentence: 'The window asked the network for nothing.' }
    : {
        result: 'fail',
        sentence: `The window asked the network for ${[...new Set(asked)].join(', ').slice(0, 500)}`,
      };

/** @param ended nothing answers at the service's address any more */
export const stopAnswer = (ms: number, ended: boolean): Answer => {
  const numbers = { ms };
  if (!ended)
    return { result: 'fail', sentence: 'The service was told to stop and runs.', numbers };
  return ms <= STOP_MS
    ? { result: 'pass', sentence: `Host and service stopped within ${ms} ms.`, numbers }
    : { result: 'fail', sentence: `Host and service took ${ms} ms to stop.`, numbers };
};
