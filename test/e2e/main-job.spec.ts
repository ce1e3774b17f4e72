/**
 * The supervisor's main job, end to end: near misses with photos recorded while the service is unreachable, everything killed
 * and restarted. Then each record is on the service once, with every byte of every photo.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { filesWith } from '../support/files.ts';
import { expect, test } from './fixtures.ts';
import {
  asStored,
  connectToServer,
  drained,
  photoFile,
  report,
  sorted,
  storedAt,
  type Report,
  waitingCount,
} from './steps.ts';

test.use({ serverProcess: true });

const PROJECT = 'Harbour Bridge East';
const DELIVERY = { timeout: 60_000 };

/** @param bytes of each photo, and of those of the second and third report where it differs */
const three = async (
  folder: string,
  marker: string,
  bytes?: number,
  later = bytes,
): Promise<Report[]> => {
  const texts = [
    'Scaffold board slid off level 3 at the north stair',
    'Rebar caps missing at pier 5 beside the walkway',
    'Live cable found in trench 4, drawing out of date',
  ];
  return Promise.all(
    texts.map(async (text, at) => {
      const size = at === 0 ? bytes : later;
      return {
        text: `${text} (${marker})`,
        photos: [
          await photoFile(folder, at * 2 + 1, size),
          await photoFile(folder, at * 2 + 2, size),
        ],
      };
    }),
  );
};

test(
  'the main job: three near misses with two photos each, of 4 MB too, filed offline, host killed, all delivered once',
  { tag: '@main' },
  async ({ app, server, client, keyring, folder }) => {
    const reports = await three(folder, 'main-job', 4_000_000, 400_000);
    const page = await app.open({ env: keyring.env });
    await connectToServer(page, server, PROJECT);
    await expect(page.getByRole('link', { name: 'Online · all delivered' })).toBeVisible();

    await server.stop();
    for (const one of reports) await report(page, one);
    await expect.poll(() => waitingCount(page)).toBe(3);
    await expect(
      page.getByRole('link', { name: 'Offline · 3 waiting, safe on this laptop' }),
    ).toBeVisible();

    await app.kill();
    const again = await app.open({ env: keyring.env });
    await expect.poll(() => waitingCount(again)).toBe(3);

    await server.start();
    await expect
      .poll(async () => sorted(await storedAt(client, 'main-job')), DELIVERY)
      .toEqual(sorted(asStored(reports)));
    await drained(again, DELIVERY);
    await expect(again.getByRole('link', { name: 'Online · all delivered' })).toBeVisible();

    // The token is only in the keyring: neither in the host's files nor in the browser's profile.
    await app.close();
    expect(await filesWith(app.data_dir, server.first.token)).toEqual([]);
  },
);

test('the main job with the service killed in the middle of a segment (failures A1, A4)', async ({
  server,
  chaos,
  client,
  world,
  keyring,
  folder,
}) => {
  const reports = await three(folder, 'mid-segment');
  const gate = Promise.withResolvers<void>();
  try {
    const page = await world.open({ env: keyring.env });
    // The second segment stalls in its middle until the service is dead.
    let segments = 0;
    chaos.plan = (seen) =>
      seen.method === 'PUT' && (segments += 1) === 2
        ? { kind: 'hold_request', after: 200_000, until: gate.promise }
        : null;
    for (const one of reports) await report(page, one);
    await expect
      .poll(() => chaos.seen.filter((seen) => seen.method === 'PUT').length, DELIVERY)
      .toBeGreaterThanOrEqual(2);
    await server.stop('SIGKILL');
    gate.resolve();
    await expect(page.getByRole('link', { name: /Offline|Server busy/ })).toBeVisible();
    await server.start();
    await expect
      .poll(async () => sorted(await storedAt(client, 'mid-segment')), { timeout: 120_000 })
      .toEqual(sorted(asStored(reports)));
    await drained(page, DELIVERY);
  } finally {
    gate.resolve();
  }
});

test('failures A18: the IndexedDB folder is deleted with three items queued; all three come back and are delivered once', async ({
  app,
  server,
  client,
  keyring,
  folder,
}) => {
  const reports = await three(folder, 'no-indexeddb', 600_000);
  const page = await app.open({ env: keyring.env });
  await connectToServer(page, server, PROJECT);
  await server.stop();
  for (const one of reports) await report(page, one);
  await app.close();

  await rm(join(app.profile_dir, 'IndexedDB'), { recursive: true });
  const again = await app.open({ env: keyring.env });
  await expect(
    again.getByText('3 waiting near misses were restored from the backup.'),
  ).toBeVisible();
  await expect.poll(() => waitingCount(again)).toBe(3);
  for (const { text } of reports) await expect(again.getByText(text).first()).toBeVisible();

  await server.start();
  await expect
    .poll(async () => sorted(await storedAt(client, 'no-indexeddb')), DELIVERY)
    .toEqual(sorted(asStored(reports)));
  await drained(again, DELIVERY);
});
