/**
 * Photos that wait while texts are sent: data saver, pause and leaving one out, each across a restart; progress, speed and time
 * left.
 */
import type { Page } from 'playwright/test';
import { join } from 'node:path';
import { firstOf, type Chaos, type Seen } from '../support/chaos.ts';
import { databaseOf } from '../support/database.ts';
import type { Server } from '../support/server.ts';
import { expect, test } from './fixtures.ts';
import { asStored, drained, photoFile, report, signIn, storedAt } from './steps.ts';

test.use({ serverProcess: true });

const isSegment = (seen: Seen): boolean => seen.method === 'PUT';
const delivered = (chaos: Chaos) =>
  chaos.seen.filter((seen) => isSegment(seen) && seen.status === 200);

const shoot = async (page: Page, name: string): Promise<void> => {
  const shots = process.env['SPOTTER_LOOKS'];
  if (!shots) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    await page.screenshot({ path: join(shots, `${name}-${colorScheme}.png`) });
  }
};
/** The token was kept in memory and lost with the host. */
const signInAgain = async (page: Page, server: Server): Promise<void> => {
  await signIn(page, server);
  await expect(page.getByText(/^Updated/)).toBeVisible({ timeout: 60_000 });
};
const waiting = async (page: Page) => {
  await page
    .getByRole('link', { name: /^Waiting/ })
    .first()
    .click();
  return page.getByRole('region', { name: 'Photos on their way' });
};

test('data saver: the text is sent, photos wait with the reason, across a restart, until “Send photos now”', async ({
  app,
  server,
  chaos,
  client,
  world,
  folder,
}) => {
  test.setTimeout(600_000);
  let page = await world.open();
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await page.getByText('Manually').click();
  await shoot(page, 'photo-settings');
  const photos = [await photoFile(folder, 1, 300_000), await photoFile(folder, 2, 300_000)];
  const one = { text: 'Saver: loose toe board', photos };
  await report(page, one);
  let traffic = await waiting(page);
  await expect(traffic.getByRole('status')).toHaveText(
    'Text is sent. Photos are held back until you send them (see Settings).',
  );
  await expect(traffic.getByRole('heading')).toHaveText('2 photos waiting');
  await expect.poll(() => storedAt(client, 'Saver')).toEqual([{ text: one.text, hashes: [] }]);
  await shoot(page, 'traffic-saver');

  await app.kill();
  page = await app.open();
  page.setDefaultTimeout(60_000);
  traffic = await waiting(page);
  await expect(traffic.getByRole('heading')).toHaveText('2 photos waiting');
  await signInAgain(page, server);
  traffic = await waiting(page);
  expect(delivered(chaos)).toHaveLength(0);
  await traffic.getByRole('button', { name: 'Send photos now' }).click();
  await expect(page.getByText('Nothing is waiting')).toBeVisible({ timeout: 60_000 });
  expect(await storedAt(client, 'Saver')).toEqual(asStored([one]));
});

