/**
 * Photos from a phone: the code on the laptop's screen is read from its pixels. A second, mobile Chromium opens it through
 * Wi-Fi that cuts. The photos chosen there are in the report, byte for byte as from a file.
 */
import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { fixture, picture } from '../support/photo-files.ts';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { env, isClosed, phoneWith, scan, shots } from './phones.ts';
import { countPresses } from './presses.ts';
import { drained, photoFile, sha256, sorted, storedAt } from './steps.ts';

test('photo from a phone: one press, one scan, one choice; three photos and a video through Wi-Fi that cuts', async ({
  world,
  client,
  folder,
  afterApp,
}) => {
  const page = await world.open({ env });
  // Keeps personal data so that bytes can be compared; the next test covers its removal.
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
  // The code's secret is not left in the phone's address bar or history.
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

  // The connection is lost in the middle of the first photo; both sides show the progress.
  await expect(phone.page.getByText('The laptop does not answer')).toBeVisible();
  await expect(phone.page.getByText(/^\d(\.\d)? MB of 3\.5 MB$/)).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'IMG_1001.jpg' })).toBeVisible();
  await shots(phone.page, 'phone-lost');
  await expect(page.getByText('The phone has stopped sending.')).toBeVisible();
  await look(page, 'phone-coming');
  phone.wifi.reachable(true);
  await expect(page.getByText('The phone has stopped sending.')).toBeHidden();

  await expect(phone.page.getByText('4 of 4 on the laptop')).toBeVisible({ timeout: 120_000 });
  expect(phone.wifi.cuts()).toBe(3);
  await expect(page.getByText('4 of 4 photos in this report')).toBeVisible();
  expect({ laptop: await presses(), phone: await touches() }).toEqual({ laptop: 1, phone: 1 });
  await shots(phone.page, 'phone-done');
  await look(page, 'phone-came');

  // Closing the dialog removes the code and the access.
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: /^More for / })).toHaveCount(4);
  await expect(page.getByRole('button', { name: 'From a phone' })).toBeFocused();
  await isClosed(address.origin);
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
  await expect(page.getByRole('button', { name: 'More for IMG_1005.jpg' })).toBeVisible();
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

  // A second phone that photographed the screen is refused, and the laptop says so.
  const other = await phoneWith(address);
  afterApp(other.close);
  await expect(other.page.getByText(/^Another phone is using this code\./)).toBeVisible();
  await expect(other.page.getByRole('button')).toHaveCount(0);
  await shots(other.page, 'phone-taken');
  await expect(page.getByText('A second phone has scanned this code.')).toBeVisible();
  await look(page, 'phone-another');

  // A new code admits it and revokes the previous code.
  await page.getByRole('button', { name: 'New code' }).press('Enter');
  // The code before is shown until the new one is there.
  await expect.poll(async () => (await scan(page)).hash).not.toBe(address.hash);
  const next = await scan(page);
  const late = await phoneWith(next);
  afterApp(late.close);
  await expect(late.page.getByRole('button', { name: 'Choose photos or videos' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'From a phone' })).toBeFocused();
  await expect(page.getByText(/^Location and names removed from/)).toBeVisible();
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
  const first = await show();
  await page.goBack();
  await isClosed(first);
  const second = await show();
  await page.reload();
  await isClosed(second);

  await app.close();
  await app.open({ env: { SPOTTER_PHONE_ADDRESS: 'off' } });
  await app.window.getByRole('link', { name: 'New near miss' }).click();
  await app.window.getByRole('button', { name: 'From a phone' }).click();
  await expect(app.window.getByText(/^This laptop is not on a network/)).toBeVisible();
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
  await expect(page.getByText(/Address: 127\.0\.0\.2:\d+$/)).toBeVisible();
  await expect.poll(async () => (await scan(page)).hostname).toBe('127.0.0.2');
  const second = await scan(page);
  expect((await fetch(second.origin)).status).toBe(200);
  await isClosed(first.origin);
});

test('the dialog in Spanish; a locked screen ends the code, and the dialog says so', async ({
  app,
  shell,
  world,
}) => {
  // Electron reports no locked screen on Linux.
  const page = await world.open({ env: { ...env, STAND_IN_PLATFORM: 'win32' } });
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await page.getByText('Español', { exact: true }).click();
  await page.getByRole('link', { name: 'Nuevo reporte' }).click();
  await page.getByRole('button', { name: 'Del teléfono' }).press('Enter');
  const { origin } = await scan(page);
  await look(page, 'phone-code-es');
  // The phone's page uses the phone's language, not the laptop's.
  const phone = await phoneWith(new URL(origin), 'Pixel 7');
  await expect(
    phone.page.getByText('Scan the code on the laptop with this phone’s camera.'),
  ).toBeVisible();
  await phone.close();
  await expect(page.getByText('El teléfono abrió la página…')).toBeVisible();
  if (shell !== 'stand-in') return;
  await app.electron.ask('power', { event: 'lock-screen' });
  await expect(page.getByText(/^El código venció porque se bloqueó la pantalla/)).toBeVisible();
  await isClosed(origin);
  await page.getByRole('button', { name: 'Código nuevo' }).press('Enter');
  await expect.poll(async () => (await scan(page)).origin).not.toBe(origin);
});
