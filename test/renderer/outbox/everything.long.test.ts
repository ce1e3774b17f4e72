/**
 * All data of an account exports to one zip and imports on another laptop, once: pending items, drafts with their photos,
 * settings.
 */
import { downloadZip } from 'client-zip';
import { describe, expect, it } from 'vitest';
import { settingsSchema, type Settings } from '../../../src/contract/settings.ts';
import {
  newDraft,
  newEditDraft,
  saveDraft,
} from '../../../src/renderer/data/near-misses/drafts.ts';
import { originalBlob } from '../../../src/renderer/data/photos/photos.ts';
import {
  exportEverything,
  everythingSize,
} from '../../../src/renderer/outbox/transfer/everything.ts';
import { openExportFile } from '../../../src/renderer/outbox/transfer/export-file.ts';
import {
  type ImportOffer,
  importItems,
  offerImport,
} from '../../../src/renderer/outbox/transfer/import.ts';
import type { StartedWindow } from '../../../src/renderer/outbox/start.ts';
import { takeIn } from '../../../src/renderer/photos/intake.ts';
import { ACCOUNT, ScriptedHost } from '../../support/renderer-host.ts';
import {
  capture,
  host,
  owner,
  photoBytes,
  windowPerTest,
  windows,
} from '../../support/renderer-window.ts';
import { files } from '../../../src/renderer/words/en/files.ts';

windowPerTest();

const settings: Settings = settingsSchema.parse({
  language: 'es',
  theme: 'dark',
  photo_places: { [`${ACCOUNT} 10`]: { kind: 'laptop' } },
});

const begun = async (window: StartedWindow, text: string, bytes: number) => {
  const draft = newDraft(window, owner, {
    description: text,
    custom_fields: { custom_field_1: 'x' },
  });
  await saveDraft(window, draft);
  const [taken] = await takeIn(window, { account: ACCOUNT, draft_id: draft.id }, [
    new File([photoBytes(bytes, 7)], 'board.jpg'),
  ]);
  if (!taken?.ok) throw new Error('not taken in');
  return draft;
};

/** Imports only the drafts of a file; returns the import's result. */
const importDrafts = (window: StartedWindow, offer: ImportOffer, account: string) =>
  importItems(window, offer, account, { waiting: false, drafts: true, allowed: [] });
const came = (drafts: number) => ({ ok: true, value: { drafts } });

const otherLaptop = () => windows.start(new ScriptedHost(host), `${windows.db_name}-other`);

const zipOf = async (window: StartedWindow): Promise<Blob> =>
  (await exportEverything(window, ACCOUNT, settings, files)).response.blob();
const offered = async (file: Blob): Promise<ImportOffer> => {
  const offer = await offerImport(file, owner);
  if (!offer.ok) throw new Error(JSON.stringify(offer.problem));
  return offer.value;
};

describe('export and import of everything', () => {
  it('outbox promise 1: drafts, photos byte for byte, what waits and the settings are in it; nothing is taken over twice', async () => {
    host.up = false;
    const first = await windows.start(host);
    await capture(first, 'Waits here', [photoBytes(900, 1)]);
    const draft = await begun(first, 'Half a sentence', 70_000);
    expect(await everythingSize(first, ACCOUNT)).toBe(70_000);
    const file = await zipOf(first);
    await first.stop();

    const offer = await offered(file);
    expect(offer).toMatchObject({ records: 1, photos: 1 });
    expect(offer.settings).toMatchObject({ language: 'es', theme: 'dark' });
    const other = await otherLaptop();
    expect(await importDrafts(other, offer, ACCOUNT)).toMatchObject(came(1));
    const [there] = await other.db.drafts.toArray();
    expect(there?.id).not.toBe(draft.id);
    expect(there).toMatchObject({
      fields: { description: 'Half a sentence', custom_fields: { custom_field_1: 'x' } },
    });
    const [photo] = await other.db.photos
      .where('draft_id')
      .equals(there?.id ?? '')
      .toArray();
    if (photo === undefined) throw new Error('no photo came');
    expect(photo).toMatchObject({ state: 'draft', account: ACCOUNT, near_miss_key: null });
    const bytes = await originalBlob(other, photo);
    expect(bytes.ok && new Uint8Array(await bytes.value.arrayBuffer())).toEqual(
      photoBytes(70_000, 7),
    );
    expect(await importDrafts(other, offer, ACCOUNT)).toMatchObject(came(0));
  });

  it('holds no token, and an import of what waits reads it too', async () => {
    host.up = false;
    const window = await windows.start(host);
    await capture(window, 'Waits here');
    await begun(window, 'Half a sentence', 90);
    const file = await zipOf(window);
    expect(await offerImport(file, owner)).toMatchObject({ ok: true, value: { records: 1 } });
    const { settings: told } = await openExportFile(file);
    expect(told).toEqual(settings);
    expect(JSON.stringify(told)).not.toMatch(/token|password/iu);
  });

  it('of another account of the company: a draft becomes one’s own, an edit of a record is left out', async () => {
    host.up = false;
    const window = await windows.start(host);
    const draft = await begun(window, 'Half a sentence', 90);
    const key = await capture(window, 'Saved');
    await saveDraft(window, newEditDraft(window, owner, key));
    const file = await zipOf(window);
    await window.stop();
    const account = ACCOUNT.replace(/[^/]*$/u, '4711');
    const offer = await offerImport(file, { ...owner, account });
    if (!offer.ok) throw new Error(JSON.stringify(offer.problem));
    expect(offer.value.drafts.drafts.map(({ id }) => id)).toEqual([draft.id]);
    const other = await otherLaptop();
    expect(await importDrafts(other, offer.value, account)).toMatchObject(came(1));
    expect((await other.db.drafts.toArray()).map((one) => one.account)).toEqual([account]);
  });

  it('a photo that is not what the file says is refused, and nothing of it stays', async () => {
    host.up = false;
    const window = await windows.start(host);
    await begun(window, 'Half a sentence', 90);
    const file = await zipOf(window);
    await window.stop();
    const { drafts, manifest } = await openExportFile(file);
    const path = drafts.photos[0]?.path ?? '';
    const changed = await downloadZip([
      { name: path, input: photoBytes(90, 8) },
      { name: 'drafts.json', input: JSON.stringify(drafts) },
      {
        name: 'spotter.json',
        input: JSON.stringify({ format: 'spotter-waiting', version: 1, ...manifest }),
      },
    ]).blob();
    const other = await otherLaptop();
    expect(await importDrafts(other, await offered(changed), ACCOUNT)).toMatchObject({
      ok: false,
      problem: { kind: 'damaged', detail: path },
    });
    expect(await other.db.drafts.count()).toBe(0);
    expect(await other.db.photos.count()).toBe(0);
  });

  it('settings or drafts that are none are refused as damaged', async () => {
    const window = await windows.start(host);
    const { manifest } = await openExportFile(await zipOf(window));
    const head = {
      name: 'spotter.json',
      input: JSON.stringify({ format: 'spotter-waiting', version: 1, ...manifest }),
    };
    for (const [name, input] of [
      ['settings.json', '{"theme":"pink"}'],
      ['settings.json', 'not json'],
      ['drafts.json', '{"drafts":[{"id":1}],"photos":[]}'],
    ] as const) {
      const file = await downloadZip([head, { name, input }]).blob();
      expect(await offerImport(file, owner)).toMatchObject({
        ok: false,
        problem: { kind: 'damaged', detail: expect.stringContaining(name) as string },
      });
    }
  });
});
