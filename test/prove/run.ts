/**
 * `npm run prove [-- name]`: the promises of the README at full length, one file each beside this one, in the order of this
 * list. Each is run to its end whatever became of those before it; then prints one table: how often each promise was tried, how often
 * it was broken, how long that took, and the 95 % upper bound of how often it could be (none in n runs: 3 / n). A short form of
 * each is in `npm test`. SPOTTER_SEED repeats a run; `--seed N` plays that one seed of a proof that knows seeds singly;
 * `--share 0.01` does a hundredth of what the service's proofs do, to see that they work.
 */
import { parseArgs } from 'node:util';
import { addresses } from './addresses.ts';
import { carriers } from './carriers.ts';
import { boundWords } from './bound.ts';
import { cluster } from './cluster.ts';
import { diskWindow } from './disk-window.ts';
import { disk } from './disk.ts';
import { formats } from './formats.ts';
import { forms } from './forms.ts';
import { fuzz } from './fuzz.ts';
import { held } from './held.ts';
import { kills } from './kills.ts';
import { laptopsPostgres, laptopsSqlite } from './laptops.ts';
import { large } from './large.ts';
import { leveldb } from './leveldb.ts';
import { outbox } from './outbox.ts';
import { secrets } from './secrets.ts';
import { windows } from './windows.ts';

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
  /** `replay`: one seed was asked for by its number. `share`: of the full count, 1 unless a trial was asked for. */
  run(seed: number, replay: boolean, share: number): Promise<Outcome>;
}

const cases: readonly Case[] = [
  fuzz,
  forms,
  formats,
  addresses,
  carriers,
  kills,
  held,
  laptopsSqlite,
  laptopsPostgres,
  cluster,
  outbox,
  disk,
  diskWindow,
  leveldb,
  large,
  secrets,
  windows,
];

interface Played {
  readonly one: Case;
  readonly outcome: Outcome;
  readonly seconds: number;
}

/** A proof that cannot go on has failed, and says so in its row. */
const play = async (one: Case, seed: number, replay: boolean, share: number): Promise<Played> => {
  const began = performance.now();
  const outcome = await one.run(seed, replay, share).catch((error: unknown): Outcome => ({
    runs: 0,
    failures: [
      `ended early: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    ],
  }));
  return { one, outcome, seconds: (performance.now() - began) / 1000 };
};

const HEAD = ['proof', 'runs', 'failures', 'seconds', '95 % bound', ''];

const cellsOf = ({ one, outcome, seconds }: Played): string[] => {
  const { runs, failures, note = '' } = outcome;
  const bound = boundWords(failures.length, runs);
  return [one.title, String(runs), String(failures.length), seconds.toFixed(0), bound, note];
};

const tableOf = (rows: readonly (readonly string[])[]): string => {
  const widths = HEAD.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const pad = (cell: string, at: number) =>
    at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0);
  return rows
    .map((row) => [...row.slice(0, -1).map(pad), row.at(-1) ?? ''].join(' | ').trimEnd())
    .join('\n');
};

interface Wanted {
  readonly name: string | undefined;
  readonly seed: string | undefined;
  readonly share: number;
}

const prove = async ({ name: wanted, seed: asked, share }: Wanted): Promise<boolean> => {
  const chosen = cases.filter(({ name }) => wanted === undefined || name === wanted);
  if (chosen.length === 0) {
    const names = [...new Set(cases.map(({ name }) => name))].join(', ');
    console.log(`No proof is called "${wanted ?? ''}". There are: ${names}`);
    return false;
  }
  const seed = Number(asked ?? process.env['SPOTTER_SEED'] ?? Date.now() % 1_000_000);
  console.log(`seed ${seed}`);
  const played: Played[] = [];
  for (const one of chosen) {
    console.error(`${new Date().toISOString()} ${one.title}`);
    played.push(await play(one, seed, asked !== undefined, share));
  }
  console.log(tableOf([HEAD, ...played.map(cellsOf)]));
  for (const { one, outcome } of played)
    for (const failure of outcome.failures.slice(0, 10)) console.log(`${one.title}: ${failure}`);
  return played.every(({ outcome }) => outcome.failures.length === 0 && outcome.runs > 0);
};

// Also imported for its types: only as a program does it run.
if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { seed: { type: 'string' }, share: { type: 'string', default: '1' } },
    allowPositionals: true,
  });
  const share = Number(values.share);
  if (!(share > 0 && share <= 1)) throw new Error('--share is a number above 0, at most 1');
  if (!(await prove({ name: positionals[0], seed: values.seed, share }))) process.exitCode = 1;
  // Nothing of a proof may keep it running.
  process.exit();
}
