/**
 * The window's LevelDB files are damaged while the app is closed, in real Chromium through the real shell (failures A19). A
 * queue is recorded once; each seed takes a copy and overwrites, truncates or removes files. The window must open with
 * everything queued. If its database could not be kept, the damaged files are.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { bringWindow } from '../../src/setup/window/window.ts';
import { connectToServer, photoFile, report, waitingCount } from '../e2e/steps.ts';
import { startServer } from '../support/server.ts';
import { tempDir } from '../support/service.ts';
import { indexedDbOf, openShell, queuedIds } from '../support/shell.ts';
import { randomFrom } from './random.ts';
import type { Case, Outcome } from './run.ts';

const RECORDS = 4;
/** Rows that exist only in the window's database: if they are gone, it was replaced. */
const MARKS = 900;

const leveldbOf = (folder: string): string => {
  const store = indexedDbOf(folder);
  const name = readdirSync(store).find((one) => one.endsWith('.leveldb'));
  if (name === undefined) throw new Error(`no LevelDB in ${store}`);
  return join(store, name);
};

const harmable = (level: string): string[] =>
  readdirSync(level).filter((name) => /\.(ldb|log)$|^MANIFEST/.test(name));

/** Enough that LevelDB writes tables and not only a log; each too small for a file of its own. */
const writeMarks = (page: Page): Promise<void> =>
  page.evaluate(
    (count) =>
      new Promise<void>((resolve, reject) => {
        const asked = indexedDB.open('spotter');
        asked.onsuccess = () => {
          const work = asked.result.transaction('meta', 'readwrite', { durability: 'strict' });
          const text = () =>
            Array.from({ length: 1_000 }, () => Math.random().toString(36)).join('');
          for (let at = 0; at < count; at += 1)
            work.objectStore('meta').put({ name: `mark-${at}`, value: text() });
          work.oncomplete = () => {
            asked.result.close();
            resolve();
          };
          work.onerror = () => reject(new Error(String(work.error)));
        };
      }),
    MARKS,
  );

const marksLeft = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const asked = indexedDB.open('spotter');
        asked.onsuccess = () => {
          const all = asked.result
            .transaction('meta')
            .objectStore('meta')
            .count(IDBKeyRange.bound('mark-', 'mark-~'));
          all.onsuccess = () => {
            asked.result.close();
            resolve(all.result);
          };
          all.onerror = () => reject(new Error(String(all.error)));
        };
      }),
  );

interface Harm {
  readonly file: string;
  readonly what: string;
  /** sha256 of the damaged file; null if it was removed. */
  readonly sha256: string | null;
}

const hashOf = (path: string): string =>
  createHash('sha256').update(readFileSync(path)).digest('hex');

const harm = (level: string, random: () => number): Harm => {
  const pick = (below: number): number => Math.floor(random() * below);
  const names = harmable(level);
  const file = names[pick(names.length)] ?? '';
  const path = join(level, file);
  const bytes = readFileSync(path);
  const kind = pick(10);
  if (kind === 9) {
    rmSync(path);
    return { file, what: 'taken away', sha256: null };
  }
  if (kind === 8) writeFileSync(path, bytes.subarray(0, pick(bytes.length)));
  else
    for (let spans = 1 + pick(3); spans > 0; spans -= 1) {
      const at = pick(bytes.length);
      for (let n = 1 + pick(64); n > 0; n -= 1)
        if (at + n < bytes.length) bytes[at + n] = pick(256);
      writeFileSync(path, bytes);
    }
  return { file, what: kind === 8 ? 'cut short' : 'overwritten', sha256: hashOf(path) };
};

/** Records a queue while the server is away; returns the queued ids. */
const recordQueue = async (folder: string, photos: string): Promise<string[]> => {
  const server = await startServer();
  try {
    let shell = await openShell(folder);
    await connectToServer(shell.page, server, 'Harbour Bridge East');
    await server.stop();
    for (let at = 0; at < RECORDS; at += 1)
      await report(shell.page, {
        text: `Before the damage ${at}`,
        photos: at % 2 === 0 ? [await photoFile(photos, at + 1, 60_000)] : [],
      });
    await writeMarks(shell.page);
    await shell.close();
    // Reopening makes LevelDB turn its log into tables and start a new one.
    shell = await openShell(folder);
    await report(shell.page, { text: 'In the newest log', photos: [] });
    const ids = await queuedIds(shell.page);
    await shell.close();
    return ids.sort();
  } finally {
    await server.remove();
  }
};

