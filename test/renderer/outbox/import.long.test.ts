/**
 * Pending items export to a zip and import on another laptop, once. A file that is not what it claims to be is refused and
 * changes nothing.
 */
import { downloadZip } from 'client-zip';
import { describe, expect, it } from 'vitest';
import { editNearMiss } from '../../../src/renderer/data/near-misses/near-misses.ts';
import { openExportFile } from '../../../src/renderer/outbox/transfer/export-file.ts';
import { exportItems } from '../../../src/renderer/outbox/transfer/export.ts';
import { MANIFEST_NAME } from '../../../src/renderer/outbox/transfer/export-form.ts';
import {
  type ImportOffer,
  importItems,
  offerImport,
} from '../../../src/renderer/outbox/transfer/import.ts';
import {
  park,
  queueCounts,
  queueItems,
  cancelOperation,
} from '../../../src/renderer/outbox/queue/queue.ts';
import type { StartedWindow } from '../../../src/renderer/outbox/start.ts';
import { bombs } from '../../support/renderer-bombs.ts';
import { ACCOUNT, ScriptedHost } from '../../support/renderer-host.ts';
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

windowPerTest();

const zipOf = async (window: StartedWindow, keys?: readonly string[]): Promise<Blob> =>
  (await exportItems(window, ACCOUNT, files, keys)).response.blob();

const offered = async (file: Blob): Promise<ImportOffer> => {
  const offer = await offerImport(file, owner);
  if (!offer.ok) throw new Error(JSON.stringify(offer.problem));
  return offer.value;
};
const taken = async (window: StartedWindow, file: Blob) => {
  const done = await importItems(window, await offered(file), ACCOUNT);
  if (!done.ok) throw new Error(JSON.stringify(done.problem));
  return done.value;
};

/** Another laptop: a separate database, journal and spool on the same service. */
const otherLaptop = async (): Promise<{ window: StartedWindow; other: ScriptedHost }> => {
  const other = new ScriptedHost(host);
  other.up = false;
  return { window: await windows.start(other, `${windows.db_name}-other`), other };
};

/** The files of an export, to be repacked with a change. */
const unpacked = async (file: Blob) => {
  const { manifest, photo } = await openExportFile(file);
  const files: { name: string; input: Uint8Array<ArrayBuffer> }[] = [];
  for (const one of manifest.photos) {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    await photo(one, (chunk) => void parts.push(chunk.slice()) as never);
    files.push({ name: one.path, input: new Uint8Array(await new Blob(parts).arrayBuffer()) });
  }
  return { manifest: { format: 'spotter-waiting', version: 1, ...manifest }, files };
};
const packed = (files: readonly { name: string; input: string | Uint8Array<ArrayBuffer> }[]) =>
  downloadZip([...files]).blob();

describe('export and import of what waits', () => {
  it('a zip from one laptop is taken in on another and delivered from there, with its photos', async () => {
    host.up = false;
    const first = await windows.start(host);
    await capture(first, 'From a broken laptop', [photoBytes(5_000_000, 1), photoBytes(70, 2)]);
    const file = await zipOf(first);
    await first.stop();
    const { window, other } = await otherLaptop();
    const offer = await offered(file);
    expect(offer).toMatchObject({ records: 1, photos: 2, bytes: 5_000_070, other_user: false });
    expect(await taken(window, file)).toEqual({ records: 1, photos: 2, drafts: 0 });
    expect(other.journal.size).toBe(3);
    expect((await queueItems(window, ACCOUNT))[0]?.title).toBe('From a broken laptop');
    other.up = true;
    window.engine.wake();
    await drained(window, other);
    expect([...host.near_misses.values()]).toMatchObject([
      { description: '<p>From a broken laptop</p>', attachments: [{}, {}] },
    ]);
  });

  it('imported twice, on the laptop it came from, and delivered from both: one record, no photo doubled', async () => {
    host.up = false;
    const first = await windows.start(host);
    await capture(first, 'Once', [photoBytes(60, 1)]);
    const file = await zipOf(first);
    expect(await taken(first, file)).toEqual({ records: 0, photos: 0, drafts: 0 });
    expect((await queueCounts(first, ACCOUNT)).operations).toBe(2);
    host.up = true;
    first.engine.wake();
    await drained(first, host);
    expect(await taken(first, file)).toEqual({ records: 0, photos: 0, drafts: 0 });
    await first.stop();
    const { window, other } = await otherLaptop();
    await taken(window, file);
    expect(await taken(window, file)).toEqual({ records: 0, photos: 0, drafts: 0 });
    other.up = true;
    window.engine.wake();
    await drained(window, other);
    expect(host.near_misses.size).toBe(1);
    expect([...host.near_misses.values()][0]?.attachments).toHaveLength(1);
    const photos = await window.db.photos.toArray();
    expect(photos.map((photo) => photo.state)).toEqual(['delivered']);
  });

  it('A26: what was exported may be on the server: an edit follows it instead of replacing it, it cannot be taken back', async () => {
    host.up = false;
    const window = await windows.start(host);
    const key = await capture(window, 'Exported');
    await window.engine.stop();
    const [create] = await window.db.operations.toArray();
    const second = await windows.start(host);
    const file = await zipOf(second);
    await park(second, [create?.id ?? '']);
    await editNearMiss(second, key, { description: '<p>Edited after</p>' });
    expect(await cancelOperation(second, create?.id ?? '')).toMatchObject({ ok: false });
    const kinds = (await second.db.operations.where('lane').equals(key).sortBy('seq')).map(
      (operation) => operation.kind,
    );
    expect(kinds).toEqual(['near_miss.create', 'near_miss.update']);
    expect((await offered(file)).records).toBe(1);
  });
});