test('failures A1: photos are paused and left out while they are sent; paused after a restart; only what is missing is sent', async ({
  app,
  server,
  chaos,
  client,
  world,
  folder,
}) => {
  test.setTimeout(600_000);
  let page = await world.open();
  // A slow line: each segment's answer is delayed, and none after the sixth arrives.
  const gate = Promise.withResolvers<'cut'>();
  let count = 0;
  chaos.plan = (seen) => {
    if (!isSegment(seen)) return null;
    count += 1;
    const last = count > 6;
    const slow = () => new Promise<'pass'>((resolve) => setTimeout(resolve, 1_500, 'pass'));
    return { kind: 'hold_reply', until: last ? () => gate.promise : slow };
  };
  const photos = [await photoFile(folder, 3, 9_000_000), await photoFile(folder, 4, 300_000)];
  await report(page, { text: 'Pause: rope frayed', photos });
  let traffic = await waiting(page);
  await expect(traffic.getByText(/ per second$/)).toBeVisible({ timeout: 60_000 });
  await expect(traffic.getByText(/^about .* left$/)).toBeVisible();
  await page.getByRole('button', { name: 'Steps of Pause: rope frayed' }).click();
  await shoot(page, 'traffic-sending');
  await expect.poll(() => delivered(chaos).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(5);
  await traffic.getByRole('button', { name: 'Pause photos' }).click();
  await expect(traffic.getByRole('heading')).toHaveText('2 photos waiting');
  await expect(traffic.getByRole('status')).toHaveText(
    'Text is sent. Paused photos are held back until you send them.',
  );
  await shoot(page, 'traffic-paused');
  gate.resolve('cut');

  await app.kill();
  chaos.plan = () => null;
  const before = new Set(delivered(chaos).map((seen) => seen.path.split('?')[0]));
  const seen = chaos.seen.length;
  page = await app.open();
  page.setDefaultTimeout(60_000);
  traffic = await waiting(page);
  await expect(traffic.getByRole('heading')).toHaveText('2 photos waiting');
  await signInAgain(page, server);
  await waiting(page);
  expect(chaos.seen.slice(seen).filter(isSegment)).toHaveLength(0);

  await page.getByRole('button', { name: 'Steps of Pause: rope frayed' }).click();
  await page.getByRole('button', { name: /^More for Photo 2 of 2/ }).click();
  await page.getByRole('menuitem', { name: 'Don’t send IMG_1004.jpg' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(traffic.getByRole('heading')).toHaveText('1 photo waiting');
  await traffic.getByRole('button', { name: 'Send photos now' }).click();
  await expect(page.getByText('Nothing is waiting')).toBeVisible({ timeout: 60_000 });
  const again = chaos.seen.slice(seen).filter(isSegment);
  expect(again.length).toBeGreaterThan(0);
  expect(again.filter((put) => before.has(put.path.split('?')[0]))).toEqual([]);
  expect(await storedAt(client, 'Pause')).toEqual(
    asStored([{ text: 'Pause: rope frayed', photos: photos.slice(0, 1) }]),
  );
});

test('failures A11, A12, A13: a bit flips, an upload’s hour and week run out: each photo arrives byte for byte, once', async ({
  server,
  chaos,
  client,
  world,
  folder,
}) => {
  const page = await world.open();
  const { query } = await databaseOf(server.data_dir);
  const begun = () =>
    chaos.seen.filter(({ method, path }) => method === 'POST' && path.endsWith('/uploads')).length;
  const one = async (seed: number, text: string) => {
    const photos = [await photoFile(folder, seed, 300_000)];
    await report(page, { text, photos });
    return { text, photos };
  };
  const whole = async (made: { text: string; photos: Awaited<ReturnType<typeof photoFile>>[] }) => {
    await drained(page);
    expect(await storedAt(client, made.text)).toEqual(asStored([made]));
  };
  // A single failing item backs off and retries without a person while the server answers others.
  const failed = page.getByText('Last try: The server has a problem.');
  const heal = () => {
    chaos.plan = () => null;
  };
  const busy = { kind: 'answer', status: 503, body: '{}' } as const;

  // A13: the service refuses that segment, and it is resent.
  chaos.plan = firstOf(1, isSegment, { kind: 'flip', at: 1_000 });
  await whole(await one(11, 'Flipped: a bolt missing'));
  const puts = chaos.seen.filter(isSegment).map(({ status }) => status);
  expect(puts.filter((status) => status !== 200)).toHaveLength(1);
  expect(begun()).toBe(1);

  // A11: one form post whose upload expires before it gets through. A new upload is started without asking anyone.
  const isForm = ({ headers }: Seen) =>
    Boolean(headers['content-type']?.startsWith('multipart/form-data'));
  const noSegments = firstOf(
    1,
    (seen) => seen.method === 'POST' && seen.path.endsWith('/uploads'),
    {
      kind: 'answer',
      status: 422,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ errors: { segments: ['is not supported'] } }),
    },
  );
  chaos.plan = (seen) => noSegments(seen) ?? (isForm(seen) ? busy : null);
  const hour = await one(12, 'An hour: a rope frayed');
  await waiting(page);
  await expect(failed).toBeVisible({ timeout: 60_000 });
  await query('update uploads set post_expires_at = 1 where associated_at is null');
  heal();
  await whole(hour);
  expect(chaos.seen.filter((seen) => isForm(seen) && seen.status === 403)).toHaveLength(1);

  // A12: complete but attached to nothing for a week, then deleted. It is resent from the original.
  chaos.plan = ({ method, path }) =>
    method === 'PATCH' && path.includes('/near_misses/') ? busy : null;
  const week = await one(13, 'A week: a ladder bent');
  await waiting(page);
  await expect(failed).toBeVisible({ timeout: 60_000 });
  await query('update uploads set expires_at = 1, post_expires_at = 1 where associated_at is null');
  const before = begun();
  heal();
  await whole(week);
  expect(begun()).toBe(before + 1);
});
