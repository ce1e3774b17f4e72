/** Suggests places used before: most used first, each once, from this project only. */
import { expect, it } from 'vitest';
import { emptyCatalog } from '../../../src/renderer/data/db/catalog.ts';
import { usedTexts } from '../../../src/renderer/data/index/used-texts.ts';
import { cacheMany } from '../../support/renderer-cache.ts';
import { capture, host, owner, windowPerTest, windows } from '../../support/renderer-window.ts';

windowPerTest();

const FIELD = 'custom_field_7';

it('the most used first, in any case once and as it was written last; not from another project', async () => {
  host.up = false;
  const window = await windows.start(host);
  for (const place of ['Gate 2', 'Deck B', 'gate 2 ', '', 'Pier 3', 'GATE 2', 'Deck B'])
    await capture(window, 'x', [], { custom_fields: { [FIELD]: place } });
  const used = await usedTexts(window, owner, FIELD);
  expect(used).toEqual(['GATE 2', 'Deck B', 'Pier 3']);
  expect(await usedTexts(window, owner, 'custom_field_8')).toEqual([]);
  expect(await usedTexts(window, { ...owner, project_id: owner.project_id + 1 }, FIELD)).toEqual(
    [],
  );
  // Among thousands of records the scan is bounded.
  await cacheMany(window.db, owner, emptyCatalog, 1_000, Date.now() + 4_000 * 86_400_000);
  expect(await usedTexts(window, owner, FIELD)).toEqual([]);
});
