/**
 * Importing an untrusted file where evidence is pending. It never changes existing data, takes effect completely or not at all,
 * and imports deletes, members and webhooks only if a person allows it.
 */
import { BlobReader, ZipReader } from '@zip.js/zip.js';
import { downloadZip } from 'client-zip';
import { ulid } from 'ulid';
import { describe, expect, it } from 'vitest';
import { newDraft, saveDraft } from '../../../src/renderer/data/near-misses/drafts.ts';
import { originalBlob } from '../../../src/renderer/data/photos/photos.ts';
import { exportEverything } from '../../../src/renderer/outbox/transfer/everything.ts';
import { openExportFile } from '../../../src/renderer/outbox/transfer/export-file.ts';
import { DRAFTS_NAME, MANIFEST_NAME } from '../../../src/renderer/outbox/transfer/export-form.ts';
import {
  type ImportOffer,
  importItems,
  offerImport,
} from '../../../src/renderer/outbox/transfer/import.ts';
import { readExportFile } from '../../../src/renderer/outbox/transfer/import-reader.ts';
import type { StartedWindow } from '../../../src/renderer/outbox/start.ts';
import { takeIn } from '../../../src/renderer/photos/intake.ts';
import { settingsSchema } from '../../../src/contract/settings.ts';
import { jsonBomb } from '../../support/renderer-bombs.ts';
import { ACCOUNT, ScriptedHost, to } from '../../support/renderer-host.ts';
import {
  capture,
  drained,
  host,
  owner,
  photoBytes,
  until,
  windowPerTest,
  windows,
} from '../../support/renderer-window.ts';
import { files } from '../../../src/renderer/words/en/files.ts';
import { files as spanish } from '../../../src/renderer/words/es/files.ts';

windowPerTest();

const all = { waiting: true, drafts: true, allowed: [] } as const;
const zipOf = async (window: StartedWindow): Promise<Blob> =>
  (await exportEverything(window, ACCOUNT, settingsSchema.parse({}), files)).response.blob();
const offered = async (file: Blob): Promise<ImportOffer> => {
  const offer = await offerImport(file, owner);
  if (!offer.ok) throw new Error(JSON.stringify(offer.problem));
  return offer.value;
};
const otherLaptop = async () => {
  const other = new ScriptedHost(host);
  other.up = false;
  return { window: await windows.start(other, `${windows.db_name}-other`), other };
};
const begun = async (window: StartedWindow, bytes: Uint8Array<ArrayBuffer>) => {
  const draft = newDraft(window, owner, { description: 'Half a sentence' });
  await saveDraft(window, draft);
  const target = { account: ACCOUNT, draft_id: draft.id };
  const [taken] = await takeIn(window, target, [new File([bytes], 'a.jpg')]);
  if (!taken?.ok) throw new Error('not taken in');
  return taken.kept;
};
/** Everything a laptop holds, for comparison before and after. */
const holdings = async ({ db }: StartedWindow, laptop: ScriptedHost) => ({
  tables: await Promise.all(
    db.tables
      .filter(({ name }) => name !== 'meta')
      .map(async (table) => [table.name, JSON.stringify(await table.toArray())]),
  ),
  spool: [...laptop.spool].map(([id, { sha256 }]) => `${id} ${sha256}`).sort(),
  journal: [...laptop.journal.keys()].sort(),
  journal_drafts: [...laptop.drafts.keys()].sort(),
  staged: await db.meta.get('staged_import'),
});

