/** An admin makes an evidence pack of a near miss, which verifies, and finds it in the log of admins. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runVerify } from '../../src/browser/verify/command.ts';
import { expect, test } from './fixtures.ts';
import { axe, look } from './looks.ts';
import { drained, photoFile, pressMore, report } from './steps.ts';

test.use({ apart: false });

test('decisions §19.2: a pack is made without names, saved and verified, and the log says so', async ({
  world,
  server,
  folder,
}) => {
  const page = await world.open();
  const photo = await photoFile(folder, 1, 200_000);
  await report(page, { text: 'Chain hoist slipped at the west gate', photos: [photo] });
  await drained(page);
  await pressMore(page, 'Evidence pack…', 'More actions');
  const dialog = page.getByRole('dialog', { name: 'Evidence pack' });
  await expect(dialog.getByRole('checkbox', { name: 'With people’s names' })).not.toBeChecked();
  await axe(page, 'evidence pack');
  await look(page, 'evidence-pack');
  const saving = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Make and save' }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toMatch(/^evidence-\d+-\d+\.zip$/);
  const file = join(folder, 'pack.zip');
  await copyFile(await download.path(), file);
  const lines: string[] = [];
  expect(await runVerify([file, '--service', server.url], (line) => lines.push(line))).toBe(0);
  expect(lines.join('\n')).toContain('6 files: every size and checksum');
  await expect(dialog).toBeHidden();

  // Offline it says so, and offers nothing that cannot work.
  world.offline();
  await pressMore(page, 'Evidence pack…', 'More actions');
  await dialog.getByRole('button', { name: 'Make and save' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  world.online();

  await page.evaluate(() => (location.hash = '/users'));
  await page.getByRole('button', { name: 'Admin log' }).click();
  const log = page.getByRole('dialog', { name: 'What admins did' });
  await expect(log.getByRole('listitem').first()).toContainText('Made an evidence pack');
  await expect(log.getByRole('listitem').first()).toContainText('Without names');
  await axe(page, 'admin log');
  await look(page, 'admin-log');
});
