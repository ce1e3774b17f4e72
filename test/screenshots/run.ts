/**
 * `npm run screenshots`: every screen in both themes, some in the other languages, some offline, through the real shell against a demo
 * service, at 1366 x 860, into `screenshots/` (ignored by git). With `-- --all`, each in both languages and at three sizes. A
 * route without a picture is an error.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright/test';
import sharp from 'sharp';
import { languages } from '../../src/contract/languages.ts';
import { always } from '../../src/renderer/words/always.ts';
import { randomFrom } from '../../src/service/demo/random.ts';
import { drawScene, type SceneName } from '../../src/service/demo/scenes.ts';
import { bringWindow } from '../../src/setup/window/window.ts';
import { createApp } from '../e2e/app.ts';
import { connectToServer, type PhotoFile, report, sha256 } from '../e2e/steps.ts';
import { type Server, startServer } from '../support/server.ts';
import { clientOf } from '../support/service.ts';
import { missingRoutes, screens, type Screen } from './screens.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'screenshots');
const { all } = parseArgs({ options: { all: { type: 'boolean', default: false } } }).values;
/** A laptop on a desk, a small or zoomed window, and half a screen at 200 %. */
const SIZES = all
  ? [
      { width: 1366, height: 768 },
      { width: 1024, height: 640 },
      { width: 480, height: 800 },
    ]
  : [{ width: 1366, height: 860 }];
/** Screens shown again without the service, and in each other language. */
const OFFLINE = ['list', 'waiting', 'report'];
const TRANSLATED = ['list', 'detail', 'report', 'waiting', 'insights', 'settings', 'connect'];

let taken = 0;

/** A realistic photo: a scene of the demo. */
const scene = async (data: string, seed: number, name: SceneName): Promise<PhotoFile> => {
  const noise = { raw: { width: 256, height: 256, channels: 1 } } as const;
  const grain = await sharp(randomBytes(256 * 256), noise).png().toBuffer();
  const svg = drawScene(name, randomFrom(seed), grain.toString('base64'));
  const bytes = await sharp(Buffer.from(svg)).jpeg({ quality: 88 }).toBuffer();
  const path = join(data, `IMG_${1000 + seed}.jpg`);
  await writeFile(path, bytes);
  return { path, size: bytes.length, sha256: sha256(bytes) };
};

const shoot = async (page: Page, name: string): Promise<void> => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
    // Waits until the current theme is painted and fades have ended.
    await page.evaluate(async () => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      await frame();
      await Promise.all(document.getAnimations().map((one) => one.finished.catch(() => null)));
      await frame();
      await frame();
    });
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
    taken += 1;
  }
};

const picture = async (page: Page, name: string): Promise<void> => {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await shoot(page, all ? `${name}-${size.width}` : name);
  }
};

/** A toast would cover part of the picture. */
const closeToasts = async (page: Page): Promise<void> => {
  for (const button of await page.locator('.toasts button').all())
    await button.click({ timeout: 2_000 }).catch(() => undefined);
};

const walk = async (page: Page, list: readonly Screen[], suffix: string): Promise<void> => {
  for (const screen of list) {
    // Opened in a wide window, so that its content is rendered before it shrinks.
    if (SIZES[0]) await page.setViewportSize(SIZES[0]);
    await screen.open(page);
    await closeToasts(page);
    // Moves the mouse away, so that it highlights nothing.
    await page.mouse.move(0, 0);
    await picture(page, `${screen.name}${suffix}`);
  }
};
const named = (names: readonly string[]) => screens.filter(({ name }) => names.includes(name));

/** Adds two webhooks at one host and one elsewhere, each with events. */
const addWebhooks = async ({ url, first }: Server): Promise<void> => {
  const client = clientOf(url, first);
  const base = '/rest/v1.0/webhooks/hooks';
  const { project_id } = first;
  for (const [destination_url, resources] of [
    ['https://hooks.example.com/safety', ['Near Misses']],
    ['https://hooks.example.com/office/northline', ['Near Misses', 'Project Memberships']],
    ['https://erp.example.org/spotter', ['Project Insurances']],
  ] as const) {
    const { json } = await client.post(base, { project_id, hook: { destination_url } });
    for (const resource_name of resources)
      for (const event_type of ['create', 'update'])
        await client.post(`${base}/${json.id}/triggers`, {
          api_version: 'v1',
          trigger: { resource_name, event_type },
        });
  }
};

