/** Copies of the window's database on real files: taken before the browser opens it, kept if it was damaged, bounded. */
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openWindowStore } from '../../src/host/window/window-store.ts';
import { temporaryFolder } from './fixtures/folder.ts';

const profile = async (folder: string, words: string) => {
  const level = join(folder, 'IndexedDB/http_127.0.0.1_1.indexeddb.leveldb');
  const blobs = join(folder, 'IndexedDB/http_127.0.0.1_1.indexeddb.blob/1/00');
  await mkdir(level, { recursive: true });
  await mkdir(blobs, { recursive: true });
  await writeFile(join(level, '000005.ldb'), `table ${words}`);
  await writeFile(join(level, '000007.log'), `log ${words}`);
  await writeFile(join(blobs, '3'), `blob ${words}`);
  return { store: join(folder, 'IndexedDB'), level };
};

let now = Date.parse('2026-03-04T07:15:00Z');
const clock = { now: () => (now += 1000), monotonic: () => now };
const open = (store: string | null, kept: string) =>
  openWindowStore(store, kept, clock, () => undefined);

it('failures A19: the copy made before the start outlives what the browser does to the damaged database', async () => {
  const folder = await temporaryFolder();
  const kept = join(folder, 'kept');
  const { store, level } = await profile(folder, 'damaged');
  const window = await open(store, kept);
  // As Chromium does before the window notices: it deletes everything, or continues a log.
  await writeFile(join(level, '000007.log'), 'log of the new one');
  await rm(join(level, '000005.ldb'));
  const reported = await window.report('lost');
  const at = reported.ok ? (reported.value.kept ?? '') : '';
  const copy = join(at, 'http_127.0.0.1_1.indexeddb.leveldb');
  expect(await readFile(join(copy, '000005.ldb'), 'utf8')).toBe('table damaged');
  expect(await readFile(join(copy, '000007.log'), 'utf8')).toBe('log damaged');
  const blob = join(at, 'http_127.0.0.1_1.indexeddb.blob/1/00/3');
  expect(await readFile(blob, 'utf8')).toBe('blob damaged');
});

it('failures A19: a table is linked, not copied; a healthy report lets the copy go', async () => {
  const folder = await temporaryFolder();
  const kept = join(folder, 'kept');
  const { store, level } = await profile(folder, 'fine');
  const window = await open(store, kept);
  if (process.platform !== 'win32')
    expect((await stat(join(level, '000005.ldb'))).nlink).toBeGreaterThan(1);
  expect(await window.report('healthy')).toEqual({ ok: true, value: { kept: null } });
  expect(await readdir(kept)).toEqual([]);
  expect(await readFile(join(level, '000005.ldb'), 'utf8')).toBe('table fine');
});

it('failures A19: the last two are kept; one found broken while open is copied then; nobody’s profile is nothing', async () => {
  const folder = await temporaryFolder();
  const kept = join(folder, 'kept');
  for (let round = 0; round < 4; round += 1) {
    const { store } = await profile(folder, `round ${round}`);
    const window = await open(store, kept);
    await window.report(round === 3 ? 'healthy' : 'lost');
    if (round < 3) continue;
    expect(await window.report('lost')).toMatchObject({ value: { kept: null } });
    expect(await window.report('broken')).toMatchObject({
      value: { kept: expect.stringContaining(kept) as string },
    });
  }
  const names = (await readdir(kept)).sort();
  expect(names).toHaveLength(2);
  const newest = join(kept, names[1] ?? '', 'http_127.0.0.1_1.indexeddb.leveldb/000007.log');
  expect(await readFile(newest, 'utf8')).toBe('log round 3');
  const none = await open(null, join(folder, 'none'));
  expect(await none.report('broken')).toEqual({ ok: true, value: { kept: null } });
});

it('failures A19: a copy that no window reported on stays through the next start', async () => {
  const folder = await temporaryFolder();
  const kept = join(folder, 'kept');
  const { store } = await profile(folder, 'before the damage was thrown away');
  await open(store, kept);
  await profile(folder, 'empty and new');
  const second = await open(store, kept);
  const reported = await second.report('lost');
  const at = reported.ok ? (reported.value.kept ?? '') : '';
  const log = join(at, 'http_127.0.0.1_1.indexeddb.leveldb/000007.log');
  expect(await readFile(log, 'utf8')).toBe('log before the damage was thrown away');
});

it('failures A16: on a full disk a database that does not open is not called broken', async () => {
  const folder = await temporaryFolder();
  const { store } = await profile(folder, 'whole');
  const full = async () => 1024;
  const at = join(folder, 'kept');
  const window = await openWindowStore(store, at, clock, () => undefined, full);
  expect(await window.report('broken')).toMatchObject({ problem: { kind: 'no_space' } });
  expect(await window.report('healthy')).toMatchObject({ ok: true });
});

it('failures A19: on Windows everything is copied, so that what Chromium holds open does not keep the copy', async () => {
  const folder = await temporaryFolder();
  const kept = join(folder, 'kept');
  const { store, level } = await profile(folder, 'fine');
  await openWindowStore(store, kept, clock, () => undefined, undefined, 'win32');
  expect((await stat(join(level, '000005.ldb'))).nlink).toBe(1);
  const [copy = ''] = await readdir(kept);
  const table = join(kept, copy, 'http_127.0.0.1_1.indexeddb.leveldb/000005.ldb');
  expect(await readFile(table, 'utf8')).toBe('table fine');
});
