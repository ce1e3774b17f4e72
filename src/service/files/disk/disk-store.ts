/**
 * File store in a folder. `write tmp -> fsync -> rename -> fsync dir`: a part gets its name only when all of it is on
 * the disk. A crash leaves either the whole part or a temporary file, which the next start deletes. Paths consist of
 * the upload's uuid and the part's name, both chosen by the service: a client's name never becomes a path
 * (failures S12).
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { move, removeFile, removeFolder } from '../../../disk/retry-busy-file.ts';
import type { FileStore } from '../file-store.ts';
import { orGone, withRoom } from './disk-errors.ts';
import { incomingPart } from './incoming-part.ts';
import { openLayout } from './part-paths.ts';
import { createReaders } from './read-parts.ts';

/**
 * Opens the store in `folder`, creating it if needed. Layout: `parts/<2 hex>/<uuid>.<name>` and `tmp/`. Only one
 * process at a time may use the folder; the service's lock on its data directory ensures that.
 */
export const openDiskStore = async (folder: string): Promise<FileStore> => {
  const temporaryFolder = join(folder, 'tmp');
  const partsFolder = join(folder, 'parts');
  await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });
  const layout = await openLayout(partsFolder);
  const { pathOf, place, namesOf, walk, changedAt } = layout;
  const { read, send, digest, local } = createReaders(layout, temporaryFolder);
  /** Outside the folder, which contains nothing but uploaded bytes. */
  const ownerFile = `${folder}.owner`;

  return {
    direct: null,
    walk,
    changedAt,
    owner: () => orGone(readFile(ownerFile, 'utf8')),
    // Written atomically: a process that reads half an id would take the files for another database's.
    claim: async (id) => {
      const fresh = `${ownerFile}.${randomUUID()}`;
      await writeFile(fresh, id, { mode: 0o600 });
      await move(fresh, ownerFile);
    },
    begin: async (upload, name) => {
      pathOf(upload, name);
      const temporary = join(temporaryFolder, randomUUID());
      const handle = await withRoom(() => open(temporary, 'wx', 0o600));
      return incomingPart(handle, temporary, (from) => place(upload, name, from));
    },
    digest,
    read,
    send,
    local,
    sizeOf: async (upload, name) => (await orGone(stat(pathOf(upload, name))))?.size ?? null,
    list: namesOf,
    removePart: (upload, name) => removeFile(pathOf(upload, name)),
    remove: async (upload) => {
      let last = false;
      for (const name of await namesOf(upload))
        last = (await orGone(unlink(pathOf(upload, name)).then(() => true))) ?? false;
      return last;
    },
    clean: async () => {
      for (const name of await readdir(temporaryFolder))
        await removeFolder(join(temporaryFolder, name));
    },
    check: async () => {
      await stat(partsFolder);
      const probe = join(temporaryFolder, `probe-${randomUUID()}`);
      await (await open(probe, 'wx', 0o600)).close();
      await removeFile(probe);
    },
  };
};
