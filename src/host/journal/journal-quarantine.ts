/** Bytes of the journal that cannot be read, kept in files beside it (failures A20). */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readIfThere, writeFileAtomic } from '../lib/files.ts';
import { codeOf, type Log } from '../lib/log.ts';
import type { ReadLines } from './journal-lines.ts';

const DAMAGED = 'journal.damaged';
const UNREADABLE_MAX = 50;
const UNREADABLE_LENGTH = 20_000;

/** Adds raw bytes, deduplicated, as lines of their sha256 and base64. Returns the total number of quarantined items. */
const quarantine = async (path: string, damaged: readonly Buffer[]): Promise<number> => {
  const kept = (await readIfThere(path)) ?? '';
  const known = kept.split('\n').filter((line) => line !== '');
  const seen = new Set(known.map((line) => line.slice(0, 64)));
  const fresh = new Map(
    damaged.map((raw) => [createHash('sha256').update(raw).digest('hex'), raw] as const),
  );
  for (const sha of seen) fresh.delete(sha);
  if (fresh.size > 0) {
    const added = [...fresh].map(([sha, raw]) => `${sha} ${raw.toString('base64')}`);
    await writeFileAtomic(path, `${[...known, ...added].join('\n')}\n`);
  }
  return known.length + fresh.size;
};

export const readQuarantined = async (folder: string): Promise<string[]> =>
  ((await readIfThere(join(folder, DAMAGED))) ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .slice(-UNREADABLE_MAX)
    .map((line) =>
      Buffer.from(line.slice(line.indexOf(' ') + 1), 'base64')
        .toString('utf8')
        .trim()
        .slice(0, UNREADABLE_LENGTH),
    );

export interface Quarantine {
  /** Items in the files of damaged and of unfinished lines. */
  readonly damaged: number;
  readonly unfinished: number;
  /** Moves what did not fit at the start. Rejects while there is no room for it. */
  complete(): Promise<unknown>;
}

/** Moves unreadable bytes to the quarantine. Without room for them they stay in the journal, which must not be replaced. */
export const openQuarantine = async (
  folder: string,
  read: ReadLines,
  log: Log,
): Promise<Quarantine> => {
  const found = [
    { name: DAMAGED, raw: read.damaged, what: 'damaged journal lines moved to a file' },
    {
      name: 'journal.unfinished',
      raw: read.unfinished === null ? [] : [read.unfinished],
      what: 'an unfinished last line of the journal moved to a file',
    },
  ];
  let left = found;
  const complete = async (): Promise<number[]> => {
    const counts = await Promise.all(
      left.map(({ name, raw }) => quarantine(join(folder, name), raw)),
    );
    left = [];
    return counts;
  };
  for (const { raw, what } of found)
    if (raw.length > 0) log({ level: 'warn', message: what, count: raw.length });
  const [damaged = 0, unfinished = 0] = await complete().catch((error: unknown) => {
    log({
      level: 'warn',
      message: 'damaged journal lines stay in the journal',
      code: codeOf(error),
    });
    return found.map(({ raw }) => raw.length);
  });
  return { damaged, unfinished, complete };
};
