/**
 * Photos and videos enter the form by picker, drop, paste and camera. A file that is no photo is refused with the reason while
 * the rest stays. Personal data in them is offered but not sent. Photos are reduced if the setting says so.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import sharp from 'sharp';
import {
  fixture,
  hasExiftool,
  personalTags,
  personalVideoTags,
  picture,
  tagged,
  tagsOf,
} from '../support/photo-files.ts';
import type { Client } from '../support/service.ts';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import {
  asStored,
  connectToServer,
  drained,
  photoFile,
  sorted,
  storedAt,
  type PhotoFile,
  openPhotoMenu,
  photoDeed,
  photoFacts,
} from './steps.ts';

test.use({ apart: false });

/** Hands over a file in a DataTransfer of the window, as the system does. */
const give = async (
  page: Page,
  event: 'drop' | 'paste',
  file: { readonly name: string; readonly type: string; readonly bytes: Uint8Array },
): Promise<void> => {
  const base64 = Buffer.from(file.bytes).toString('base64');
  await page.evaluate(
    ({ event, name, type, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], name, { type }));
      const made =
        event === 'drop'
          ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
          : new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
      const box = document.querySelector('textarea');
      if (box === null) throw new Error('There is no box to drop on.');
      box.dispatchEvent(made);
    },
    { event, name: file.name, type: file.type, base64 },
  );
};

const asFile = async (photo: PhotoFile, name: string) => ({
  name,
  type: 'image/jpeg',
  bytes: await readFile(photo.path),
});

test('photos by drop and paste are delivered byte for byte; a text file is refused and nothing else is lost', async ({
  app,
  server,
  client,
  folder,
}) => {
  const dropped = await photoFile(folder, 1, 300_000);
  const pasted = await photoFile(folder, 2, 300_000);
  const page = await app.open();
  await connectToServer(page, server, 'Harbour Bridge East');
  await page.getByRole('link', { name: 'New near miss' }).click();
  const text = 'Delivery truck reversed without banksman (intake)';
  await page.getByLabel('What happened?').fill(text);
  await page.getByRole('combobox', { name: /^Job or area/ }).click();
  await page.getByRole('option').first().click();

  await give(page, 'drop', await asFile(dropped, 'dropped.jpg'));
  await expect(page.getByRole('button', { name: 'More for dropped.jpg' })).toBeVisible();
  await give(page, 'paste', await asFile(pasted, 'image.png'));
  await expect(page.getByRole('button', { name: /^More for / })).toHaveCount(2);
  await give(page, 'drop', {
    name: 'notes.jpg',
    type: 'image/jpeg',
    bytes: Buffer.from('This is no photo, whatever its name says.'),
  });
  await expect(page.getByText(/notes\.jpg was not added/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^More for / })).toHaveCount(2);

  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL(/#\/near-misses\//);
  await drained(page, { timeout: 60_000 });
  const stored = await storedAt(client, 'intake');
  expect(sorted(stored)).toEqual(sorted(asStored([{ text, photos: [dropped, pasted] }])));
});

const newReport = async (page: Page, text: string): Promise<void> => {
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByLabel('What happened?').fill(text);
  const incident = page.getByRole('combobox', { name: /^Job or area/ });
  if ((await incident.isVisible()) && (await incident.inputValue()) === '') {
    await incident.click();
    await page.getByRole('option').first().click();
  }
};
const pick = (page: Page, files: { name: string; bytes: Buffer }[]): Promise<void> =>
  page.locator('input[type=file]').setInputFiles(
    files.map(({ name, bytes }) => ({
      name,
      mimeType: 'application/octet-stream',
      buffer: bytes,
    })),
  );
const added = (page: Page, name: string) =>
  expect(page.getByRole('button', { name: `More for ${name}` })).toBeVisible({ timeout: 120_000 });
const save = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL(/#\/near-misses\//);
  await drained(page);
};

/** Photos of the near misses that contain `marker`, read back from the service. */
const delivered = async (client: Client, marker: string): Promise<Map<string, Buffer>> => {
  const list = await client.get(
    `~/incidents/near_misses?per_page=10&filters[query]=${encodeURIComponent(marker)}`,
  );
  const rows = list.json as { attachments: { filename: string; url: string }[] }[];
  const found = new Map<string, Buffer>();
  // Two shots of the same second share a name.
  for (const { filename, url } of rows.flatMap((row) => row.attachments))
    found.set(
      found.has(filename) ? `${filename} (${found.size})` : filename,
      Buffer.from(await (await fetch(url)).arrayBuffer()),
    );
  return found;
};

