/**
 * The demo company: near misses over months, reported after they happened, with photos that open, some in the recycle bin;
 * decisions §10.
 */
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { endDemo, NoDemo, openDemo } from '../../src/service/demo/seats.ts';
import { seedCompany } from '../../src/service/demo/seed.ts';
import type { EntryAttachment } from '../../src/contract/rest/attachments.ts';
import type { Insurance } from '../../src/contract/rest/insurances.ts';
import type { NearMiss } from '../../src/contract/rest/near-misses.ts';
import { onPostgres } from '../support/database.ts';
import {
  clientOf,
  runCli,
  startTestService,
  tempDir,
  testClock,
  type TestService,
} from '../support/service.ts';
import { bin, list } from './near-miss-records.ts';
import { slow, SLOW } from '../support/slow.ts';

let t: TestService;
let live: readonly NearMiss[];
let binned: readonly NearMiss[];
beforeAll(async () => {
  t = await startTestService({}, testClock(), true);
  live = (await t.demo.get(`${list}?per_page=1000`)).json as NearMiss[];
  binned = (await t.demo.get(`${bin}?per_page=1000`)).json as NearMiss[];
});
afterAll(() => t.stop());

const DAY = 86_400_000;
const reportedAt = ({ created_at }: NearMiss): number => Date.parse(created_at ?? '');
const valueOf = (row: NearMiss, type: string): string | undefined =>
  Object.values(row.custom_fields ?? {})
    .filter((field) => field?.data_type === type)
    .map((field) => String(field?.value))[0];

it('decisions §10: the demo spans months, most of it lately, and was told after it happened', () => {
  const now = t.clock.now();
  const days = live.map((row) => (now - reportedAt(row)) / DAY);
  expect(Math.max(...days)).toBeGreaterThan(150);
  expect(Math.min(...days)).toBeGreaterThan(0);
  expect(Math.min(...days)).toBeLessThan(1);
  expect(days.filter((day) => day < 84).length).toBeGreaterThan(live.length / 2);
  const delays = live.flatMap((row) => {
    const happened = valueOf(row, 'datetime');
    return happened === undefined ? [] : [reportedAt(row) - Date.parse(happened)];
  });
  expect(delays.length).toBeGreaterThan(200);
  expect(Math.min(...delays)).toBeGreaterThan(0);
  expect(delays.filter((delay) => delay <= 600_000).length).toBeGreaterThan(delays.length / 4);
  expect(delays.filter((delay) => delay > 3_600_000).length).toBeGreaterThan(delays.length / 10);
});

it('decisions §10: every harm source and work activity of the demo is in use, and the bin has some', () => {
  expect(new Set(live.map((row) => row.harm_source?.name)).size).toBe(8 + 1); // plus records without one
  expect(new Set(live.map((row) => row.work_activity?.name)).size).toBe(8 + 1);
  expect(binned).toHaveLength(6);
  expect(binned.every((row) => Date.parse(row.deleted_at ?? '') > reportedAt(row))).toBe(true);
});

