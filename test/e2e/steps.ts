/** Actions of a supervisor in the window, shared by the end-to-end tests. */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from 'playwright/test';
import { makeJpeg } from '../support/jpeg.ts';
import type { Server } from '../support/server.ts';
import type { Client } from '../support/service.ts';

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

export interface PhotoFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** Writes a real JPEG with EXIF orientation and time; about 4 MB by default. */
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

/** From the connect screen through the server form, up to the question for the project. */
/** Presses an item of the list's menu, or of another. */
export const pressMore = async (page: Page, item: string, menu = 'List options'): Promise<void> => {
  await page.getByRole('button', { name: menu, exact: true }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};

export const askServer = async (page: Page, { url, first }: Reached): Promise<void> => {
  await page.getByRole('button', { name: 'Connect to a server' }).click();
  await page.getByLabel('Server address').fill(url);
  await page.getByRole('button', { name: 'Use an access token instead' }).click();
  await page.getByLabel('Company number').fill(String(first.company_id));
  await page.getByLabel('Access token').fill(first.token);
  await page.getByRole('button', { name: 'Continue' }).click();
};

/** From the connect screen through the server form to the list. */
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
  // Catalog and records are on this laptop now, so the rest works offline.
  await expect(page.getByText(/^Updated/)).toBeVisible({ timeout: 60_000 });
};

/** The same for a server that cannot list its projects (decisions §4.4): types the demo's first project number. */
export const connectByNumbers = async (page: Page, server: Reached): Promise<void> => {
  await askServer(page, server);
  await expect(page.getByText('Signed in. Now enter the project number.')).toBeVisible();
  await page.getByLabel('Project number').fill(String(server.first.project_id));
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText(/^Updated/)).toBeVisible({ timeout: 60_000 });
};

/** Signs in after the token was lost; the project is not asked for again. */
export const signIn = async (page: Page, { first }: Pick<Server, 'first'>): Promise<void> => {
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Use an access token instead' }).click();
  await page.getByLabel('Access token').fill(first.token);
  await page.getByRole('button', { name: 'Continue' }).click();
};

/**
 * From the connect screen to the list of the service on this laptop. On a slow machine the window may give up before the
 * service is ready and say so; then the button is pressed again.
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

/** Opens a photo's menu once nothing of the photo is being made: an open menu keeps its items, and some are missing until then. */
export const openPhotoMenu = async (page: Page, name: string): Promise<void> => {
  await expect(page.getByRole('listitem', { name, exact: true })).toHaveAttribute(
    'aria-busy',
    'false',
  );
  await page.getByRole('button', { name: `More for ${name}` }).click();
};

/** Does something to a photo of the form, by its menu. */
export const photoDeed = async (page: Page, name: string, deed: string): Promise<void> => {
  await openPhotoMenu(page, name);
  await page.getByRole('menuitem', { name: deed }).click();
};

/** What the menu of a photo says about it: its size, and whether it was marked up or rotated. */
export const photoFacts = async (page: Page, name: string, facts: RegExp): Promise<void> => {
  await page.getByRole('button', { name: `More for ${name}` }).click();
  await expect(page.getByRole('menu').getByText(facts)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();
};

export interface Report {
  readonly text: string;
  readonly photos: readonly PhotoFile[];
}

/** Reports a near miss with photos and waits for "saved on this laptop". Uses the first incident, or the remembered one. */
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
      await expect(page.getByRole('button', { name: `More for ${name}` })).toBeVisible({
        timeout: 60_000,
      });
    }
  }
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  // The form changes to the record only after the save; the text may still be from the previous record.
  await page.waitForURL(/#\/near-misses\//);
  await expect(page.getByText('Saved on this laptop.').first()).toBeVisible();
};

/** Number of pending records shown in the rail; 0 if it shows none. */
export const waitingCount = async (page: Page): Promise<number> => {
  // A company that exists only on this laptop has no Waiting screen.
  if (await page.getByRole('link', { name: 'Saved on this laptop' }).isVisible()) return 0;
  const name = await page
    .getByRole('link', { name: /^Waiting/ })
    .first()
    .getAttribute('aria-label');
  return Number(/(\d[\d,.]*)/.exec(name ?? '')?.[1] ?? 0);
};

/**
 * Number of queued entries in the window's store. The rail updates a moment later, and shows nothing before it has read the
 * store.
 */
const queued = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const asked = indexedDB.open('spotter');
        asked.onerror = () => reject(new Error('the store does not open'));
        asked.onsuccess = () => {
          const count = asked.result.transaction('operations').objectStore('operations').count();
          count.onsuccess = () => {
            asked.result.close();
            resolve(count.result);
          };
        };
      }),
  );

/** Waits until everything is delivered and the window says so. */
export const drained = (page: Page, within = { timeout: 120_000 }): Promise<void> =>
  expect.poll(async () => (await queued(page)) + (await waitingCount(page)), within).toBe(0);

/** Presses "Try now" if it is still there. If the connection was noticed first, everything is already on its way. */
export const tryNow = async (page: Page): Promise<void> => {
  const button = page.getByRole('button', { name: 'Try now' });
  await button.waitFor({ timeout: 3_000 }).catch(() => undefined);
  // The button is redrawn every second, so a click may hit a removed one.
  await expect(async () => {
    if (await button.isVisible()) await button.click({ timeout: 5_000 });
  }).toPass({ timeout: 60_000 });
};

interface Stored {
  readonly text: string;
  readonly hashes: readonly string[];
}

/** The records and photo bytes that the API returns for a marker: one row per record, bytes fetched from their URLs. */
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

/** The entered reports in the shape of `storedAt`, for comparison. */
export const asStored = (reports: readonly Report[]): Stored[] =>
  reports.map(({ text, photos }) => ({ text, hashes: photos.map((photo) => photo.sha256) }));

/** Normalises the order: records by text, hashes sorted. */
export const sorted = (stored: readonly Stored[]): Stored[] =>
  stored
    .map(({ text, hashes }) => ({ text, hashes: [...hashes].sort() }))
    .sort((a, b) => a.text.localeCompare(b.text));