describe('what is here already', () => {
  it('A32: keeps its bytes, whatever ids a file names for its photos and their originals', async () => {
    host.up = false;
    const window = await windows.start(host);
    const evidence = photoBytes(900, 1);
    await capture(window, 'Evidence', [evidence]);
    const [waiting] = await window.db.photos.toArray();
    const drafted = await begun(window, photoBytes(800, 2));
    const forged = photoBytes(700, 3);
    // A valid export of another laptop in which every photo id is replaced by a local one.
    const { window: theirs, other } = await otherLaptop();
    await begun(theirs, forged);
    await capture(theirs, 'Theirs', [photoBytes(600, 4)]);
    const { manifest, drafts } = await openExportFile(await zipOf(theirs));
    const [photo] = drafts.photos;
    const [sent] = manifest.photos;
    const draft_id = drafts.drafts[0]?.id ?? '';
    const victim = waiting?.photo_id ?? '';
    const text = JSON.stringify(manifest).replaceAll(sent?.photo_id ?? '?', drafted.photo_id);
    const bytesOf = (id: string) => other.spool.get(id)?.bytes ?? new Uint8Array();
    const forgery = await downloadZip([
      { name: 'drafts/a', input: bytesOf(photo?.photo_id ?? '') },
      { name: `drafts/${victim}-original`, input: forged },
      {
        name: (sent?.path ?? '').replace(sent?.photo_id ?? '?', drafted.photo_id),
        input: bytesOf(sent?.photo_id ?? ''),
      },
      {
        name: DRAFTS_NAME,
        input: JSON.stringify({
          drafts: drafts.drafts,
          photos: [
            {
              ...photo,
              path: 'drafts/a',
              draft_id,
              original: { photo_id: victim, size: forged.length, sha256: photo?.sha256 },
            },
          ],
        }),
      },
      {
        name: MANIFEST_NAME,
        input: JSON.stringify({
          format: 'spotter-waiting',
          version: 1,
          ...(JSON.parse(text) as object),
        }),
      },
    ]).blob();
    const offer = await offered(forgery);
    expect(await importItems(window, offer, ACCOUNT, all)).toMatchObject({
      ok: true,
      value: { records: 1, drafts: 1, photos: 3 },
    });
    expect(host.spool.get(victim)?.bytes).toEqual(evidence);
    expect(host.spool.get(drafted.photo_id)?.bytes).toEqual(photoBytes(800, 2));
    const rows = await window.db.photos.toArray();
    expect(new Set(rows.map(({ photo_id }) => photo_id)).size).toBe(4);
    expect(rows.filter(({ original }) => original?.photo_id === victim)).toEqual([]);
    host.up = true;
    window.engine.wake();
    await drained(window, host);
    const delivered = [...host.near_misses.values()].find(({ description }) =>
      description?.includes('Evidence'),
    );
    expect(delivered?.attachments).toMatchObject([{ sha256: waiting?.sha256 }]);
  });

  it('A16, A32: stays as it is where the import fails at any point: refused bytes, a full disk, a journal that cannot be told', async () => {
    host.up = false;
    const first = await windows.start(host);
    await capture(first, 'Carried', [photoBytes(500, 5), photoBytes(400, 6)]);
    await begun(first, photoBytes(300, 7));
    const file = await zipOf(first);
    await first.stop();
    const { window, other } = await otherLaptop();
    await capture(window, 'Mine', [photoBytes(200, 8)]);
    await begun(window, photoBytes(100, 9));
    await window.engine.stop();
    await until(
      'the journal is told',
      async () =>
        // With its photo: a draft journaled before its photo was taken in is journaled again.
        [...other.drafts.values()].map(({ photos }) => photos.length).join() === '1' &&
        (await window.db.operations.toArray()).every(({ journaled }) => journaled === 1),
    );
    const before = await holdings(window, other);
    const full = { kind: 'no_space', detail: 'test' } as const;
    for (const [method, skip] of [
      ['photos.begin', 1],
      ['photos.write', 2],
      ['photos.finish', 2],
      ['drafts.keep', 0],
      ['journal.append', 0],
    ] as const) {
      let seen = 0;
      const on = to(method);
      other.faults = [
        { at: 'before', on: (call) => on(call) && seen++ >= skip, problem: full, times: 1 },
      ];
      const done = await importItems(window, await offered(file), ACCOUNT, all);
      expect(done, method).toMatchObject({ ok: false, problem: { problem: full } });
      expect(await holdings(window, other), method).toEqual(before);
    }
    other.faults = [];
    expect(await importItems(window, await offered(file), ACCOUNT, all)).toMatchObject({
      ok: true,
      value: { records: 1, drafts: 1, photos: 3 },
    });
  });

  it('A4, A32: a window that dies while it imports leaves nothing: the next start drops what was staged', async () => {
    host.up = false;
    const first = await windows.start(host);
    await capture(first, 'Carried', [photoBytes(500, 5), photoBytes(400, 6)]);
    const file = await zipOf(first);
    await first.stop();
    const { window, other } = await otherLaptop();
    // The host fails after the first photo, and again during the cleanup.
    let seen = 0;
    const gone = { kind: 'offline', reason: 'reset', detail: 'test' } as const;
    other.faults = [
      {
        at: 'before',
        on: (call) => to('photos.begin')(call) && seen++ > 0,
        problem: gone,
        times: 9,
      },
      { at: 'before', on: to('photos.discard'), problem: gone, times: 9 },
    ];
    expect(await importItems(window, await offered(file), ACCOUNT, all)).toMatchObject({
      ok: false,
    });
    expect(other.spool.size).toBe(1);
    other.faults = [];
    await window.stop();
    const again = await windows.start(other, `${windows.db_name}-other`);
    expect(other.spool.size).toBe(0);
    expect(await again.db.meta.get('staged_import')).toBeUndefined();
    expect(await again.db.operations.count()).toBe(0);
  });
});

