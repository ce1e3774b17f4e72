/** A watched folder: which files are new, which were taken together, and that its files stay unchanged. */
import { afterEach, describe, expect, it } from 'vitest';
import { groupsByTime, picturesIn } from '../../../src/renderer/photos/folder.ts';

const made: string[] = [];
/** A real folder in the browser's own file system. */
const folderWith = async (files: Readonly<Record<string, string>>) => {
  const name = `watched-${crypto.randomUUID()}`;
  made.push(name);
  const root = await (
    await navigator.storage.getDirectory()
  ).getDirectoryHandle(name, { create: true });
  for (const [path, text] of Object.entries(files)) {
    const parts = path.split('/');
    const file = parts.pop() ?? '';
    let folder = root;
    for (const part of parts) folder = await folder.getDirectoryHandle(part, { create: true });
    const writing = await (await folder.getFileHandle(file, { create: true })).createWritable();
    await writing.write(text);
    await writing.close();
  }
  return root;
};
afterEach(async () => {
  const root = await navigator.storage.getDirectory();
  for (const name of made.splice(0)) await root.removeEntry(name, { recursive: true });
});

const namesOf = (found: readonly { readonly file: File }[]) =>
  found.map(({ file }) => file.name).sort();

describe('a folder that is watched', () => {
  it('offers pictures and videos of every folder in it, not what is hidden, empty, too deep or something else', async () => {
    const folder = await folderWith({
      'DCIM/100CANON/IMG_1.JPG': 'a',
      'DCIM/100CANON/MVI_2.MOV': 'b',
      'phone.heic': 'c',
      'notes.txt': 'd',
      'empty.jpg': '',
      '.trashed/gone.jpg': 'e',
      '.hidden.jpg': 'f',
      'a/b/c/d/e/deep.jpg': 'g',
    });
    const found = await picturesIn(folder, 0, new Set());
    expect(namesOf(found)).toEqual(['IMG_1.JPG', 'MVI_2.MOV', 'phone.heic']);
    expect(new Set(found.map(({ key }) => key)).size).toBe(3);
  });

  it('offers none that is older, or was seen; one that was written anew under its name is new', async () => {
    const folder = await folderWith({ 'one.jpg': 'a', 'two.jpg': 'b' });
    const [first] = await picturesIn(folder, 0, new Set());
    const rest = await picturesIn(folder, 0, new Set([first?.key ?? '']));
    expect(rest).toHaveLength(1);
    expect(rest[0]?.key).not.toBe(first?.key);
    expect(await picturesIn(folder, Date.now() + 60_000, new Set())).toEqual([]);

    const writing = await (await folder.getFileHandle(first?.file.name ?? '')).createWritable();
    await writing.write('longer than before');
    await writing.close();
    const again = await picturesIn(folder, 0, new Set([first?.key ?? '']));
    expect(namesOf(again)).toEqual(['one.jpg', 'two.jpg']);
  });

  it('says that the folder is gone, instead of that nothing is in it', async () => {
    const folder = await folderWith({ 'one.jpg': 'a' });
    await (
      await navigator.storage.getDirectory()
    ).removeEntry(made.pop() ?? '', { recursive: true });
    await expect(picturesIn(folder, 0, new Set())).rejects.toThrow();
  });

  it('groups what was taken within a quarter of an hour of the one before, the newest group first', () => {
    const at = (name: string, minutes: number) => ({
      key: name,
      file: new File(['x'], name, { lastModified: minutes * 60_000 }),
    });
    const newest_first = [at('d', 100), at('c', 40), at('b', 25), at('a', 10)];
    const groups = groupsByTime(newest_first);
    expect(groups.map(({ pictures }) => pictures.map(({ key }) => key))).toEqual([
      ['d'],
      ['a', 'b', 'c'],
    ]);
    expect(groups.map(({ from, to }) => [from / 60_000, to / 60_000])).toEqual([
      [100, 100],
      [10, 40],
    ]);
    expect(groupsByTime([])).toEqual([]);
  });
});
