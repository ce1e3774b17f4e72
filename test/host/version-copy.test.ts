/** The window's database is copied before another version first opens it, and only then; the latest copy is kept. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { copyBeforeNewVersion } from '../../src/host/window/version-copy.ts';
import { temporaryFolder } from './fixtures/folder.ts';

it('a new version copies once; the same one never; of two changes the last is kept', async () => {
  const root = await temporaryFolder();
  const [store, folder] = [join(root, 'IndexedDB'), join(root, 'before-update')];
  const copies = async () => (await readdir(folder)).filter((name) => name !== 'version');
  const start = (version: string) => copyBeforeNewVersion(store, folder, version, console.error);
  // The very first start has nothing to copy.
  await start('0.1.0');
  expect(await copies()).toEqual([]);
  await mkdir(join(store, 'app.leveldb'), { recursive: true });
  await writeFile(join(store, 'app.leveldb/LOG'), 'of 0.1.0');
  await start('0.1.0');
  expect(await copies()).toEqual([]);
  await start('0.2.0');
  await writeFile(join(store, 'app.leveldb/LOG'), 'of 0.2.0');
  await start('0.2.0');
  expect(await copies()).toEqual(['before-0.2.0']);
  expect(await readFile(join(folder, 'before-0.2.0/app.leveldb/LOG'), 'utf8')).toBe('of 0.1.0');
  await start('0.3.0');
  expect(await copies()).toEqual(['before-0.3.0']);
  expect(await readFile(join(folder, 'before-0.3.0/app.leveldb/LOG'), 'utf8')).toBe('of 0.2.0');
});

it('a copy whose note could not be written is kept: by then the new version may have changed the database', async () => {
  const root = await temporaryFolder();
  const [store, folder] = [join(root, 'IndexedDB'), join(root, 'before-update')];
  const start = () => copyBeforeNewVersion(store, folder, '0.2.0', console.error);
  const copied = () => readFile(join(folder, 'before-0.2.0/app.leveldb/LOG'), 'utf8');
  await mkdir(join(store, 'app.leveldb'), { recursive: true });
  await mkdir(join(folder, 'before-0.1.0'), { recursive: true });
  await writeFile(join(store, 'app.leveldb/LOG'), 'of 0.1.0');
  await start();
  // The state of a disk that was too full to record the version.
  await writeFile(join(folder, 'version'), '0.1.0');
  await writeFile(join(store, 'app.leveldb/LOG'), 'of 0.2.0');
  await start();
  expect(await copied()).toBe('of 0.1.0');
  expect(await readFile(join(folder, 'version'), 'utf8')).toBe('0.2.0');
  expect((await readdir(folder)).sort()).toEqual(['before-0.2.0', 'version']);
});

it('a copy that was cut short is no copy: it is made anew', async () => {
  const root = await temporaryFolder();
  const [store, folder] = [join(root, 'IndexedDB'), join(root, 'before-update')];
  await mkdir(join(store, 'app.leveldb'), { recursive: true });
  await writeFile(join(store, 'app.leveldb/LOG'), 'of 0.1.0');
  await mkdir(join(folder, 'making/app.leveldb'), { recursive: true });
  await writeFile(join(folder, 'making/app.leveldb/MANIFEST'), 'ha');
  await copyBeforeNewVersion(store, folder, '0.2.0', console.error);
  expect((await readdir(folder)).sort()).toEqual(['before-0.2.0', 'version']);
  expect(await readdir(join(folder, 'before-0.2.0/app.leveldb'))).toEqual(['LOG']);
});
