/** Renames and removals that another program blocks for a moment. */
import fs from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { move, removeFile, removeFolder } from '../../src/disk/retry-busy-file.ts';
import { filesBelow } from '../support/files.ts';
import { replaceFs } from '../support/windows-errors.ts';
import { temporaryFolder } from './fixtures/folder.ts';
import { slow } from '../support/slow.ts';

const refused = (code: string) => Object.assign(new Error(`${code}: refused`), { code });

/** Imitates a virus scanner: the first tries find the file held. Returns a function that counts the tries. */
const heldFor = (tries: number, code: string): (() => number) => {
  const { rename, rm } = fs;
  let tried = 0;
  const orRefuse = async (work: () => Promise<void>): Promise<void> => {
    tried += 1;
    if (tried <= tries) throw refused(code);
    await work();
  };
  replaceFs({
    rename: (from, to) => orRefuse(() => rename(from, to)),
    rm: (path, options) => orRefuse(() => rm(path, options)),
  });
  return () => tried;
};

it.each(['EPERM', 'EACCES', 'EBUSY'])(
  'what is held for a moment (%s) is renamed and removed all the same',
  async (code) => {
    const folder = await temporaryFolder();
    const [from, to] = [join(folder, 'from'), join(folder, 'to')];
    await fs.writeFile(from, 'bytes');
    await fs.mkdir(join(folder, 'below'));
    await fs.writeFile(join(folder, 'below', 'file'), 'bytes');
    heldFor(3, code);
    await move(from, to);
    expect(await fs.readFile(to, 'utf8')).toBe('bytes');
    heldFor(3, code);
    await removeFile(to);
    heldFor(3, code);
    await removeFolder(join(folder, 'below'));
    expect(await filesBelow(folder)).toEqual([]);
  },
);

slow(
  'what no patience helps is said at once, and what is held for good after a while',
  async () => {
    const folder = await temporaryFolder();
    const at_once = heldFor(0, 'EPERM');
    await expect(move(join(folder, 'none'), join(folder, 'to'))).rejects.toMatchObject({
      code: 'ENOENT',
    });
    expect(at_once()).toBe(1);
    const held = heldFor(Infinity, 'EPERM');
    await expect(move(join(folder, 'none'), join(folder, 'to'))).rejects.toMatchObject({
      code: 'EPERM',
    });
    expect(held()).toBeGreaterThan(5);
  },
);
