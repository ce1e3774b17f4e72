/**
 * A full disk (failures S5): a small ext4 image mounted for the test. Needs Linux, root and loop devices; otherwise the tests
 * are skipped and say so.
 */
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Upload } from '../../../src/contract/rest/uploads.ts';
import { cut, KIB, md5, post, put, random, sha256, startFixture } from './support.ts';

const MIB = KIB * KIB;

const tryRun = (command: string, ...values: string[]): boolean => {
  try {
    execFileSync(command, values, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Mounts a fresh ext4 of `size` bytes at `at`. False if this machine cannot. */
const mountSmallDisk = (image: string, at: string, size: number): boolean => {
  writeFileSync(image, '');
  execFileSync('truncate', ['-s', String(size), image]);
  mkdirSync(at, { recursive: true });
  return (
    tryRun('mkfs.ext4', '-q', '-F', '-m', '0', image) && tryRun('mount', '-o', 'loop', image, at)
  );
};

const canMount = (() => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), 'spotter-mount-'));
  const at = join(folder, 'at');
  const mounted = mountSmallDisk(join(folder, 'image'), at, 4 * MIB);
  if (mounted) tryRun('umount', at);
  rmSync(folder, { recursive: true, force: true });
  return mounted;
})();

/** A folder whose disk (or only its subfolder `below`) has `size` bytes. Unmounted after the test's service has stopped. */
const smallFolder = (size: number, below = ''): string => {
  const base = mkdtempSync(join(tmpdir(), 'spotter-full-'));
  const folder = join(base, 'data');
  const at = join(folder, below);
  expect(mountSmallDisk(join(base, 'image'), at, size)).toBe(true);
  onTestFinished(() => {
    tryRun('umount', '-l', at);
    rmSync(base, { recursive: true, force: true });
  });
  return folder;
};

const freeOf = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

describe.skipIf(!canMount)('full disk (needs Linux, root and loop devices)', () => {
  it('failures S5: a segment that does not fit is a 507, its partial file is gone, and the service goes on', async () => {
    const folder = smallFolder(24 * MIB, 'files');
    const fixture = await startFixture({ folder, options: { 'free-space': 0 } });
    const large = cut(random(40 * MIB), 40 * MIB);
    const tooLarge = await fixture.create({ response_filename: 'a.mp4', segments: large.pieces });
    const small = cut(random(MIB), MIB);
    const fits = await fixture.create({ response_filename: 'b.jpg', segments: small.pieces });
    const before = freeOf(join(folder, 'files'));
    const answer = await put(tooLarge, 0, large[0] ?? Buffer.of());
    expect(answer.status).toBe(507);
    await expect.poll(() => fixture.files()).toEqual({});
    await expect.poll(() => freeOf(join(folder, 'files'))).toBeGreaterThan(before - MIB);
    expect((await fixture.call('GET', '/healthz')).status).toBe(200);
    expect((await put(fits, 0, small[0] ?? Buffer.of())).status).toBe(200);
    expect((await fixture.complete(fits.uuid, small.map(md5))).status).toBe(200);
    const view = (await fixture.show(tooLarge.uuid)).json as Upload;
    expect(view.segments?.[0]?.etag).toBeNull();
  });

  it('failures S5: a form whose file does not fit is a 507 and can be posted again when there is room', async () => {
    const folder = smallFolder(16 * MIB, 'files');
    const fixture = await startFixture({ folder });
    const filler = join(folder, 'files', 'filler');
    writeFileSync(filler, Buffer.alloc(freeOf(join(folder, 'files')) - 2 * MIB));
    const upload = await fixture.create({ response_filename: 'a.jpg' });
    const bytes = random(3 * MIB);
    const refused = await post(upload, bytes);
    expect(refused.status).toBe(507);
    await expect.poll(() => Object.keys(fixture.files())).toEqual(['filler']);
    unlinkSync(filler);
    expect((await post(upload, bytes)).status).toBe(204);
    const [id = 0] = await fixture.associate([upload.uuid], 1);
    const back = Buffer.from(await (await fetch(fixture.addresses(id).url)).arrayBuffer());
    expect(sha256(back)).toBe(sha256(bytes));
  });

  it('failures S5: with database and files on one full disk every refusal is a 507 and everything acknowledged is kept', async () => {
    const folder = smallFolder(24 * MIB);
    const fixture = await startFixture({ folder });
    const acknowledged: { upload: Upload; sha256: string }[] = [];
    const refusals: number[] = [];
    for (let n = 0; n < 40 && refusals.length < 4; n += 1) {
      const parts = cut(random(MIB), MIB);
      const path = `/rest/v1.1/companies/${fixture.owner.company_id}/uploads`;
      const body = { response_filename: 'a.jpg', segments: parts.pieces };
      const created = await fixture.call('POST', path, body);
      const upload = created.json as Upload;
      const sent = created.status === 201 ? await put(upload, 0, parts[0] ?? Buffer.of()) : created;
      const done = sent.status === 200 ? await fixture.complete(upload.uuid, parts.map(md5)) : sent;
      if (done.status === 200) acknowledged.push({ upload, sha256: parts.pieces[0]?.sha256 ?? '' });
      else refusals.push(done.status);
    }
    expect(refusals).toEqual([507, 507, 507, 507]);
    expect(acknowledged.length).toBeGreaterThan(10);
    expect(Object.keys(fixture.files()).filter((path) => path.startsWith('tmp/'))).toEqual([]);
    for (const { upload, sha256: announced } of acknowledged) {
      expect((await fixture.show(upload.uuid)).json).toMatchObject({ status: 'complete' });
      const part = `files/parts/${upload.uuid.slice(0, 2)}/${upload.uuid}.s0`;
      expect(sha256(readFileSync(join(folder, part)))).toBe(announced);
    }
  });
});
