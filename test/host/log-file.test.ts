/** The log on disk: only sentences and codes, two files of bounded size, and an unwritable log blocks nobody. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lineOf, linesFile } from '../../src/host/lib/log-file.ts';
import { temporaryFolder } from './fixtures/folder.ts';
import { startWorld } from './fixtures/world.ts';

it('the host’s warnings are in the file once it has stopped, without the facts of their lines', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'session.json'), '{ damaged');
  const world = await startWorld({ data_dir: folder });
  await world.door.stop();
  const text = await readFile(join(folder, 'logs/spotter.log'), 'utf8');
  expect(text).toMatch(/^\S+Z warn the session file is damaged and was renamed: connect again$/m);
  expect(text).not.toContain(folder);
});

it('full, it becomes the older one, and the two together stay below twice the size', async () => {
  const path = join(await temporaryFolder(), 'logs/spotter.log');
  const file = linesFile(path, 1_000);
  for (let n = 0; n < 200; n += 1) file.write(`line ${n}`);
  await file.settled();
  const sizes = await Promise.all([path, `${path}.1`].map(async (one) => (await stat(one)).size));
  for (const size of sizes) expect(size).toBeLessThanOrEqual(1_000);
  const all = (await readFile(`${path}.1`, 'utf8')) + (await readFile(path, 'utf8'));
  expect(all.trim().split('\n').at(-1)).toBe('line 199');
  expect(all.trim().split('\n').length).toBeGreaterThan(60);
  // A later run continues the same file.
  const again = linesFile(path, 1_000);
  again.write('two\nlines');
  await again.settled();
  expect(await readFile(path, 'utf8')).toMatch(/line 199\ntwo lines\n$/);
});

it('where it cannot be written nothing throws', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'logs'), 'a file where a folder should be');
  const file = linesFile(join(folder, 'logs/spotter.log'));
  file.write('lost');
  await file.settled();
});

it('a line is time, level, sentence and code', () => {
  const at = Date.UTC(2026, 0, 2);
  expect(lineOf({ at, level: 'warn', message: 'the disk is full', code: 'ENOSPC' })).toBe(
    '2026-01-02T00:00:00.000Z warn the disk is full ENOSPC',
  );
});
