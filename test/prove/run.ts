/**
 * `npm run prove [-- name]`: the product's promises at full length, one file each in this folder, in the order of this list.
 * Each runs to its end regardless of earlier failures. Then prints one table: trials, failures, duration, and the 95 % upper
 * bound of the failure rate (none in n runs: 3 / n). `npm run test:all` has a short form of each. SPOTTER_SEED repeats a run; `--seed
 * N` plays that seed of a proof with separate seeds; `--share 0.01` runs a hundredth of the outbox's and the service's proofs, to
 * see that they work.
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
  /** One sentence per failure. */
  readonly failures: readonly string[];
  readonly note?: string;
}

export interface Case {
  /** The name in `npm run prove -- NAME`. */
  readonly name: string;
  readonly title: string;
  /** @param replay true if one seed was requested by number @param share of the full count; below 1 for a trial */
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

/** A proof that throws has failed, and its row says so. */
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

// Runs only as a program, because other files import its types.
if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { seed: { type: 'string' }, share: { type: 'string', default: '1' } },
    allowPositionals: true,
  });
  const share = Number(values.share);
  if (!(share > 0 && share <= 1)) throw new Error('--share is a number above 0, at most 1');
  if (!(await prove({ name: positionals[0], seed: values.seed, share }))) process.exitCode = 1;
  // Ends even if a proof left something running.
  process.exit();
}
