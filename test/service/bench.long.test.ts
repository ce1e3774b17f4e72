/** The benchmarks in a short form: every side runs and figures are saved. Their values are not tested. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onPostgres } from '../support/database.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { tempDir } from '../support/service.ts';

const dir = tempDir('bench');
afterAll(() => dir.remove());

const RUN = join(import.meta.dirname, '../bench/run.ts');

const short = {
  BENCH_RESULTS: dir.path,
  BENCH_ROUNDS: '1',
  BENCH_COUNT: '5',
  BENCH_RECORDS: '50',
  BENCH_SIZES: '200',
  BENCH_IDLE: '0',
  BENCH_EVERY: '200',
  BENCH_PHOTOS: '2',
  BENCH_SIZE: '65536',
  BENCH_LARGE: '3000000',
  // The peers are separate packages, which no test installs.
  BENCH_OURS: '1',
};

/** One process for all, which builds a page once and shares a PostgreSQL; benches run alone each have their own. */
const runAll = async (): Promise<{ code: number | null; said: string }> => {
  const postgres = await startPostgres();
  try {
    const child = spawn(process.execPath, [RUN], {
      env: { ...process.env, ...short, BENCH_POSTGRES: postgres.socket },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, said };
  } finally {
    await postgres.stop();
  }
};

/** The benchmark covers both databases itself, so it runs once, and on Linux only. */
describe.skipIf(onPostgres || process.platform === 'win32')(
  'npm run bench, in a short form',
  () => {
    let ended: Awaited<ReturnType<typeof runAll>>;
    beforeAll(async () => {
      ended = await runAll();
    }, 900_000);

    it('ends with every case run and none broken', () => {
      expect(ended.code, ended.said).toBe(0);
    });

    for (const [name, files] of Object.entries({
      uploads: ['uploads-photos.json', 'uploads-large.json', 'uploads-gigabit.json'],
      'cut-uploads': ['cut-uploads.json', 'cut-uploads-64.json'],
      capture: ['capture.json'],
      create: ['create.json'],
      'create-3ms': ['create-3ms.json'],
      webhooks: ['webhooks.json'],
      page: ['page-100.json', 'page-10000.json'],
      beside: ['beside.json'],
      growth: ['growth.json'],
      start: ['start.json'],
      drain: ['drain.json'],
      list: ['list.json'],
      queue: ['queue.json'],
      refresh: ['refresh.json'],
    }))
      it(name, () => {
        expect(readdirSync(dir.path), ended.said).toEqual(expect.arrayContaining(files));
        for (const file of files) {
          const kept = JSON.parse(readFileSync(join(dir.path, file), 'utf8')) as object;
          // JSON writes NaN as null.
          expect(JSON.stringify(kept)).not.toContain('null');
          expect(Date.parse((kept as { at: string }).at)).toBeGreaterThan(0);
        }
      });
  },
);
