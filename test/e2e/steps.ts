/** What a supervisor does in the window, as steps that every end-to-end test shares. */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from 'playwright/test';
import { makeJpeg } from '../support/jpeg.ts';
import type { Server } from '../support/server.ts';
import type { Client } from '../support/service.ts';

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** A photo on disk, as a camera left it. */
export interface PhotoFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** Writes a real JPEG with EXIF orientation and time; about 4 MB where `bytes` is left out. */
export const photoFile = async (
  folder: string,
  seed: number,
  bytes?: number,
): Promise<PhotoFile> => {
  const jpeg = await makeJpeg({ seed, ...(bytes === undefined ? {} : { bytes }) });
  const path = join(folder, `IMG_${1000 + seed}.jpg`);
  await writeFile(path, jpeg);
  return { path, size: jpeg.length, sha256: sha256(jpeg) };
};

type Reached = Pick<Server, 'url' | 'first'>;

/** From the connect screen through the form for a server, as far as the question for the project. */
export const askServer = async (page: Page, { url, first }: Reached): Promise<void> => {
  await page.getByRole('button', { name: 'Connect to a server' }).click();
  await page.getByLabel('Server address').fill(url);
  await page.getByLabel('Company number').fill(String(first.company_id));
  await page.getByLabel('Access token').fill(first.token);
  await page.getByRole('button', { name: 'Continue' }).click();
};

/** From the connect screen to the list, through the form for a server. */
export const connectToServer = async (
  page: Page,
  server: Reached,
  project: string,
): Promise<void> => {
  await askServer(page, server);
  await expect(page.getByText('Signed in as')).toBeVisible();
  const lookup = page.getByRole('combobox');
  await lookup.click();
  await page.getByRole('option', { name: project }).click();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  // The catalog and the records are on this laptop now: from here on no network is needed.
  await expect(page.getByText(/^Updated/)).toBeVisible({ timeout: 60_000 });
};

/** The same to a server that cannot list its projects (decisions §4.4): the demo's first one is typed. */
export const connectByNumbers = async (page: Page, server: Reached): Promise<void> => {
  await askServer(page, server);
  await expect(page.getByText('Signed in. Now enter the project number.')).toBeVisible();
  await page.getByLabel('Project number').fill(String(server.first.project_id));
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText(/^Updated/)).toBeVisible({ timeout: 60_000 });
};

/** Connected before, but the token is gone. */
export const signIn = async (page: Page, { first }: Pick<Server, 'first'>): Promise<void> => {
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Access token').fill(first.token);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
};

/**
 * From the connect screen to the list of the service on this laptop. On a slow machine the service is up later than the window waits for
 * it: then the window says so, and the button is pressed again.
 */
export const useThisLaptop = async (page: Page): Promise<void> => {
  const button = page.getByRole('button', { name: 'Try it with sample data' });
  const online = page.getByRole('link', { name: /^Online/ });
  await expect(button.or(online)).toBeVisible({ timeout: 60_000 });
  await expect(async () => {
    if (await button.isEnabled().catch(() => false)) await button.click({ timeout: 1_000 });
    await expect(online).toBeVisible({ timeout: 25_000 });
  }).toPass({ timeout: 240_000 });
};

export interface Report {
  readonly text: string;
  readonly photos: readonly PhotoFile[];
}

/** Records one near miss with photos and waits for "saved on this laptop". The incident is the first, or the remembered one. */
export const report = async (page: Page, { text, photos }: Report): Promise<void> => {
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByLabel('What happened?').fill(text);
  const incident = page.getByRole('combobox', { name: /^Job or area/ });
  if (await incident.isVisible()) {
    if ((await incident.inputValue()) === '') {
      await incident.click();
      await page.getByRole('option').first().click();
    }
  }
  if (photos.length > 0) {
    await page.locator('input[type=file]').setInputFiles(photos.map((photo) => photo.path));
    for (const photo of photos) {
      const name = photo.path.split('/').pop() ?? '';
      await expect(page.getByRole('button', { name: `Remove ${name}` })).toBeVisible({
        timeout: 60_000,
      });
    }
  }
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  // The form gives way to the record only once it is saved; the words may still be the last record's.
  await page.waitForURL(/#\/near-misses\//);
  await expect(page.getByText('Saved on this laptop.').first()).toBeVisible();
};

/** How many records the rail says wait; 0 where it says nothing. */
export const waitingCount = async (page: Page): Promise<number> => {
  const name = await page
    .getByRole('link', { name: /^Waiting/ })
    .first()
    .getAttribute('aria-label');
  return Number(/(\d[\d,.]*)/.exec(name ?? '')?.[1] ?? 0);
};

/** What waits in the window's own store: the rail says it a moment later, and nothing before it has read it. */
const queued = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const asked = indexedDB.open('spotter');
        asked.onerror = () => reject(new Error('the store does not open'));
        asked.onsuccess = () => {
          const count = asked.result.transaction('entries').objectStore('entries').count();
          count.onsuccess = () => {
            asked.result.close();
            resolve(count.result);
          };
        };
      }),
  );

/** Everything is delivered, and the window says so. */
export const drained = (page: Page, within = { timeout: 120_000 }): Promise<void> =>
  expect.poll(async () => (await queued(page)) + (await waitingCount(page)), within).toBe(0);

/** Presses "Try now" if it is still there: where the connection is noticed first, everything is on its way already. */
export const tryNow = async (page: Page): Promise<void> => {
  const button = page.getByRole('button', { name: 'Try now' });
  await button.waitFor({ timeout: 3_000 }).catch(() => undefined);
  // The button is drawn anew with each count of seconds: a click may meet one that has just gone.
  await expect(async () => {
    if (await button.isVisible()) await button.click({ timeout: 5_000 });
  }).toPass({ timeout: 60_000 });
};

interface Stored {
  readonly text: string;
  readonly hashes: readonly string[];
}

/** What the API shows of the texts: each record once per row there, its photos' bytes read back from their addresses. */
export const storedAt = async (client: Client, marker: string): Promise<Stored[]> => {
  const list = await client.get(
    `~/incidents/near_misses?per_page=1000&filters[query]=${encodeURIComponent(marker)}`,
  );
  const rows = list.json as {
    description_plain_text: string;
    attachments: { url: string; sha256: string; size: number }[];
  }[];
  return Promise.all(
    rows.map(async (row) => ({
      text: row.description_plain_text,
      hashes: await Promise.all(
        row.attachments.map(async (one) =>
          sha256(new Uint8Array(await (await fetch(one.url)).arrayBuffer())),
        ),
      ),
    })),
  );
};

/** The same shape of what was entered, to compare with `storedAt` regardless of order. */
export const asStored = (reports: readonly Report[]): Stored[] =>
  reports.map(({ text, photos }) => ({ text, hashes: photos.map((photo) => photo.sha256) }));

/** Order plays no part: records by text, hashes sorted. */
export const sorted = (stored: readonly Stored[]): Stored[] =>
  stored
    .map(({ text, hashes }) => ({ text, hashes: [...hashes].sort() }))
    .sort((a, b) => a.text.localeCompare(b.text));
