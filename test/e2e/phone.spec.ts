/**
 * Photos from a phone: the code on the laptop's screen is read from its pixels, a second, mobile Chromium opens what it says through
 * Wi-Fi that cuts, and what is chosen there is in the report, byte for byte as from a file.
 */
import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { type Browser, chromium, devices, type Page } from 'playwright/test';
import decodeQR from 'qr/decode.js';
import sharp from 'sharp';
import { chromiumFlags, findChromium } from '../../src/setup/chromium.ts';
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.ts';
import { fixture, picture } from '../support/photo-files.ts';
import { expect, test } from './fixtures.ts';
import { axe, look } from './looks.ts';
import { countPresses } from './presses.ts';
import { drained, photoFile, sha256, sorted, storedAt } from './steps.ts';

const env = { SPOTTER_PHONE_ADDRESS: '127.0.0.1' };

/** What a phone's camera reads of the screen. */
const scan = async (page: Page): Promise<URL> => {
  const code = page.getByRole('img', { name: /^(QR code|Código QR)/ });
  await expect(code).toBeVisible();
  const { data, info } = await sharp(await code.screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return new URL(decodeQR({ width: info.width, height: info.height, data }, { timeLimit: 10_000 }));
};

interface Phone {
  readonly page: Page;
  readonly wifi: CuttingProxy;
  close(): Promise<void>;
}

/** A phone on the same Wi-Fi, which opened what it scanned. */
const phoneWith = async (
  address: URL,
  device: 'iPhone 13' | 'Pixel 7' = 'iPhone 13',
  locale = 'en-GB',
): Promise<Phone> => {
  const wifi = await startCuttingProxy(() => Number(address.port));
  const browser: Browser = await chromium.launch({
    executablePath: findChromium(),
    args: [...chromiumFlags(), `--host-resolver-rules=MAP ${address.host} 127.0.0.1:${wifi.port}`],
  });
  const { defaultBrowserType: _none, ...phone } = devices[device];
  const context = await browser.newContext({ ...phone, locale });
  const page = await context.newPage();
  // Nothing else is asked for than the page and its messages, of nobody else.
  page.on('request', (request) => expect.soft(new URL(request.url()).host).toBe(address.host));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/net::ERR_/.test(message.text()))
      expect.soft(message.text(), 'the phone’s console').toBe('');
  });
  await page.goto(address.href);
  return {
    page,
    wifi,
    close: async () => {
      await browser.close();
      await wifi.close();
    },
  };
};

const shots = async (page: Page, name: string): Promise<void> => {
  const folder = process.env['SPOTTER_LOOKS'];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await axe(page, `${name}, ${colorScheme}`);
    if (folder) await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
  }
};