slow(
  'decisions §10, §3.7: the demo’s photos have the bytes they promise, are pictures, and have thumbnails',
  async () => {
    const shown = live.flatMap((row) => row.attachments ?? []);
    expect(shown.length).toBeGreaterThan(15);
    expect(
      live.slice(0, 6).filter((row) => (row.attachments ?? []).length > 0).length,
    ).toBeGreaterThan(2);
    const [photo] = shown;
    if (photo === undefined) throw new Error('no photo');
    const bytes = Buffer.from(await (await fetch(photo.url ?? '')).arrayBuffer());
    expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([
      photo.size,
      photo.sha256,
    ]);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg' });
    const small = await fetch(photo.thumbnail_url ?? '');
    expect([small.status, small.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  },
);

it('decisions §10, §8, §6: vendors’ insurances are in force, running out, run out; extra work has photos and sheets', async () => {
  const { vendors } = (await t.demo.get('~/catalog')).json as { vendors: { id: number }[] };
  const lists = await Promise.all(
    vendors.map(async ({ id }) => (await t.demo.get(`~/vendors/${id}/insurances`)).json),
  );
  const days = (lists.flat() as Insurance[]).map(
    ({ expiration_date }) => (Date.parse(expiration_date ?? '') - t.clock.now()) / DAY,
  );
  expect(lists.every((list) => list.length > 0)).toBe(true);
  expect(days.some((left) => left < 0)).toBe(true);
  expect(days.some((left) => left > 0 && left < 30)).toBe(true);
  expect(days.some((left) => left > 100)).toBe(true);

  const files = (await t.demo.get('~/time_and_material_entry_attachments'))
    .json as EntryAttachment[];
  expect(new Set(files.map((file) => file.time_and_material_entry_id)).size).toBe(3);
  const read = files.map(async ({ url, content_type }) => {
    const bytes = Buffer.from(await (await fetch(url ?? '')).arrayBuffer());
    return [content_type, bytes.toString('latin1', 0, 4)];
  });
  const kinds = await Promise.all(read);
  expect(kinds).toContainEqual(['application/pdf', '%PDF']);
  expect(
    kinds.filter(
      ([type, start]) =>
        (type === 'image/jpeg' && start === '\xff\xd8\xff\xe0') || start === '\xff\xd8\xff\xdb',
    ),
  ).toHaveLength(4);
});

it('decisions §10: a demo’s tokens end with the first start that is none; its own starts end those of three months ago', async () => {
  const own = await startTestService();
  onTestFinished(() => own.stop());
  const { store, uploads } = own.service.app;
  const tokens = [own.demo.token];
  // After ten restarts in a morning a laptop is still signed in.
  for (let n = 0; n < 10; n += 1) {
    own.clock.advance(1000);
    tokens.push((await openDemo(store, own.clock.now(), uploads.files, false)).token);
  }
  const statuses = async () =>
    Promise.all(
      tokens.map(
        async (token) =>
          (await clientOf(own.url, { ...own.demo, token }).get('/rest/v1.0/me')).status,
      ),
    );
  expect(new Set(await statuses())).toEqual(new Set([200]));
  own.clock.advance(91 * 24 * 3600 * 1000);
  tokens.push((await openDemo(store, own.clock.now(), uploads.files, false)).token);
  expect(await statuses()).toEqual([...Array<number>(11).fill(401), 200]);
  await endDemo(store);
  expect(new Set(await statuses())).toEqual(new Set([401]));
  const [left] = await own.database.query('select count(*) as n from tokens');
  expect(left?.['n']).toBe(0);
});

it('decisions §10: --demo refuses a database that holds a company of somebody’s own, and says so', async () => {
  const own = await startTestService();
  onTestFinished(() => own.stop());
  const { store, uploads } = own.service.app;
  const named = { company: 'Real Firm', project: 'Bridge', user: ['Rita', 'rita@firm'] as const };
  await store.write((tx) => seedCompany(tx, own.clock.now(), named));
  const refused = openDemo(store, own.clock.now(), uploads.files, false);
  await expect(refused).rejects.toBeInstanceOf(NoDemo);
  await expect(refused).rejects.toThrow(/"Real Firm".*--data-dir/);
});

it.skipIf(onPostgres)(
  'decisions §10: on the command line too: exit 1, nothing seeded, nothing served; without --demo it ends the demo',
  SLOW,
  async () => {
    const dir = tempDir('real');
    onTestFinished(() => dir.remove());
    const words = ['--user', 'rita@firm', '--new-user', 'Rita', '--new-company', 'Real Firm'];
    await runCli(['token', 'create', ...words, '--data-dir', dir.path]);
    const { code, stdout, stderr } = await runCli([
      '--demo',
      '--port',
      '0',
      '--data-dir',
      dir.path,
    ]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('This database holds the company "Real Firm"');
    const bare = await runCli(['--demo-bare', '--port', '0', '--data-dir', dir.path]);
    expect([bare.code, bare.stderr]).toEqual([2, expect.stringContaining('--demo')]);
  },
);
