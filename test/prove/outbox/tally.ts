/**
 * Sums up the outbox's runs. Each finished run is a line in `test-results/prove-outbox.jsonl`, so a series may be split,
 * interrupted and continued. The final figures count every seed that was played on this commit, once.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { boundWords } from '../bound.ts';
import type { RunReport } from './run-seed.ts';

const FILE = join(import.meta.dirname, '../../../test-results/prove-outbox.jsonl');

/** A report as stored in its line. */
type Kept = Omit<RunReport, 'faults'> & {
  readonly commit: string;
  readonly faults: readonly (readonly [kind: string, times: number])[];
};

/** The commit, marked if files differ from it; '' if unknown. */
export const commitNow = (): string => {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no') !== '';
    return `${git('rev-parse', '--short', 'HEAD')}${changed ? '+' : ''}`;
  } catch {
    return '';
  }
};

export const keep = (commit: string, report: RunReport): void => {
  const kept: Kept = { ...report, commit, faults: [...report.faults] };
  mkdirSync(dirname(FILE), { recursive: true });
  appendFileSync(FILE, `${JSON.stringify(kept)}\n`);
};

/** Every seed's run on `commit`; a seed that failed once counts as failed. */
const keptOn = (commit: string): readonly Kept[] => {
  const seeds = new Map<number, Kept>();
  for (const line of readFileSync(FILE, 'utf8').split('\n')) {
    const one = line === '' ? null : (JSON.parse(line) as Kept);
    if (one?.commit !== commit) continue;
    if (!seeds.get(one.seed)?.failures.length) seeds.set(one.seed, one);
  }
  return [...seeds.values()];
};

const counted = <T extends string>(all: readonly T[]): string =>
  [...new Set(all)]
    .sort()
    .map((one) => `${one} ${all.filter((other) => other === one).length}`)
    .join(', ');

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

const figures = (runs: readonly Kept[]): string => {
  const kills = runs.flatMap((one) => one.kills);
  const faults = runs.flatMap((one) =>
    one.faults.flatMap(([kind, times]) => Array.from({ length: times }, () => kind)),
  );
  const interrupted = runs.filter((one) => one.interruptions > 0);
  const each = interrupted.map((one) => Math.round(one.resent / one.interruptions / 1024));
  const sum = (pick: (one: Kept) => number): number =>
    runs.reduce((total, one) => total + pick(one), 0);
  const seconds = runs.map((one) => one.seconds);
  return [
    `  kills: ${kills.length} (${counted(kills.map(({ point }) => point))})`,
    `  victims: ${counted(kills.map(({ victim }) => victim))}`,
    `  faults: ${faults.length} (${counted(faults)})`,
    `  weather: ${sum((one) => one.turned_away)} writes turned away, ${sum((one) => one.cut)} segments cut, ${sum((one) => one.frozen)} times the service stood still`,
    `  acknowledged: ${sum((one) => one.acknowledged)} records, ${sum((one) => one.photos)} photos`,
    `  photo bytes sent again per interruption: median ${median(each)} KiB, most ${Math.max(0, ...each)} KiB (${interrupted.length} runs, ${sum((one) => one.interruptions)} interruptions)`,
    `  seconds per run: median ${median(seconds).toFixed(1)}, most ${Math.max(0, ...seconds).toFixed(1)}`,
  ].join('\n');
};

export const seriesFigures = (reports: readonly RunReport[]): string =>
  figures(reports.map((one) => ({ ...one, commit: '', faults: [...one.faults] })));

/** The figures over every recorded run on `commit`, including this series. */
export const commitFigures = (commit: string): string => {
  const runs = keptOn(commit);
  const failed = runs.filter((one) => one.failures.length > 0).map(({ seed }) => seed);
  return [
    `all series on commit ${commit || '(unknown)'}: ${runs.length} runs, ${failed.length} failed, 95 % bound ${boundWords(failed.length, runs.length)}`,
    ...(failed.length > 0 ? [`  failed: ${failed.join(', ')}`] : []),
    figures(runs),
  ].join('\n');
};
