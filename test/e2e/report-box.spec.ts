/**
 * The report box: a poster's code is read from the laptop's screen, a phone on Wi-Fi that cuts sends a whole report, two presses file
 * it, and the code shows on the phone what became of it. New posters void the old ones.
 */
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { env, isClosed, phoneWith, scan, shots } from './phones.ts';
import { countPresses } from './presses.ts';
import { drained, photoFile, sorted, storedAt } from './steps.ts';

test('report box: a phone sends text and photos, two presses file them, the code shows the number', async ({
  world,
  client,
  folder,
  afterApp,
}) => {
  const page = await world.open({ env });
  // Keeps personal data so that bytes can be compared.
  await page.getByRole('link', { name: 'Settings' }).click();
  const personal = page.getByRole('group', { name: 'Location and personal data in photos' });
  await personal.getByText('Keep', { exact: true }).click();
  await page.getByRole('link', { name: 'Near misses' }).click();
  await page.getByRole('button', { name: 'List options' }).click();
  await page.getByRole('menuitem', { name: 'Report box' }).click();
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByRole('heading', { name: 'The box is open' })).toBeVisible();
  const address = await scan(page);
  expect(address.hash).toMatch(/^#[0-9a-f]{64}$/);

  const phone = await phoneWith(address, 'iPhone 13', 'en-GB', /net::ERR_|status of 40[39]/);
  afterApp(phone.close);
  expect(phone.page.url()).toBe(`${address.origin}/`);
  const { page: its } = phone;
  await shots(its, 'report-page');
  const text = 'Loose board at gate 4 <b>(from a phone)</b>';
  await its.getByRole('button', { name: 'Send the report' }).tap();
  await expect(its.getByText('Write what happened, or add a photo.')).toBeVisible();
  await its.getByLabel('What happened, and where?').fill(text);
  const photos = [await photoFile(folder, 1, 1_500_000), await photoFile(folder, 2, 400_000)];
  const chooser = its.waitForEvent('filechooser');
  await its.getByRole('button', { name: 'Add photos' }).tap();
  await (await chooser).setFiles(photos.map(({ path }) => path));
  await shots(its, 'report-filled');
  phone.wifi.loseAfter(700_000);
  await its.getByRole('button', { name: 'Send the report' }).tap();
  await expect(its.getByText('The laptop does not answer.', { exact: false })).toBeVisible();
  await shots(its, 'report-lost');
  phone.wifi.reachable(true);
  await expect(its.getByText('The laptop has the report. Thank you.')).toBeVisible();
  const code = ((await its.locator('#code').textContent()) ?? '').replace(' ', '');
  expect(code).toMatch(/^[B-DF-HJKMNPR-TW-Z]{6}$/);
  await shots(its, 'report-code');

  const ask = async () => {
    await its.getByRole('button', { name: 'Answer', exact: true }).tap();
    await its.getByLabel('Your code (six letters)').fill(code.toLowerCase());
    await its.getByRole('button', { name: 'Show the answer' }).tap();
  };
  await ask();
  await expect(its.getByText('A supervisor has not dealt with it yet.')).toBeVisible();

  const presses = await countPresses(page);
  await expect(page.getByText(text)).toBeVisible();
  await look(page, 'report-box');
  await page.getByRole('button', { name: 'File it' }).click();
  await expect(page.getByRole('button', { name: /^More for / })).toHaveCount(2);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL(/#\/near-misses\//);
  expect(await presses()).toBe(2);
  await drained(page);
  const stored = await storedAt(client, text);
  expect(sorted(stored)).toEqual(sorted([{ text, hashes: photos.map(({ sha256 }) => sha256) }]));
  await expect(async () => {
    await ask();
    await expect(its.getByText(/It was filed as number \d/)).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await shots(its, 'report-answer');

  // New posters: the old page says that it is old, in the language that was chosen.
  await page.getByRole('link', { name: /^Report box/ }).click();
  await page.getByRole('button', { name: 'New posters…' }).click();
  await page.getByRole('button', { name: 'Make new ones' }).click();
  await expect(page.getByText('The code is new.', { exact: false })).toBeVisible();
  await its.getByRole('button', { name: 'Español' }).tap();
  await its.getByRole('button', { name: 'Reportar' }).tap();
  await its.getByRole('button', { name: 'Enviar otro reporte' }).tap();
  await its.getByLabel('¿Qué pasó y dónde?').fill('tarde');
  await its.getByRole('button', { name: 'Enviar el reporte' }).tap();
  await expect(its.getByText('Este cartel ya no vale.', { exact: false })).toBeVisible();
  await shots(its, 'report-old');
  expect((await scan(page)).port).toBe(address.port);

  await page.getByRole('button', { name: 'Turn off' }).click();
  await isClosed(address.origin);
});

test('report box: a page reloaded before the answer came shows the code, and nothing is there twice', async ({
  world,
  afterApp,
}) => {
  const page = await world.open({ env });
  await page.getByRole('button', { name: 'List options' }).click();
  await page.getByRole('menuitem', { name: 'Report box' }).click();
  await page.getByRole('button', { name: 'Turn on' }).click();
  const phone = await phoneWith(await scan(page), 'Pixel 7');
  afterApp(phone.close);
  const { page: its } = phone;
  // The laptop stores the report, and its answer never arrives.
  await its.evaluate(() => {
    const { fetch } = window;
    window.fetch = async (...asked) => {
      const reply = await fetch(...asked);
      return reply.status === 201 ? new Promise(() => undefined) : reply;
    };
  });
  its.on('dialog', (dialog) => void dialog.accept());
  await its.getByLabel('What happened, and where?').fill('Open shaft on level 3');
  await its.getByRole('button', { name: 'Send the report' }).tap();
  await expect(page.getByText('Open shaft on level 3')).toBeVisible();
  await its.reload();
  await expect(its.locator('#code')).toHaveText(/^[A-Z]{3} [A-Z]{3}$/);
  await its.getByRole('button', { name: 'Send another report' }).tap();
  await expect(its.getByLabel('What happened, and where?')).toHaveValue('');
  await expect(page.getByText('Open shaft on level 3')).toHaveCount(1);
});
