/** Files that a sweep found too late or could not delete: they block nothing else and are deleted in the end. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DAY, post, random, startFixture } from './uploads/support.ts';

it('decisions §5.6: what cannot be deleted holds back nothing else, and goes when it can be deleted', async () => {
  const fixture = await startFixture();
  const { uploads } = fixture.service.app;
  await expect.poll(() => existsSync(join(fixture.folder, 'files.owner'))).toBe(true);
  const uuids: string[] = [];
  for (let count = 0; count < 6; count += 1) {
    const upload = await fixture.create({ response_filename: 'a.bin' });
    expect((await post(upload, random(500))).status).toBe(204);
    uuids.push(upload.uuid);
  }
  uuids.sort();
  const parts = join(fixture.folder, 'files/parts');
  // A folder in place of a file: no user, not even root, can unlink it.
  const stuck = [uuids[0] ?? '', uuids[3] ?? ''];
  const inTheWay = stuck.map((uuid) => join(parts, uuid.slice(0, 2), `${uuid}.a-folder`));
  for (const path of inTheWay) mkdirSync(path);
  const orphan = randomUUID();
  const part = await uploads.files.begin(orphan, 'form-x');
  await part.write(random(100));
  await part.commit();
  const [name = ''] = await uploads.files.list(orphan);
  utimesSync(join(parts, orphan.slice(0, 2), `${orphan}.${name}`), 0, 0);

  fixture.advance(8 * DAY);
  expect(await uploads.sweep()).toBe(4);
  await uploads.sweepOrphans();
  expect(await uploads.files.list(orphan)).toEqual([]);
  for (const path of inTheWay) rmSync(path, { recursive: true });
  expect(await uploads.sweep()).toBe(2);
});

it('decisions §5.6: bytes that came after their upload was deleted go a day later, as any that no row needs', async () => {
  const fixture = await startFixture();
  const { uploads } = fixture.service.app;
  await expect.poll(() => existsSync(join(fixture.folder, 'files.owner'))).toBe(true);
  const upload = await fixture.create({ response_filename: 'a.bin' });
  expect((await post(upload, random(500))).status).toBe(204);
  fixture.advance(8 * DAY);
  expect(await uploads.sweep()).toBe(1);
  // Imitates a thumbnail that was being made meanwhile, or a segment sent to the bucket.
  const late = await uploads.files.begin(upload.uuid, 'thumbnail');
  await late.write(random(100));
  await late.commit();
  const path = join(fixture.folder, 'files/parts', upload.uuid.slice(0, 2));
  const at = (age: number): number => (fixture.now() - age) / 1000;
  utimesSync(join(path, `${upload.uuid}.thumbnail`), at(DAY / 2), at(DAY / 2));
  await uploads.sweepOrphans();
  expect(await uploads.files.list(upload.uuid)).toEqual(['thumbnail']);
  fixture.advance(DAY);
  await uploads.sweepOrphans();
  expect(await uploads.files.list(upload.uuid)).toEqual([]);
  expect((await fixture.show(upload.uuid)).status).toBe(410);
});
