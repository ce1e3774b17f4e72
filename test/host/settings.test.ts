/** The settings file, complete or partial. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSettings } from '../../src/host/lib/settings.ts';
import { temporaryFolder } from './fixtures/folder.ts';

it('failures A28: a setting that cannot be read costs itself; where photos go stays, and so does what a newer version wrote', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'settings.json');
  const photo_places = { 'https://a/1/2 5': { kind: 'custom_field', id: 9 } };
  const newer = { theme: 'of a newer version', photo_places, photo_keep_days: 30, sparkles: true };
  await writeFile(path, JSON.stringify(newer));
  const settings = await openSettings(folder, () => undefined);
  expect(settings.get()).toMatchObject({ theme: 'system', photo_places, photo_keep_days: 30 });
  expect(await settings.set({ language: 'es' })).toMatchObject({ ok: true });
  const kept = JSON.parse(await readFile(path, 'utf8')) as object;
  expect(kept).toMatchObject({ ...newer, language: 'es' });
  expect(await settings.set({ theme: 'dark' })).toMatchObject({
    ok: true,
    value: { theme: 'dark' },
  });
  const again = await openSettings(folder, () => undefined);
  expect(again.get()).toEqual(settings.get());
});