test('photo from a phone: one press, one scan, one choice; three photos and a video through Wi-Fi that cuts', async ({
  world,
  client,
  folder,
  afterApp,
}) => {
  const page = await world.open({ env });
  // To compare bytes: the next test is of what is taken out.
  await page.getByRole('link', { name: 'Settings' }).click();
  const personal = page.getByRole('group', { name: 'Location and personal data in photos' });
  await personal.getByText('Keep', { exact: true }).click();
  const text = 'Ladder slipped at gate 4 (from a phone)';
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByLabel('What happened?').fill(text);
  await page.getByRole('combobox', { name: /^Job or area/ }).click();
  await page.getByRole('option').first().click();

  const presses = await countPresses(page);
  await page.getByRole('button', { name: 'From a phone' }).click();
  const address = await scan(page);
  expect(address.hash).toMatch(/^#[0-9a-f]{64}$/);
  await look(page, 'phone-code');

  const phone = await phoneWith(address);
  afterApp(phone.close);
  const touches = await countPresses(phone.page);
  await expect(page.getByText('Phone connected. Now choose the photos on it.')).toBeVisible();
  // What the code said is not left in the phone's address bar or history.
  expect(phone.page.url()).toBe(`${address.origin}/`);
  await shots(phone.page, 'phone-page');

  const large = await photoFile(folder, 1, 3_500_000);
  const small = await photoFile(folder, 2, 400_000);
  const heic = join(folder, 'IMG_0003.HEIC');
  await writeFile(heic, await fixture('plain.heic'));
  const video = join(folder, 'IMG_0004.MP4');
  await writeFile(video, await fixture('clip.mp4'));
  const chooser = phone.page.waitForEvent('filechooser');
  await phone.page.getByRole('button', { name: 'Choose photos or videos' }).tap();
  phone.wifi.cutAfter(900_000, 900_000);
  phone.wifi.loseAfter(900_000);
  await (await chooser).setFiles([large.path, small.path, heic, video]);

  // In the middle of the first photo nobody gets through; both sides show how far it is.
  await expect(phone.page.getByText('The laptop does not answer')).toBeVisible();
  await expect(phone.page.getByText(/^\d(\.\d)? MB of 3\.5 MB$/)).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'IMG_1001.jpg' })).toBeVisible();
  await shots(phone.page, 'phone-lost');
  await expect(page.getByText('The phone is not sending just now.')).toBeVisible();
  await look(page, 'phone-coming');
  phone.wifi.reachable(true);
  await expect(page.getByText('The phone is not sending just now.')).toBeHidden();

  await expect(phone.page.getByText('4 of 4 on the laptop')).toBeVisible({ timeout: 120_000 });
  expect(phone.wifi.cuts()).toBe(3);
  await expect(page.getByText('4 of 4 photos in this report')).toBeVisible();
  expect({ laptop: presses(), phone: touches() }).toEqual({ laptop: 1, phone: 1 });
  await shots(phone.page, 'phone-done');
  await look(page, 'phone-came');

  // The code is gone with the dialog, and with it the way in.
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(4);
  await expect(page.getByRole('button', { name: 'From a phone' })).toBeFocused();
  await expect(async () => expect(fetch(address.origin)).rejects.toThrow()).toPass();
  await expect(phone.page.getByText('4 of 4 on the laptop')).toBeVisible();

  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL(/#\/near-misses\//);
  await drained(page);
  const files = [await fixture('plain.heic'), await fixture('clip.mp4')];
  expect(sorted(await storedAt(client, text))).toEqual(
    sorted([{ text, hashes: [large.sha256, small.sha256, ...files.map(sha256)] }]),
  );
});

test('what comes from a phone is treated as any photo: the place goes, the same twice is told, a text is refused', async ({
  world,
  folder,
  afterApp,
}) => {
  const page = await world.open({ env });
  await page.getByRole('link', { name: 'New near miss' }).click();
  const photo = await photoFile(folder, 5, 300_000);
  await page.locator('input[type=file]').setInputFiles(photo.path);
  await expect(page.getByRole('button', { name: 'Remove IMG_1005.jpg' })).toBeVisible();
  await page.getByRole('button', { name: 'From a phone' }).press('Enter');
  const address = await scan(page);
  const phone = await phoneWith(address, 'Pixel 7', 'es-MX');
  afterApp(phone.close);

  const placed = join(folder, 'placed.jpg');
  const gps = {
    GPSLatitudeRef: 'N',
    GPSLatitude: '51/1 30/1 0/1',
    GPSLongitudeRef: 'W',
    GPSLongitude: '0/1 7/1 0/1',
  };
  const plain = await picture({ format: 'jpeg', width: 640, height: 480 });
  await sharp(plain)
    .withExif({ IFD0: { Artist: 'Anna Meier' }, IFD3: gps })
    .toFile(placed);
  const notes = join(folder, 'notes.jpg');
  await writeFile(notes, 'Not a picture, whatever it is called. '.repeat(40));
  const chooser = phone.page.waitForEvent('filechooser');
  await phone.page.getByRole('button', { name: 'Elegir fotos o videos' }).tap();
  await (await chooser).setFiles([placed, photo.path, notes]);
  await expect(phone.page.getByText('2 de 3 en la laptop')).toBeVisible({ timeout: 60_000 });
  await expect(phone.page.getByText('No agregado: no es foto ni video')).toBeVisible();
  await shots(phone.page, 'phone-refused-es');
  await expect(page.getByText('Already on this report', { exact: true })).toBeVisible();
  await expect(page.getByText('Not a photo or video')).toBeVisible();

  // Who photographed the screen comes too late, and the person at the laptop knows of it.
  const other = await phoneWith(address);
  afterApp(other.close);
  await expect(other.page.getByText(/^Another phone is using this code\./)).toBeVisible();
  await expect(other.page.getByRole('button')).toHaveCount(0);
  await shots(other.page, 'phone-taken');
  await expect(page.getByText('A second phone has scanned this code.')).toBeVisible();
  await look(page, 'phone-another');

  // A new code lets it in, and ends the one before.
  await page.getByRole('button', { name: 'New code' }).press('Enter');
  const next = await scan(page);
  expect(next.hash).not.toBe(address.hash);
  const late = await phoneWith(next);
  afterApp(late.close);
  await expect(late.page.getByRole('button', { name: 'Choose photos or videos' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'From a phone' })).toBeFocused();
  await expect(page.getByText('Location and names removed')).toBeVisible();
});

