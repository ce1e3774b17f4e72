/** The journal's file is taken away under the running program: by a virus scanner, a clean-up, a person. */
import { readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { expect, it, onTestFinished } from 'vitest';
import type { JournalEntry } from '../../src/contract/host.ts';
import { openJournal } from '../../src/host/journal.ts';
import { temporaryFolder } from './fixtures/folder.ts';

const entry = (seq: number): JournalEntry => ({
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
      const entries = [entry(1), entry(2), entry(3)];
      expect(await journal.append(entries.slice(0, 1))).toMatchObject({ ok: true });
      await take(join(folder, 'journal.log'));
      expect(await journal.append(entries.slice(1, 2))).toMatchObject({ ok: true });
      expect(await journal.append(entries.slice(2))).toMatchObject({ ok: true });
      await journal.close();
      expect((await open(folder)).list().entries).toEqual(entries);
      expect(await readdir(folder)).toContain('journal.log');
    },
  );
