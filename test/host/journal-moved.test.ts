/** The journal's file is moved or removed while the program runs: by a virus scanner, a cleaner or a person. */
import { readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { expect, it, onTestFinished } from 'vitest';
import type { JournalOperation } from '../../src/contract/host.ts';
import { openJournal } from '../../src/host/journal/journal.ts';
import { temporaryFolder } from './fixtures/folder.ts';

const operation = (seq: number): JournalOperation => ({
  id: ulid(),
  seq,
  account: 'here/1/2',
  kind: 'near_miss.create',
  version: 1,
  lane: `lane-${seq}`,
  created_at: 1,
  payload: { text: `near miss ${seq}` },
});

const open = async (folder: string) => {
  const journal = await openJournal(folder, () => undefined);
  onTestFinished(() => journal.close());
  return journal;
};

const takenAway: Readonly<Record<string, (path: string) => Promise<void>>> = {
  removed: (path) => rm(path),
  emptied: (path) => truncate(path, 0),
  'moved away': (path) => rename(path, `${path}.moved`),
  'replaced by another': async (path) => {
    await writeFile(`${path}.other`, '');
    await rename(`${path}.other`, path);
  },
};

for (const [how, take] of Object.entries(takenAway))
  it.skipIf(process.platform === 'win32')(
    `outbox promise 1: what is acknowledged after the journal's file was ${how} is there after a restart`,
    async () => {
      const folder = await temporaryFolder();
      const journal = await open(folder);
      const operations = [operation(1), operation(2), operation(3)];
      expect(await journal.append(operations.slice(0, 1))).toMatchObject({ ok: true });
      await take(join(folder, 'journal.log'));
      expect(await journal.append(operations.slice(1, 2))).toMatchObject({ ok: true });
      expect(await journal.append(operations.slice(2))).toMatchObject({ ok: true });
      await journal.close();
      expect((await open(folder)).list().operations).toEqual(operations);
      expect(await readdir(folder)).toContain('journal.log');
    },
  );
