/**
 * The window's database in the installed browser, over several starts. SPOTTER_CHROMIUM names another browser, such as Chrome
 * or Edge, as the workflow does. On Windows a browser holds its LevelDB tables open, which blocks the removal of neighbouring
 * files.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures.ts';
import { drained, report } from './steps.ts';

test.skip(({ shell }) => shell === 'stand-in', 'the browser is the one of the project `browser`');

test('failures A19: three starts in this browser: each finds the database sound, and no copy of it stays', async ({
  app,
}) => {
  test.setTimeout(600_000);
  const kept = join(app.data_dir, 'kept-databases');
  for (const near_miss of ['First start', 'Second start', 'Third start']) {
    const page = await app.open();
    const sample = page.getByRole('button', { name: 'Try it with sample data' });
    if (near_miss === 'First start') await sample.click();
    await expect(page.getByRole('link', { name: /^Online/ })).toBeVisible({ timeout: 60_000 });
    await report(page, { text: near_miss, photos: [] });
    await drained(page);
    // The copy from before this start is deleted once Chromium has reported whether the database opened.
    await expect.poll(() => (existsSync(kept) ? readdirSync(kept) : [])).toEqual([]);
    await app.close();
  }
  expect(app.output).not.toContain('caught at the door');
});
