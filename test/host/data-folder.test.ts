/** The data folder: private or refused, unreadable files, and unsuitable locations. */
import fs, { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  accessList,
  openPrivateFolder,
  placeWarning,
  sidIn,
} from '../../src/disk/private-folder.ts';
import { startHost } from '../../src/host/index.ts';
import { memoryVault } from '../../src/host/vault/memory.ts';
import { replaceFs } from '../support/windows-errors.ts';
import { temporaryFolder } from './fixtures/folder.ts';
import { startWorld } from './fixtures/world.ts';
import { REPLY_WORKER } from '../../src/host/http/reply-worker-source.ts';

/** The reason why no host starts on this folder. */
const refusal = async (data_dir: string): Promise<string> => {
  const started = await startHost({
    reply_worker: REPLY_WORKER,
    data_dir,
    vault: memoryVault(),
    start_service: null,
    shell: 'test',
    version: '0.0.0',
    log: () => undefined,
  });
  if (started.ok) await started.value.stop();
  expect(started.ok).toBe(false);
  return started.ok ? '' : started.problem.detail;
};

const posix = it.skipIf(process.platform === 'win32');

posix.each([0o777, 0o755, 0o1777])(
  'a data folder with mode %o that is empty or ours is closed to others',
  async (mode) => {
    const folder = join(await temporaryFolder(), 'data');
    await mkdir(folder);
    await chmod(folder, mode);
    const world = await startWorld({ data_dir: folder });
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await world.door.stop();
    await chmod(folder, mode);
    await startWorld({ data_dir: folder });
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  },
);

posix(
  'a folder of other things in which others may write is refused, and left as it is',
  async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'a-letter.txt'), 'words');
    await chmod(folder, 0o777);
    expect(await refusal(folder)).toMatch(
      /^Other users of this computer may write in the data folder/,
    );
    expect((await stat(folder)).mode & 0o777).toBe(0o777);
    expect(await readdir(folder)).toEqual(['a-letter.txt']);
  },
);

posix(
  'a folder of other things that others may read stays so, at the second start too',
  async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'a-letter.txt'), 'words');
    await chmod(folder, 0o755);
    for (const start of ['first', 'second', 'third']) {
      const world = await startWorld({ data_dir: folder });
      expect((await stat(folder)).mode & 0o777, start).toBe(0o755);
      await world.door.stop();
    }
    await chmod(folder, 0o777);
    expect(await refusal(folder)).toMatch(/^Other users of this computer may write/);
  },
);

it('a data folder that is a file, or lies below one, is refused in one sentence', async () => {
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, 'words');
  for (const folder of [file, join(file, 'below')])
    expect(await refusal(folder)).toBe(`The data folder ${folder} is a file, or lies below one.`);
});

it.each(['settings.json', 'session.json'])(
  '%s that cannot be read is not called damaged, and nothing is written in its place',
  async (name) => {
    const folder = await temporaryFolder();
    const path = join(folder, name);
    await writeFile(path, 'words');
    const { readFile: read } = fs;
    const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    replaceFs({
      readFile: ((file: string, how: never) =>
        file === path ? Promise.reject(denied) : read(file, how)) as typeof fs.readFile,
    });
    expect(await refusal(folder)).toBe(
      `${path} cannot be read (EACCES). It was left as it is. Give your user the right to read it, then start again.`,
    );
    replaceFs({ readFile: read });
    expect(await readFile(path, 'utf8')).toBe('words');
    expect(await readdir(folder)).not.toContain(`${name}.damaged`);
  },
);

it('on Windows a folder that is made gets an access list; one that holds something keeps its own; a failure is told', async () => {
  const parent = await temporaryFolder();
  const closed: string[] = [];
  const close = async (folder: string) => void closed.push(folder);
  const names = { ours: ['journal'], before: ['electron'] };
  const open = (name: string, how = close) =>
    openPrivateFolder(join(parent, name), names, 'win32', how);
  expect(await open('made')).toBeNull();
  await mkdir(join(parent, 'fresh/electron'), { recursive: true });
  expect(await open('fresh')).toBeNull();
  await mkdir(join(parent, 'used/journal'), { recursive: true });
  expect(await open('used')).toBeNull();
  expect(closed).toEqual([join(parent, 'made'), join(parent, 'fresh')]);
  expect(await open('other', () => Promise.reject(new Error('no icacls')))).toMatch(
    /^Windows did not take an access list/,
  );
});

it('the access list names the user, the system and administrators by number, since names are translated', () => {
  const said = '"buero-7\\jörg müller","S-1-5-21-1004336348-1177238915-682003330-1001"\r\n';
  const sid = sidIn(said);
  expect(sid).toBe('S-1-5-21-1004336348-1177238915-682003330-1001');
  expect(sidIn('whoami is not recognized')).toBeNull();
  expect(accessList('C:\\Users\\Jörg Müller\\Spotter', sid ?? '')).toEqual([
    'C:\\Users\\Jörg Müller\\Spotter',
    '/inheritance:r',
    '/grant:r',
    `*${sid}:(OI)(CI)F`,
    '*S-1-5-18:(OI)(CI)F',
    '*S-1-5-32-544:(OI)(CI)F',
  ]);
});

it('a data folder in a cloud drive or on a network drive is told, other places are not', () => {
  const env = { OneDriveCommercial: 'D:\\Firma GmbH' };
  const told = [
    'C:\\Users\\jo\\OneDrive\\spotter',
    'C:\\Users\\jo\\OneDrive - Firma GmbH\\spotter',
    'D:\\Firma GmbH\\spotter',
    '/Users/jo/Library/Mobile Documents/com~apple~CloudDocs/spotter',
    '/home/jo/Dropbox/spotter',
    '\\\\server\\share\\spotter',
    '\\\\?\\UNC\\server\\share\\spotter',
  ];
  expect(told.filter((folder) => placeWarning(folder, env) === null)).toEqual([]);
  const fine = [
    'C:\\Users\\jo\\AppData\\Local\\spotter\\Data',
    'D:\\Firma GmbH 2\\spotter',
    '\\\\?\\C:\\spotter',
    '/home/jo/.local/share/spotter',
    '/srv/onedriver/spotter',
  ];
  expect(fine.filter((folder) => placeWarning(folder, env) !== null)).toEqual([]);
});
