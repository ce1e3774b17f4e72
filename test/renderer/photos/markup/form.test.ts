/** Markup on a photo of the form: the rendition is sent, in the queue and in an export; the original is never sent instead. */
import { ulid } from 'ulid';
import { describe, expect } from 'vitest';
import { saveNearMiss } from '../../../../src/renderer/data/near-misses/near-misses.ts';
import type { PhotoRow } from '../../../../src/renderer/data/db/db.ts';
import { exportItems } from '../../../../src/renderer/outbox/transfer/export.ts';
import { takeIn } from '../../../../src/renderer/photos/intake.ts';
import { inTheMiddle } from '../../../../src/renderer/photos/markup/model.ts';
import { CaptureForm } from '../../../../src/renderer/screens/capture/form.svelte.ts';
import { ACCOUNT } from '../../../support/renderer-host.ts';
import { box, edits, red } from '../../../support/renderer-markup.ts';
import { make } from '../../../support/renderer-photos.ts';
import { fieldsOf, host, owner, windowPerTest, windows } from '../../../support/renderer-window.ts';
import { files } from '../../../../src/renderer/words/en/files.ts';
import { slow } from '../../../support/slow.ts';

windowPerTest();

describe('a marked photo of the form', () => {
  const formOn = (window: Awaited<ReturnType<typeof windows.start>>) =>
    new CaptureForm(window, {
      scope: owner,
      incident_id: 1,
      draft: null,
      row: null,
      definitions: [],
      photo_settings: () => ({ photo_privacy: true, photo_size: 'original' }),
    });
  const photoIn = async (window: Awaited<ReturnType<typeof windows.start>>, draft_id: string) => {
    const file = await make({ format: 'png', width: 900, height: 600, noise: true });
    const taken = (await takeIn(window, { account: ACCOUNT, draft_id }, [file]))[0];
    if (!taken?.ok) throw new Error('refused');
    return { photo: taken.kept, file };
  };
  const value = <T>(result: { ok: true; value: T } | { ok: false }): T => {
    if (!result.ok) throw new Error(JSON.stringify(result));
    return result.value;
  };
  const mark = edits(box('blur', 0.2, 0.2, 0.4, 0.4));

  slow(
    'it is what is sent; the original stays in the spool, and taking the marks off brings it back',
    async () => {
      host.up = false;
      const window = await windows.start(host);
      const form = formOn(window);
      const { photo } = await photoIn(window, form.draft_id);
      const marked = value(await form.markUp(photo, mark));
      expect(marked).toMatchObject({
        edits: mark,
        content_type: 'image/jpeg',
        filename: `${photo.filename}.jpg`,
        original: { photo_id: photo.photo_id, sha256: photo.sha256 },
      });
      expect(marked.sha256).not.toBe(photo.sha256);
      // The thumbnail is made from the rendition, so a blur also shows in the list.
      expect(marked.thumbnail?.size).not.toBe(photo.thumbnail?.size);
      expect([...host.spool.keys()].sort()).toEqual([photo.photo_id, marked.photo_id].sort());

      const more = value(
        await form.markUp(marked, edits(...mark.shapes, inTheMiddle('arrow', 'a', red))),
      );
      expect(more.original).toEqual(marked.original);
      expect([...host.spool.keys()].sort()).toEqual([photo.photo_id, more.photo_id].sort());

      const plain = value(await form.markUp(more, edits()));
      expect(plain).toMatchObject({
        photo_id: photo.photo_id,
        filename: photo.filename,
        sha256: photo.sha256,
        content_type: 'image/png',
      });
      expect('edits' in plain || 'original' in plain).toBe(false);
      expect([...host.spool.keys()]).toEqual([photo.photo_id]);
    },
  );

  slow('neither another size nor stopping brings the original back in its place', async () => {
    host.up = false;
    const window = await windows.start(host);
    const form = formOn(window);
    const { photo } = await photoIn(window, form.draft_id);
    let row: PhotoRow = value(await form.markUp(photo, mark));
    for (const max_side of [null, 300]) {
      row = value(await form.resize(row, max_side));
      expect(row).toMatchObject({
        edits: { ...mark, max_side },
        original: { sha256: photo.sha256 },
      });
      expect(row.sha256).not.toBe(photo.sha256);
    }
    const stop = new AbortController();
    stop.abort();
    expect(await form.markUp(row, mark, { signal: stop.signal })).toMatchObject({ ok: false });
    expect(await window.db.photos.toArray()).toEqual([
      expect.objectContaining({ photo_id: row.photo_id }),
    ]);
  });

  slow(
    'the queue sends the rendition alone; an export carries the original too, so that it can be drawn on again elsewhere',
    async () => {
      host.up = false;
      const window = await windows.start(host);
      const form = formOn(window);
      const { photo, file } = await photoIn(window, form.draft_id);
      const marked = value(await form.markUp(photo, mark));
      const input = { ...owner, id: form.draft_id, fields: fieldsOf('Face in the picture') };
      value(await saveNearMiss(window, input));
      const operation = (await window.db.operations.toArray()).find(
        ({ kind }) => kind === 'photo.send',
      );
      expect(operation?.payload).toMatchObject({
        photo: { photo_id: marked.photo_id, sha256: marked.sha256 },
      });
      const { response } = await exportItems(window, ACCOUNT, files);
      const zip = new Uint8Array(await response.arrayBuffer());
      const holds = async (what: Blob): Promise<boolean> => {
        const bytes = new Uint8Array(await what.arrayBuffer());
        const from = Math.floor(bytes.length / 2);
        const piece = bytes.subarray(from, from + 64);
        for (let at = zip.indexOf(piece[0] ?? 0); at >= 0; at = zip.indexOf(piece[0] ?? 0, at + 1))
          if (piece.every((byte, offset) => zip[at + offset] === byte)) return true;
        return false;
      };
      const sent = host.spool.get(marked.photo_id);
      expect(sent).toBeDefined();
      expect(await holds(file)).toBe(true);
      const blob = await renderedOf(form, marked);
      expect(await holds(blob)).toBe(true);
    },
  );

  /** The rendition's bytes from the spool. */
  const renderedOf = async (form: CaptureForm, row: PhotoRow): Promise<Blob> => {
    const { original: _none, ...itself } = row;
    return value(await form.original(itself));
  };

  slow('an id of its own, in the order of its place in the list', async () => {
    host.up = false;
    const window = await windows.start(host);
    const form = formOn(window);
    const { photo } = await photoIn(window, form.draft_id);
    const marked = value(await form.markUp(photo, mark));
    expect(marked.photo_id.slice(0, 10)).toBe(photo.photo_id.slice(0, 10));
    expect(marked.photo_id < ulid(Date.now() + 1000)).toBe(true);
  });
});