/** A site plan: streets, a deck and rooms, with their names. */
const SITE_PLAN = `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="1400" font-family="sans-serif" font-size="44">
<rect width="2000" height="1400" fill="#fff"/><g fill="none" stroke="#2d3742" stroke-width="8"><rect x="120" y="120" width="1760"
height="1060"/><path d="M120 560h900V120M1400 120v600h480M120 820h680v360M1120 880h760"/><circle cx="1000" cy="700" r="180"
stroke-dasharray="24 18"/></g><g fill="#2d3742"><text x="260" y="340">Site compound</text><text x="1530" y="430">Deck B</text>
<text x="320" y="1020">Laydown</text><text x="1400" y="1050">Pier 3</text><text x="940" y="715">TC-2</text></g></svg>`;

/** Adds a plan, as an admin does over the API. */
const addPlan = async ({ url, first }: Server): Promise<void> => {
  const client = clientOf(url, first);
  const bytes = await sharp(Buffer.from(SITE_PLAN)).png().toBuffer();
  const uploads = `/rest/v1.1/companies/${first.company_id}/uploads`;
  const { json: upload } = await client.post(uploads, { response_filename: 'S-001.png' });
  const form = new FormData();
  for (const [name, value] of Object.entries(upload.fields as Record<string, string>))
    form.append(name, value);
  form.append('file', new Blob([new Uint8Array(bytes)]), 'S-001.png');
  await fetch(upload.url as string, { method: 'POST', body: form });
  const plan = { name: 'Site plan', number: 'S-001', revision: 'C', upload_uuid: upload.uuid };
  const made = await client.post('~/plans', { plan });
  if (made.status !== 201) throw new Error(`no plan: ${made.text}`);
};

const takeAll = async (data: string): Promise<void> => {
  const { app, isOpen } = createApp('browser', join(data, 'app'));
  const service = await startServer([], true);
  try {
    await addWebhooks(service);
    await addPlan(service);
    const page = await app.open();
    page.setDefaultTimeout(30_000);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await picture(page, 'first');
    await connectToServer(page, service, 'Harbour Bridge East');
    const photos = [await scene(data, 1, 'scaffold'), await scene(data, 2, 'rail')];
    await report(page, {
      text: 'Scaffold board slid off level 3 and landed beside the walkway. Nobody was below.',
      photos: photos.slice(0, 1),
    });
    await page.getByText('Delivered and checked').first().waitFor();
    await walk(page, screens, '');

    await service.stop();
    await report(page, { text: 'Guard rail loose at axis 4, east edge', photos: photos.slice(1) });
    await report(page, { text: 'Forklift reversed without a banksman at gate 2', photos: [] });
    await walk(page, named(OFFLINE), '-offline');

    for (const language of languages.filter((one) => one !== 'en')) {
      await page.evaluate(() => (location.hash = '/settings/appearance'));
      await page.getByText(always[language]).click();
      await page.locator(`html[lang=${language}]`).waitFor();
      await page.locator('#content').waitFor();
      await walk(page, all ? screens : named(TRANSLATED), `-${language}`);
    }
  } finally {
    if (isOpen()) await app.kill();
    await service.remove();
  }
};

const missing = await missingRoutes();
if (missing.length > 0) {
  console.error(
    `These routes have no screen in test/screenshots/screens.ts, or are gone from routes.ts: ${missing.join(', ')}`,
  );
  process.exit(1);
}
const started = performance.now();
await bringWindow(root, console.log);
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const data = await mkdtemp(join(tmpdir(), 'spotter-screenshots-'));
try {
  await takeAll(data);
} finally {
  await rm(data, { recursive: true, force: true });
}
console.log(
  `${taken} pictures in screenshots/, ${Math.round((performance.now() - started) / 1000)} s`,
);