describe('what a file may bring', () => {
  it('A32: deletions come in only where a person says so', async () => {
    const server = host.add({ description: '<p>On the server</p>' });
    const first = await windows.start(host);
    await first.engine.stop();
    const key = `srv-x-${server.id}`;
    await first.stop();
    const id = ulid();
    const operation = {
      id,
      seq: 1,
      lane: key,
      kind: 'near_miss.delete',
      version: 1,
      created_at: 1,
      state: 'waiting',
      attempts: 0,
      last_problem: null,
      checkpoint: {},
      payload: { key, project_id: 10, server_id: server.id },
    };
    const row = {
      key,
      company_id: 1,
      project_id: 10,
      server_id: server.id,
      server: null,
      fields: {
        incident_id: 1,
        description: 'x',
        affected_company_id: null,
        affected_party_id: null,
        affected_person_id: null,
        harm_source_id: null,
        managed_equipment_id: null,
        work_activity_id: null,
        custom_fields: {},
      },
      created_at: 1,
      updated_at: 1,
      removed_at: 1,
    };
    const manifest = {
      format: 'spotter-waiting',
      version: 1,
      exported_at: '',
      account: ACCOUNT,
      near_misses: [row],
      operations: [operation],
      photos: [],
    };
    const file = await downloadZip([
      { name: MANIFEST_NAME, input: JSON.stringify(manifest) },
    ]).blob();
    const { window } = await otherLaptop();
    const offer = await offered(file);
    expect(offer).toMatchObject({ records: 0, asked: [{ kind: 'deletes', operations: 1 }] });
    expect(await importItems(window, offer, ACCOUNT)).toMatchObject({ value: { records: 0 } });
    expect(await window.db.operations.count()).toBe(0);
    const said = { ...all, allowed: ['deletes'] } as const;
    expect(await importItems(window, offer, ACCOUNT, said)).toMatchObject({
      value: { records: 1 },
    });
    expect((await window.db.operations.toArray()).map(({ kind }) => kind)).toEqual([
      'near_miss.delete',
    ]);
  });

  it('A35: a JSON of many small values is stopped while it unfolds, and the window goes on meanwhile', async () => {
    // 60 MB from 60 kB: twenty million values would take more than a gigabyte.
    const file = await jsonBomb(MANIFEST_NAME, 60 * 1024 * 1024);
    expect(file.size).toBeLessThan(200_000);
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const offer = await offerImport(file, owner);
    clearInterval(timer);
    expect(offer).toMatchObject({ ok: false, problem: { kind: 'too_big', detail: MANIFEST_NAME } });
    expect(longest).toBeLessThan(10_000);
  });

  it('a reader without a word is ended at its deadline, with a reason', async () => {
    await expect(readExportFile(new Blob(['PK']), 0)).rejects.toMatchObject({
      refusal: { kind: 'stopped' },
    });
  });
});

it.each([
  ['English', files],
  ['Spanish', spanish],
])(
  '%s: a zip’s folders are so named, and an original comes along with the photo that waits and the one begun',
  async (_, names) => {
    host.up = false;
    const first = await windows.start(host);
    await capture(first, 'Marked', [photoBytes(500, 5)]);
    const original = { photo_id: ulid(), bytes: photoBytes(900, 6) };
    const facts = await first.host.sendPhoto(
      new Blob([original.bytes]),
      original.photo_id,
      'o.jpg',
    );
    if (!facts.ok) throw new Error('not sent');
    const { photo_id, size, sha256 } = facts.value;
    const [operation] = await first.db.operations
      .filter(({ kind }) => kind === 'photo.send')
      .toArray();
    const payload = operation?.payload as { photo: object };
    await first.db.operations.update(operation?.id ?? '', {
      payload: { ...payload, photo: { ...payload.photo, original: { photo_id, size, sha256 } } },
    });
    await first.db.photos.toCollection().modify({ original: { photo_id, size, sha256 } });
    const draft = newDraft(first, owner, { description: 'Begun' });
    await saveDraft(first, draft);
    const board = new File([photoBytes(400, 7)], 'board.jpg');
    await takeIn(first, { account: ACCOUNT, draft_id: draft.id }, [board]);
    const begun = first.db.photos.where('draft_id').equals(draft.id);
    await begun.modify({ original: { photo_id, size, sha256 } });
    const made = await exportEverything(first, ACCOUNT, settingsSchema.parse({}), names);
    expect(made.filename).toMatch(new RegExp(`^${names.everything}-[0-9-]+\\.zip$`));
    const file = await made.response.blob();
    const zip = await new ZipReader(new BlobReader(file)).getEntries();
    const folders = new Set(zip.map(({ filename }) => filename.split('/').slice(0, -1).join('/')));
    expect(folders).toEqual(new Set(['', names.photos, names.drafts]));
    await first.stop();
    const { window } = await otherLaptop();
    expect(await importItems(window, await offered(file), ACCOUNT, all)).toMatchObject({
      ok: true,
    });
    const rows = await window.db.photos.toArray();
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      expect(row.original).toMatchObject({ size, sha256 });
      if (row.original === undefined) throw new Error('no original');
      const bytes = await originalBlob(window, { ...row, ...row.original });
      expect(bytes.ok && new Uint8Array(await bytes.value.arrayBuffer())).toEqual(original.bytes);
    }
  },
);