describe('a file that is not what it says is refused, and nothing is changed', () => {
  const good = async () => {
    host.up = false;
    const window = await windows.start(host);
    await capture(window, 'Good', [photoBytes(60, 1)]);
    const file = await zipOf(window);
    await window.stop();
    return { file, ...(await unpacked(file)) };
  };
  const refused = { kind: 'refused', status: 422, messages: [], fields: {} };
  const refusal = async (file: Blob): Promise<string> => {
    const offer = await offerImport(file, owner);
    return offer.ok ? 'taken' : offer.problem.kind;
  };

  it('no zip, another zip, a newer format, another server', async () => {
    const { manifest, files } = await good();
    expect(await refusal(new Blob(['not a zip']))).toBe('not_zip');
    expect(await refusal(await packed([{ name: 'a.txt', input: 'a' }]))).toBe('not_ours');
    const json = (change: object) => ({
      name: MANIFEST_NAME,
      input: JSON.stringify({ ...manifest, ...change }),
    });
    expect(await refusal(await packed([...files, json({})]))).toBe('taken');
    expect(await refusal(await packed([...files, json({ format: 'other' })]))).toBe('not_ours');
    expect(await refusal(await packed([...files, json({ version: 2 })]))).toBe('newer');
    expect(await refusal(await packed([...files, json({ account: 'other/1/1' })]))).toBe(
      'other_server',
    );
    const operations = manifest.operations.map((operation) => ({ ...operation, version: 99 }));
    expect(await refusal(await packed([...files, json({ operations })]))).toBe('newer');
    const missing = await packed([json({})]);
    expect(await refusal(missing)).toBe('damaged');
    expect(await refusal(await packed([...files, { ...json({}), input: '{' }]))).toBe('damaged');
  });

  it('outbox promise 3: what a file calls parked for a failure that may heal is sent; what was refused stays parked', async () => {
    const { manifest, files } = await good();
    const failures = {
      'near_miss.create': { kind: 'timeout', after_ms: 1 },
      'photo.send': refused,
    };
    const operations = manifest.operations.map((operation) => {
      const last_problem = Object.entries(failures).find(([kind]) => kind === operation.kind)?.[1];
      return { ...operation, state: 'parked', attempts: 3, last_problem };
    });
    const json = { name: MANIFEST_NAME, input: JSON.stringify({ ...manifest, operations }) };
    const { window, other } = await otherLaptop();
    await taken(window, await packed([...files, json]));
    other.up = true;
    window.engine.wake();
    await until('the record is sent', async () => (await window.db.operations.count()) === 1);
    expect(await window.db.operations.toArray()).toMatchObject([
      { kind: 'photo.send', state: 'parked', last_problem: refused },
    ]);
  });

  it('S12: path names that lead elsewhere, twice the same name, other characters', async () => {
    const { manifest, files } = await good();
    const json = { name: MANIFEST_NAME, input: JSON.stringify(manifest) };
    for (const name of [
      '../../etc/passwd',
      '/etc/passwd',
      'C:\\Windows\\x',
      'photos\\..\\x',
      'a/../../b',
      'bell\u0007.jpg',
      'gpj.\u202ereverse',
    ])
      expect(await refusal(await packed([...files, json, { name, input: 'x' }])), name).toBe(
        'hostile',
      );
    const [photo] = files;
    if (!photo) throw new Error('no photo');
    expect(await refusal(await packed([photo, photo, json]))).toBe('hostile');
  });

  it('a photo with other bytes of the same size: refused at its sha256, nothing stays behind', async () => {
    const { manifest, files } = await good();
    const wrong = files.map(({ name, input }) => ({ name, input: input.map((byte) => byte ^ 1) }));
    const file = await packed([...wrong, { name: MANIFEST_NAME, input: JSON.stringify(manifest) }]);
    const { window, other } = await otherLaptop();
    const done = await importItems(window, await offered(file), ACCOUNT);
    expect(done).toMatchObject({ ok: false, problem: { kind: 'damaged' } });
    expect(other.spool.size).toBe(0);
    expect(other.journal.size).toBe(0);
    expect(await window.db.operations.count()).toBe(0);
  });

  it('any byte of the file flipped or cut off: refused or the same, never something else', async () => {
    const { file } = await good();
    const whole = new Uint8Array(await file.arrayBuffer());
    const { window, other } = await otherLaptop();
    let refusals = 0;
    for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 10)) {
      const flipped = whole.slice();
      flipped[at] = (flipped[at] ?? 0) ^ 0x41;
      for (const blob of [new Blob([flipped]), new Blob([whole.slice(0, at)])]) {
        const had = [await window.db.operations.count(), other.spool.size];
        const offer = await offerImport(blob, owner);
        const done = offer.ok ? await importItems(window, offer.value, ACCOUNT) : offer;
        if (!done.ok) {
          refusals += 1;
          expect([await window.db.operations.count(), other.spool.size]).toEqual(had);
        }
      }
    }
    expect(refusals).toBeGreaterThan(10);
    const rows = await window.db.near_misses.toArray();
    expect(rows.every((row) => row.title === 'Good')).toBe(true);
  });

  it('a zip bomb: a JSON that unfolds is stopped while it is read, a photo larger than declared before', async () => {
    const { manifest, files } = await good();
    const made = await bombs(manifest, files, MANIFEST_NAME);
    expect(made.manifest.size).toBeLessThan(100_000);
    await expect(openExportFile(made.manifest, 1024 * 1024)).rejects.toMatchObject({
      refusal: { kind: 'too_big' },
    });
    expect(await refusal(made.photo)).toBe('damaged');
  });
});