/** Memory of the browser's processes in bytes; they are found by their profile folder. */
const memoryOf = async (profile: string): Promise<number> => {
  let pages = 0;
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name)))
    try {
      if (!(await readFile(`/proc/${pid}/cmdline`, 'utf8')).includes(profile)) continue;
      pages += Number((await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')[1]);
    } catch {
      // The process ended meanwhile.
    }
  return pages * 4096;
};

test('every kind of file, by content; what they say of people and places stays here and is offered', async ({
  app,
  server,
  client,
}) => {
  // exiftool starts Perl for each of two dozen calls.
  test.setTimeout(600_000);
  test.skip(!(await hasExiftool()), 'exiftool is not on this machine: libimage-exiftool-perl');
  const size = { width: 640, height: 480, noise: true };
  const files = [
    {
      name: 'phone.jpg',
      bytes: await tagged(await picture({ format: 'jpeg', ...size }), 'jpg', personalTags),
    },
    {
      name: 'screen.png',
      bytes: await tagged(await picture({ format: 'png', ...size }), 'png', personalTags),
    },
    // Mislabelled on purpose: the content decides.
    {
      name: 'chat.jpg',
      bytes: await tagged(await picture({ format: 'webp', ...size }), 'webp', personalTags),
    },
    { name: 'iphone.heic', bytes: await tagged(await fixture('plain.heic'), 'heic', personalTags) },
    { name: 'clip.mp4', bytes: await tagged(await fixture('clip.mp4'), 'mp4', personalVideoTags) },
    { name: 'clip.mov', bytes: await tagged(await fixture('clip.mov'), 'mov', personalVideoTags) },
  ];
  const page = await app.open();
  await connectToServer(page, server, 'Harbour Bridge East');
  const text = 'Guard rail missing at the stair (every kind)';
  await newReport(page, text);
  await pick(page, files);
  for (const { name } of files) await added(page, name);
  await expect(
    page.getByText(`Location and names removed from ${files.length} photos.`),
  ).toBeVisible();
  await expect(page.getByRole('listitem').locator('img')).toHaveCount(files.length);

  // The photo is years older than the report, so its time is offered and not filled in. The place appears at its photo, never
  // as numbers in "Where".
  const offered = page.getByRole('region', { name: 'Time from the photo' });
  await expect(offered.getByText('05:06 on the camera’s clock (UTC+02:00).')).toBeVisible();
  const when = page.getByRole('textbox', { name: 'When' });
  const clock = await when.inputValue();
  await offered.getByRole('button', { name: 'Use as time' }).click();
  await expect(when).toHaveValue(/^[34] Mar 2026, /);
  await page.getByRole('button', { name: 'Undo: Time from the photo' }).click();
  await expect(when).toHaveValue(clock);
  await offered.getByRole('button', { name: 'Use as time' }).click();
  await page.getByRole('button', { name: 'More for phone.jpg' }).click();
  const place = page.getByRole('menuitem', { name: 'Copy its location' });
  await expect(place).toContainText('52.52000, 13.40500, facing 124°');
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Where')).toHaveValue('');

  await pick(page, [files[0] ?? { name: '', bytes: Buffer.alloc(0) }]);
  await expect(page.getByText('phone.jpg is already on this report.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^More for / })).toHaveCount(files.length);
  await save(page);

  const stored = await delivered(client, 'every kind');
  expect([...stored.keys()].sort()).toEqual(files.map(({ name }) => name).sort());
  for (const [name, bytes] of stored) {
    const ending = name === 'chat.jpg' ? 'webp' : (name.split('.').pop() ?? '');
    const tags = await tagsOf(bytes, ending);
    const left = Object.keys(tags).filter((tag) =>
      /GPS|Owner|Serial|Artist|Author|Person/.test(tag),
    );
    expect([name, left]).toEqual([name, []]);
    expect(bytes.toString('latin1')).not.toMatch(/secret/i);
  }
});

test('smaller ones are sent with before and after shown, the original where the person says so', async ({
  app,
  server,
  client,
}) => {
  const page = await app.open();
  await connectToServer(page, server, 'Harbour Bridge East');
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await page.getByText('1600 pixels', { exact: true }).click();
  await expect(page.getByRole('radio', { name: /1600 pixels/ })).toBeChecked();
  const files = await Promise.all(
    ['small.jpg', 'whole.jpg'].map(async (name, index) => ({
      name,
      bytes: await picture({ format: 'jpeg', width: 2400 + index, height: 1600, noise: true }),
    })),
  );
  const text = 'Load swung over the walkway (sizes)';
  await newReport(page, text);
  await pick(page, files);
  for (const { name } of files) await added(page, name);
  const smaller = /[\d.]+ MB → [\d.]+ [kM]B/;
  await photoFacts(page, 'small.jpg', smaller);
  await photoFacts(page, 'whole.jpg', smaller);
  await photoDeed(page, 'whole.jpg', 'Send the original');
  await photoFacts(page, 'small.jpg', smaller);
  await openPhotoMenu(page, 'whole.jpg');
  await expect(page.getByRole('menuitem', { name: 'Send a smaller one' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();
  await save(page);
  const stored = await delivered(client, '(sizes)');
  expect(stored.get('whole.jpg')?.equals(files[1]?.bytes ?? Buffer.alloc(0))).toBe(true);
  const small = stored.get('small.jpg') ?? Buffer.alloc(0);
  expect((await sharp(small).metadata()).width).toBe(1600);
  expect(small.length).toBeLessThan(files[0]?.bytes.length ?? 0);
});

test('failures S10: a bomb of 289 megapixels is refused and the memory does not grow; the others go on', async ({
  app,
  server,
}) => {
  const side = 17_000;
  const bomb = await sharp({
    create: { width: side, height: side, channels: 3, background: '#336699' },
    limitInputPixels: false,
  })
    .png({ compressionLevel: 9 })
    .toBuffer();
  const page = await app.open({ apart: true });
  await connectToServer(page, server, 'Harbour Bridge East');
  await newReport(page, 'Formwork prop slipped (bomb)');
  const before = await memoryOf(app.data_dir);
  let most = before;
  let looking = true;
  const looker = (async () => {
    while (looking) most = Math.max(most, await memoryOf(app.data_dir));
  })();
  const fine = await picture({ format: 'png', width: 300, height: 200 });
  await pick(page, [
    { name: 'bomb.png', bytes: bomb },
    { name: 'fine.png', bytes: fine },
  ]);
  await expect(
    page.getByText(
      /bomb\.png was not added\. This picture is too large to open safely \(17,000 × 17,000/,
    ),
  ).toBeVisible();
  await added(page, 'fine.png');
  looking = false;
  await looker;
  expect(before).toBeGreaterThan(50_000_000);
  // Decoding would take 867 to 1,156 MB.
  expect(most - before).toBeLessThan(250_000_000);
});

test('the camera: a live picture, the shutter, the other camera; each shot is a photo of the report', async ({
  app,
  server,
  client,
}) => {
  const page = await app.open({ cameras: 2 });
  await connectToServer(page, server, 'Harbour Bridge East');
  await newReport(page, 'Cable across the gangway (camera)');
  await page.getByRole('button', { name: 'Take a photo' }).click();
  const dialog = page.getByRole('dialog', { name: 'Take a photo' });
  const live = () =>
    dialog.locator('video').evaluate((video: HTMLVideoElement) => ({
      width: video.videoWidth,
      device: (video.srcObject as MediaStream | null)?.getVideoTracks()[0]?.getSettings().deviceId,
    }));
  await expect.poll(async () => (await live()).width).toBeGreaterThan(0);
  const first = (await live()).device;
  await dialog.getByRole('button', { name: 'Take the photo' }).click();
  await expect(dialog.getByText('1 photo added')).toBeVisible();
  await dialog.getByRole('button', { name: 'Use the other camera' }).click();
  await expect.poll(async () => (await live()).device).not.toBe(first);
  await expect.poll(async () => (await live()).width).toBeGreaterThan(0);
  await dialog.getByRole('button', { name: 'Take the photo' }).click();
  await expect(dialog.getByText('2 photos added')).toBeVisible();
  await look(page, 'camera');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: /^More for Photo / })).toHaveCount(2);
  await save(page);
  expect((await delivered(client, '(camera)')).size).toBe(2);
});

test('a camera that is refused, busy, missing or unplugged: told, tried again, and files can be chosen', async ({
  app,
  server,
}) => {
  const page = await app.open({ cameras: 2 });
  await connectToServer(page, server, 'Harbour Bridge East');
  // Calls the machine's camera, or rejects with the error set here.
  await page.evaluate(() => {
    const { mediaDevices } = navigator;
    const real = mediaDevices.getUserMedia.bind(mediaDevices);
    const told = window as unknown as { refuses: string; unplugged: boolean };
    Object.assign(told, { refuses: '', unplugged: false });
    mediaDevices.getUserMedia = (wanted) => {
      const { refuses, unplugged } = told;
      if (refuses !== '') return Promise.reject(new DOMException('refused', refuses));
      const video = wanted?.video;
      const chosen = typeof video === 'object' && video.deviceId !== undefined;
      return real(unplugged && chosen ? { video: { deviceId: { exact: 'unplugged' } } } : wanted);
    };
  });
  const now = (state: { readonly refuses?: string; readonly unplugged?: boolean }) =>
    page.evaluate((told) => void Object.assign(window, told), state);
  await newReport(page, 'Cable across the gangway (no camera)');
  const dialog = page.getByRole('dialog', { name: 'Take a photo' });
  const shoots = dialog.getByRole('button', { name: 'Take the photo' });
  const again = dialog.getByRole('button', { name: 'Try again' });
  const open = () => page.getByRole('button', { name: 'Take a photo' }).click();
  for (const [name, said] of [
    ['NotAllowedError', 'not allowed to use the camera'],
    ['SecurityError', 'not allowed to use the camera'],
    ['NotReadableError', 'Another program is using the camera'],
    ['AbortError', 'Another program is using the camera'],
    ['NotFoundError', 'No camera was found'],
    ['OverconstrainedError', 'No camera was found'],
    ['TypeError', 'No camera was found'],
  ] as const) {
    await now({ refuses: name });
    await open();
    await expect(dialog.getByRole('alert')).toContainText(said);
    // The other program is closed or the camera plugged in, without leaving the dialog.
    await now({ refuses: '' });
    await again.click();
    await expect(shoots).toBeEnabled();
    await expect(dialog.getByRole('alert')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }

  // The selected camera is unplugged while its picture is shown, and is missing the next time.
  await open();
  await dialog.getByRole('button', { name: 'Use the other camera' }).click();
  await expect(shoots).toBeEnabled();
  await shoots.focus();
  const video = dialog.locator('video');
  await expect
    .poll(() => video.evaluate((one: HTMLVideoElement) => one.videoWidth))
    .toBeGreaterThan(0);
  await shoots.click();
  await expect(dialog.getByText('1 photo added')).toBeVisible();
  await video.evaluate((one: HTMLVideoElement) => {
    const [track] = (one.srcObject as MediaStream).getVideoTracks();
    if (track === undefined) throw new Error('The camera has no track.');
    track.stop();
    track.dispatchEvent(new Event('ended'));
  });
  await expect(dialog.getByRole('alert')).toContainText('The camera was disconnected');
  await expect(dialog.getByText('1 photo added')).toBeVisible();
  await expect(shoots).toBeHidden();
  // The focused element is gone, but the dialog keeps the focus.
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await now({ unplugged: true });
  await open();
  await expect(shoots).toBeEnabled();
  await now({ refuses: 'NotReadableError' });
  await page.keyboard.press('Escape');
  await open();
  const picker = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: 'Choose files instead' }).click();
  await (await picker).setFiles([]);
});

test('the form with photos, a video, offers and every kind of refusal, in both themes and small windows', async ({
  app,
  server,
  folder,
}) => {
  test.setTimeout(600_000);
  const page = await app.open();
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  await newReport(page, 'Sling worn through at the hook (looks)');
  const dated = await photoFile(folder, 1, 300_000);
  const jpeg = await readFile(dated.path);
  const file = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer });
  await page
    .locator('input[type=file]')
    .setInputFiles([
      file('Site overview, north side, second floor.jpg', 'image/jpeg', jpeg),
      file('the same again.jpg', 'image/jpeg', jpeg),
      file('crane.mp4', 'video/mp4', await fixture('clip.mp4')),
      file('phone.heic', 'image/heic', await fixture('plain.heic')),
      file(
        'notes.txt',
        'text/plain',
        Buffer.from('no photo at all, whatever it is called '.repeat(9)),
      ),
      file(
        'cut off.jpg',
        'image/jpeg',
        Buffer.concat([jpeg.subarray(0, 200), Buffer.alloc(500, 7)]),
      ),
    ]);
  for (const name of ['Site overview, north side, second floor.jpg', 'crane.mp4', 'phone.heic'])
    await expect(page.getByRole('button', { name: `More for ${name}` })).toBeVisible({
      timeout: 120_000,
    });
  const photos = page.getByRole('region', { name: 'Photos' });
  await expect(photos.getByRole('alert')).toHaveCount(3);
  await photos.scrollIntoViewIfNeeded();
  await look(page, 'intake');
  await photos.getByRole('button', { name: 'More for crane.mp4' }).scrollIntoViewIfNeeded();
  await page.emulateMedia({ colorScheme: 'light' });
  const shots = process.env['SPOTTER_LOOKS'];
  if (shots) await page.screenshot({ path: join(shots, 'intake-tiles.png') });
});
