/**
 * `npm run prove [-- name]`: the promises of the README at full length, one file each beside this one, in the order of this
 * list. Prints the table with the seed, and for each promise how often it was broken and the 95 % upper bound of how often it
 * could be (none in n runs: 3 / n). A short form of each is in `npm test`. SPOTTER_SEED repeats a run; `--seed N` plays that
 * one seed of a proof that knows seeds singly.
 */
import { parseArgs } from 'node:util';
import { addresses } from './addresses.ts';
import { diskWindow } from './disk-window.ts';
import { disk } from './disk.ts';
import { forms } from './forms.ts';
import { fuzz } from './fuzz.ts';
import { kills } from './kills.ts';
import { leveldb } from './leveldb.ts';
import { leveldb } from './leveldb.ts';
import { outbox } from './outbox.ts';

export interface Outcome {
  readonly runs: number;
  /** What was wrong, one sentence each. */
  readonly failures: readonly string[];
  readonly note?: string;
}

export interface Case {
  /** What `npm run prove -- NAME` chooses by. */
  readonly name: string;
  readonly title: string;
  /** `replay`: one seed was asked for by its number. */
  run(seed: number, replay: boolean): Promise<Outcome>;
}

const cases: readonly Case[] = [fuzz, forms, addresses, kills, outbox, disk, diskWindow, leveldb];

/** The rate that 95 of 100 such series would not exceed: exactly for none, by Wilson's bound else. */
const upperBound = (failures: number, runs: number): number => {
  if (failures === 0) return 1 - 0.05 ** (1 / runs);
  const z = 1.645;
  const rate = failures / runs;
  const middle = rate + z ** 2 / (2 * runs);
  const half = z * Math.sqrt((rate * (1 - rate)) / runs + z ** 2 / (4 * runs ** 2));
  return (middle + half) / (1 + z ** 2 / runs);
};

const row = (one: Case, outcome: Outcome, seconds: number): string =>
  [
    one.title,
    `${outcome.runs} runs`,
    `${outcome.failures.length} failed`,
    `< ${(100 * upperBound(outcome.failures.length, outcome.runs)).toPrecision(2)} % (95 %)`,
    `${seconds.toFixed(0)} s`,
    ...(outcome.note === undefined ? [] : [outcome.note]),
  ].join(' | ');

const prove = async (wanted: string | undefined, asked: string | undefined): Promise<boolean> => {
  const chosen = cases.filter(({ name }) => wanted === undefined || name === wanted);
  if (chosen.length === 0) {
    const names = [...new Set(cases.map(({ name }) => name))].join(', ');
    console.log(`No proof is called "${wanted ?? ''}". There are: ${names}`);
    return false;
  }
  const seed = Number(asked ?? process.env['SPOTTER_SEED'] ?? Date.now() % 1_000_000);
  console.log(`seed ${seed}`);
  let held = true;
  for (const one of chosen) {
    const began = performance.now();
    const outcome = await one.run(seed, asked !== undefined);
    console.log(row(one, outcome, (performance.now() - began) / 1000));
    for (const failure of outcome.failures.slice(0, 10)) console.log(`  ${failure}`);
    held &&= outcome.failures.length === 0;
  }
  return held;
};

// Also imported for its types: only as a program does it run.
if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { seed: { type: 'string' } },
    allowPositionals: true,
  });
  if (!(await prove(positionals[0], values.seed))) process.exitCode = 1;
  // Nothing of a proof may keep it running.
  process.exit();
}