test('the way in ends with the form and with the window; on no network the dialog says what to do', async ({
  world,
  app,
}) => {
  const page = await world.open({ env });
  const show = async (): Promise<string> => {
    await page.getByRole('link', { name: 'New near miss' }).click();
    await page.getByRole('button', { name: 'From a phone' }).click();
    const { origin } = await scan(page);
    expect((await fetch(origin)).status).toBe(200);
    return origin;
  };
  const ended = (origin: string): Promise<void> =>
    expect(async () => expect(fetch(origin)).rejects.toThrow()).toPass({ timeout: 60_000 });
  const first = await show();
  await page.goBack();
  await ended(first);
  const second = await show();
  await page.reload();
  await ended(second);

  await app.close();
  await app.open({ env: { SPOTTER_PHONE_ADDRESS: 'off' } });
  await app.window.getByRole('link', { name: 'New near miss' }).click();
  await app.window.getByRole('button', { name: 'From a phone' }).click();
  await expect(app.window.getByText(/^A phone cannot reach this laptop/)).toBeVisible();
  await expect(app.window.getByRole('button', { name: 'Try again' })).toBeVisible();
  await look(app.window, 'phone-no-network');
});

test('on several networks the likeliest is shown, and another is one choice away', async ({
  world,
}) => {
  test.skip(process.platform !== 'linux', 'a second address of loopback');
  const page = await world.open({ env: { SPOTTER_PHONE_ADDRESS: '127.0.0.1,127.0.0.2' } });
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByRole('button', { name: 'From a phone' }).click();
  const first = await scan(page);
  expect(first.hostname).toBe('127.0.0.1');
  await look(page, 'phone-networks');
  await page.getByLabel('Network').selectOption('127.0.0.2');
  await expect(page.getByText(/The phone opens 127\.0\.0\.2:\d+\.$/)).toBeVisible();
  const second = await scan(page);
  expect(second.hostname).toBe('127.0.0.2');
  expect((await fetch(second.origin)).status).toBe(200);
  await expect(fetch(first.origin)).rejects.toThrow();
});

test('the dialog in Spanish; a locked screen ends the code, and the dialog says so', async ({
  app,
  shell,
  world,
}) => {
  const page = await world.open({ env });
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await page.getByText('Español', { exact: true }).click();
  await page.getByRole('link', { name: 'Nuevo reporte' }).click();
  await page.getByRole('button', { name: 'Del teléfono' }).press('Enter');
  const { origin } = await scan(page);
  await look(page, 'phone-code-es');
  // What the phone's user reads counts there, not what the laptop's does.
  const phone = await phoneWith(new URL(origin), 'Pixel 7');
  await expect(
    phone.page.getByText('Scan the code on the laptop with this phone’s camera.'),
  ).toBeVisible();
  await phone.close();
  await expect(page.getByText('El teléfono abrió la página…')).toBeVisible();
  if (shell !== 'stand-in') return;
  await app.electron.ask('power', { event: 'lock-screen' });
  await expect(page.getByText(/^El código venció: se bloqueó la pantalla/)).toBeVisible();
  await expect(fetch(origin)).rejects.toThrow();
  await page.getByRole('button', { name: 'Código nuevo' }).press('Enter');
  expect((await scan(page)).origin).not.toBe(origin);
});
