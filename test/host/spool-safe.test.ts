/** What the spool must tolerate: temporarily unreadable metadata, and states that a kill leaves between two renames. */
import fs, { mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { expect, it, onTestFinished } from 'vitest';
import { openSpool } from '../../src/host/photos/spool/spool.ts';
import { makeJpeg } from '../support/jpeg.ts';
import { filesBelow } from '../support/files.ts';
import { replaceFs } from '../support/windows-errors.ts';
import { temporaryFolder } from './fixtures/folder.ts';
import { startWorld } from './fixtures/world.ts';

const open = async (folder: string) => {
  const spool = await openSpool(folder);
  onTestFinished(() => spool.close());
  return spool;
};
type Spool = Awaited<ReturnType<typeof open>>;

const take = async (spool: Spool, photo_id: string, bytes: Uint8Array) => {
  await spool.begin({ photo_id, filename: 'a.jpg', size: bytes.length });
  await spool.write(photo_id, 0, bytes);
  const done = await spool.finish(photo_id);
  if (!done.ok) throw new Error(JSON.stringify(done.problem));
  return done.value;
};

it('failures A14: bytes that two photos share stay while the facts of one of them cannot be read', async () => {
  const folder = await temporaryFolder();
  const first = await open(folder);
  const jpeg = await makeJpeg({ seed: 3, bytes: 50_000 });
  const [sent, waits] = [ulid(), ulid()];
  await take(first, sent, jpeg);
  await take(first, waits, jpeg);
  const spool = await open(folder);
  // Temporarily present but unreadable, as with a virus scanner or a network folder.
  const facts = join(folder, 'meta', `${waits}.json`);
  await rename(facts, `${facts}.held`);
  await mkdir(facts);
  await spool.delivered(sent, 1);
  expect((await spool.sweep(2, () => false)).photo_ids).toEqual([sent]);
  await rm(facts, { recursive: true });
  await rename(`${facts}.held`, facts);
  expect(await spool.find(waits)).toMatchObject({ ok: true });
  expect(await (await open(folder)).find(waits)).toMatchObject({ ok: true });
});

it('failures A1: what a kill left unfinished beside the facts of photos goes, and hides no stray original', async () => {
  const folder = await temporaryFolder();
  await (await open(folder)).close();
  const stray = join(folder, 'originals', 'a'.repeat(64));
  await writeFile(stray, 'nobody names it');
  const left = join(folder, 'meta', `${ulid()}.json.0123456789ab.tmp`);
  await writeFile(left, '{"photo_id":');
  await utimes(left, 1, 1);
  await utimes(stray, 1, 1);
  const spool = await open(folder);
  expect(await spool.strays(Date.now())).toEqual(['a'.repeat(64)]);
  expect(await readdir(join(folder, 'meta'))).toEqual([]);
});

it('a start removes what a kill left between writing a file and its rename, in every folder, and nothing else', async () => {
  const folder = await temporaryFolder();
  await (await startWorld({ data_dir: folder })).door.stop();
  const places = ['.', 'journal', 'photos', 'photos/meta', 'photos/uploads', 'photos/claims'];
  const before = await filesBelow(folder);
  for (const place of places)
    await writeFile(join(folder, place, 'some.json.0123456789ab.tmp'), 'half');
  await writeFile(join(folder, 'notes.tmp'), 'of a person');
  await (await startWorld({ data_dir: folder })).door.stop();
  const after = await filesBelow(folder);
  expect(after.filter((path) => !before.includes(path))).toEqual([join(folder, 'notes.tmp')]);
});

it('failures A14: a photo whose files another program holds for a moment is read when they are free, not called damaged', async () => {
  const folder = await temporaryFolder();
  const spool = await open(folder);
  const photo = await take(spool, ulid(), await makeJpeg({ seed: 4, bytes: 50_000 }));
  const whole = await spool.find(photo.photo_id);
  if (!whole.ok) throw new Error('the photo is not there');
  const { open: openFile, readFile, stat } = fs;
  for (const code of ['EBUSY', 'EMFILE']) {
    const left = { open: 2, readFile: 2, stat: 2 };
    const heldFor =
      <A extends unknown[], R>(name: keyof typeof left, real: (...given: A) => Promise<R>) =>
      (...given: A): Promise<R> =>
        String(given[0]).startsWith(folder) && left[name]-- > 0
          ? Promise.reject(Object.assign(new Error(code), { code }))
          : real(...given);
    replaceFs({
      open: heldFor('open', openFile) as typeof fs.open,
      readFile: heldFor('readFile', readFile) as typeof fs.readFile,
      stat: heldFor('stat', stat) as typeof fs.stat,
    });
    expect(await spool.find(photo.photo_id)).toMatchObject({ ok: true });
    expect(await spool.check(whole.value)).toEqual({ ok: true, value: null });
    expect(await spool.read(photo.photo_id, 0, 10)).toMatchObject({ ok: true });
  }
});