/** Checks that the kept copy has the damaged file as it was before the browser touched it. */
const keptCopyIsWrong = (folder: string, done: Harm): string | null => {
  const kept = join(folder, 'kept-databases');
  const copies = existsSync(kept) ? readdirSync(kept).filter((name) => /^\d/.test(name)) : [];
  const newest = copies.sort().at(-1);
  if (newest === undefined) return 'replaced, and no copy kept';
  const copy = join(kept, newest);
  const level = readdirSync(copy).find((name) => name.endsWith('.leveldb'));
  const path = join(copy, level ?? '', done.file);
  if (done.sha256 === null) return level === undefined ? 'the kept copy has no LevelDB' : null;
  if (!existsSync(path)) return `the kept copy lacks ${done.file}`;
  return hashOf(path) === done.sha256 ? null : `the kept ${done.file} is not the damaged one`;
};

interface Run {
  readonly replaced: boolean;
  readonly wrong: string | null;
}

const settles = async <T>(ask: () => Promise<T>, good: (value: T) => boolean): Promise<T> => {
  const end = performance.now() + 20_000;
  let last = await ask();
  while (!good(last) && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    last = await ask().catch(() => last);
  }
  return last;
};

const oneRun = async (folder: string, expected: readonly string[], done: Harm): Promise<Run> => {
  const shell = await openShell(folder);
  try {
    const { page } = shell;
    await page.getByRole('link', { name: /^Waiting/ }).waitFor({ timeout: 30_000 });
    const records = await settles(
      () => waitingCount(page),
      (count) => count === RECORDS + 1,
    );
    const ids = (await queuedIds(page)).sort();
    const replaced = (await marksLeft(page)) < MARKS;
    const lost = expected.filter((id) => !ids.includes(id));
    if (lost.length > 0 || ids.length !== expected.length)
      return { replaced, wrong: `${lost.length} lost, ${ids.length} of ${expected.length} queued` };
    if (records !== RECORDS + 1)
      return { replaced, wrong: `the rail says ${records}, not ${RECORDS + 1}` };
    return { replaced, wrong: replaced ? keptCopyIsWrong(folder, done) : null };
  } catch (error) {
    return { replaced: false, wrong: String(error).split('\n')[0] ?? '' };
  } finally {
    await shell.close();
  }
};

/** Plays `runs` damaged profiles in sequence. `tell` receives progress, and failures at once. */
export const damageLevelDb = async (
  seed: number,
  runs: number,
  tell: (text: string) => void = () => undefined,
): Promise<Outcome> => {
  await bringWindow(join(import.meta.dirname, '../..'), () => undefined);
  const place = tempDir('prove-leveldb');
  const template = join(place.path, 'template');
  const failures: string[] = [];
  const harmed = new Map<string, number>();
  let replaced = 0;
  try {
    const expected = await recordQueue(template, place.path);
    for (let run = 0; run < runs; run += 1) {
      const random = randomFrom(seed * 1009 + run);
      for (let skip = 0; skip < 5; skip += 1) random();
      const folder = join(place.path, `run-${run}`);
      cpSync(template, folder, { recursive: true });
      const done = harm(leveldbOf(folder), random);
      const kind = `${done.file.replace(/.*\.|-.*/g, '')} ${done.what}`;
      harmed.set(kind, (harmed.get(kind) ?? 0) + 1);
      const outcome = await oneRun(folder, expected, done);
      if (outcome.replaced) replaced += 1;
      if (outcome.wrong !== null) {
        failures.push(`run ${run}: ${done.file} ${done.what}: ${outcome.wrong}`);
        tell(failures.at(-1) ?? '');
      }
      if ((run + 1) % 10 === 0) tell(`${run + 1} runs …`);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  } finally {
    place.remove();
  }
  const table = [...harmed].map(([kind, count]) => `${kind} ${count}`).join(', ');
  return { runs, failures, note: `${replaced} rebuilt from the journal, copy kept; ${table}` };
};

const RUNS = Number(process.env['SPOTTER_DAMAGES'] ?? 60);

export const leveldb: Case = {
  name: 'leveldb',
  title: 'damaged LevelDB files in real Chromium: 0 queued entries lost, the damaged copy kept',
  run: (seed) => damageLevelDb(seed, RUNS, console.log),
};
