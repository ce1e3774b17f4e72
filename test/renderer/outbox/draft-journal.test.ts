/**
 * Drafts synchronised between databases through the host's journal (failures A18): both ways, with their photos in order and
 * their markup. A finished draft stays finished, wherever and however the window ended.
 */
import { ulid } from 'ulid';
import { describe, expect, it } from 'vitest';
import {
  discardDraft,
  newDraft,
  photosOfDraft,
  saveDraft,
} from '../../../src/renderer/data/near-misses/drafts.ts';
import { saveNearMiss } from '../../../src/renderer/data/near-misses/near-misses.ts';
import { removeDraftPhoto } from '../../../src/renderer/data/photos/photos.ts';
import { cancelOperation } from '../../../src/renderer/outbox/queue/queue.ts';
import type { StartedWindow } from '../../../src/renderer/outbox/start.ts';
import { takeIn } from '../../../src/renderer/photos/intake.ts';
import { keepDrafts } from '../../../src/renderer/outbox/journal/draft-journal.ts';
import { ACCOUNT, ScriptedHost } from '../../support/renderer-host.ts';
import {
  capture,
  drained,
  fieldsOf,
  host,
  owner,
  photoBytes,
  until,
  windowPerTest,
  windows,
} from '../../support/renderer-window.ts';
import { slow } from '../../support/slow.ts';

windowPerTest();

const there = () => windows.start(host, `${windows.db_name}-there`);
const words = async ({ db }: StartedWindow, id: string) =>
  (await db.drafts.get(id))?.fields.description;
const kept = (text: string) =>
  until(`the journal has ${text}`, () => JSON.stringify([...host.drafts.values()]).includes(text));
const withPhotos = async (window: StartedWindow, text: string) => {
  const draft = newDraft(window, owner, { description: text });
  await saveDraft(window, draft);
  const files = [1, 2, 3].map((n) => new File([photoBytes(300, n)], `${n}.jpg`));
  await takeIn(window, { account: ACCOUNT, draft_id: draft.id }, files);
  return draft;
};

/** A draft as the first Spotter with journaled drafts wrote it: the photo's row of that time, without a thumbnail. */
const OLD = {
  id: '01J9ZQ0000000000000000000A',
  account: ACCOUNT,
  at: 1_760_000_000_500,
  draft: {
    id: '01J9ZQ0000000000000000000A',
    account: ACCOUNT,
    company_id: 1,
    project_id: 10,
    fields: { description: '<p>Kept long ago</p>', incident_id: 1 },
    created_at: 1_760_000_000_000,
    updated_at: 1_760_000_000_500,
  },
  photos: [
    {
      photo_id: '01J9ZQ0000000000000000000B',
      account: ACCOUNT,
      near_miss_key: null,
      draft_id: '01J9ZQ0000000000000000000A',
      filename: 'IMG_1.jpg',
      size: 300,
      sha256: 'a'.repeat(64),
      content_type: 'image/jpeg',
      thumbnail: null,
      taken_at: { local: '2026-03-04T07:15:00', offset: null, at: null },
      gps: { latitude: 41.5, longitude: 2.25 },
      orientation: 6,
      state: 'draft',
      upload_uuid: null,
      attachment_id: null,
      receipt: null,
      problem: null,
      created_at: 1_760_000_000_100,
    },
  ],
} as const;

describe('drafts in the journal', () => {
  slow(
    'A20: a damaged row among the drafts keeps the window from nothing, and no other draft from the journal',
    async () => {
      const here = await windows.start(host);
      await here.db.drafts.put({ id: 'damaged', account: ACCOUNT } as never);
      await here.stop();
      const again = await windows.start(host);
      const draft = newDraft(again, owner, { description: 'Beside a damaged one' });
      await saveDraft(again, draft);
      await kept('Beside a damaged one');
      await discardDraft(again, draft.id);
      await again.stop();
      const last = await windows.start(host);
      expect(await words(last, draft.id)).toBeUndefined();
    },
  );

  it('cross to another place and back, with photos in order and their marks; the newest words count, whatever the clock says', async () => {
    const here = await windows.start(host);
    const draft = await withPhotos(here, 'One');
    const photos = await photosOfDraft(here, draft.id);
    const edits = { marks: [], turn: 1 } as never;
    await here.db.photos.update(photos[1]?.photo_id ?? '', { edits });
    await here.stop();
    await kept('"turn":1');
    const other = await there();
    expect(await words(other, draft.id)).toBe('One');
    const came = await photosOfDraft(other, draft.id);
    expect(came.map(({ filename }) => filename)).toEqual(['1.jpg', '2.jpg', '3.jpg']);
    expect(came[1]?.edits).toEqual(edits);
    // The clock was set back an hour, but this version is still the newer one.
    const back = { ...other, clock: { ...other.clock, now: () => other.clock.now() - 3_600_000 } };
    await saveDraft(back, { ...draft, fields: { description: 'Two' } });
    await removeDraftPhoto(other, came[0]?.photo_id ?? '');
    await other.stop();
    await kept('Two');
    const again = await windows.start(host);
    expect(await words(again, draft.id)).toBe('Two');
    const left = await photosOfDraft(again, draft.id);
    expect(left.map(({ filename }) => filename)).toEqual(['2.jpg', '3.jpg']);
    // Thumbnails that were here stay.
    expect(left[0]?.thumbnail).toEqual(photos[1]?.thumbnail);
  });

  it('a line as the first Spotters wrote it comes back with its photo; of a newer one what is not known here goes along', async () => {
    host.drafts.set(OLD.id, { ...OLD, photos: [...OLD.photos] });
    const [plain] = OLD.photos;
    const newer = { ...plain, photo_id: ulid(), direction: 90, cleaned: true, depth: [1, 2] };
    host.drafts.set('newer', {
      ...OLD,
      id: 'newer',
      draft: { ...OLD.draft, id: 'newer' },
      photos: [{ ...newer, draft_id: 'newer' }],
    });
    const { db } = await windows.start(host);
    expect(await db.drafts.get(OLD.id)).toEqual(OLD.draft);
    expect(await db.photos.get(plain.photo_id)).toEqual({ ...plain, thumbnail: null });
    expect(await db.photos.get(newer.photo_id)).toMatchObject({
      draft_id: 'newer',
      direction: 90,
      cleaned: true,
      depth: [1, 2],
    });
  });

  it.each([
    ['no hash', { sha256: undefined }],
    ['a time that is none', { taken_at: 'in the morning' }],
    ['half a place', { gps: { latitude: 41 } }],
  ])(
    'a photo of which it says %s cannot be read: its draft stays in the journal, others come back',
    async (_, wrong) => {
      const [plain] = OLD.photos;
      host.drafts.set(OLD.id, { ...OLD, photos: [{ ...plain, ...wrong }] });
      const other = { ...OLD, id: 'other', draft: { ...OLD.draft, id: 'other' }, photos: [] };
      host.drafts.set('other', other);
      const { db } = await windows.start(host);
      expect(await db.drafts.toCollection().primaryKeys()).toEqual(['other']);
      expect(await db.photos.count()).toBe(0);
      expect(host.drafts.has(OLD.id)).toBe(true);
    },
  );

  it('many keys are one line in about a second', async () => {
    const here = await windows.start(host);
    const draft = newDraft(here, owner);
    for (let n = 0; n < 40; n += 1)
      await saveDraft(here, { ...draft, fields: { description: `key ${n}` } });
    await kept('key 39');
    expect(host.of('drafts.keep').length).toBeLessThan(5);
  });

  it('A65: an added photo is in the journal at once, before a window that ends within the second can lose it', async () => {
    const here = await windows.start(host);
    const journal = new ScriptedHost();
    // Of this clock, no wait ends.
    const clock = {
      ...here.clock,
      after: (ms: number, fn: () => void) => (ms > 0 ? () => {} : here.clock.after(0, fn)),
    };
    const stop = keepDrafts({ db: here.db, host: journal.client(), clock });
    const draft = await withPhotos(here, 'With photos');
    await until(
      'the journal has all three',
      () => journal.drafts.get(draft.id)?.photos.length === 3,
    );
    await stop();
  });

  it('thrown away here, and the window died before it could say so: gone at the next start, there too', async () => {
    const here = await windows.start(host);
    const draft = await withPhotos(here, 'To be thrown away');
    await kept('To be thrown away');
    const other = await there();
    expect(await words(other, draft.id)).toBe('To be thrown away');
    await other.stop();
    const dead = { kind: 'offline', reason: 'unreachable', detail: '' } as const;
    host.faults.push({
      at: 'before',
      problem: dead,
      times: 99,
      on: ({ method }) => method === 'drafts.keep',
    });
    await discardDraft(here, draft.id);
    await here.stop();
    expect(host.drafts.has(draft.id)).toBe(true);
    host.faults = [];
    const again = await windows.start(host);
    expect(await words(again, draft.id)).toBeUndefined();
    await until('the journal knows', () => !host.drafts.has(draft.id));
    const stale = await there();
    expect(await words(stale, draft.id)).toBeUndefined();
    expect(await stale.db.photos.count()).toBe(0);
  });

  it('saved here: there it is a near miss that waits, with its photos, and no draft; taken back it is one again, there too', async () => {
    host.up = false;
    const here = await windows.start(host);
    const draft = await withPhotos(here, 'Saved');
    await kept('Saved');
    const other = await there();
    expect(await words(other, draft.id)).toBe('Saved');
    await other.stop();
    await saveNearMiss(here, { ...owner, id: draft.id, fields: fieldsOf('Saved') });
    await here.stop();
    const stale = await there();
    expect(await words(stale, draft.id)).toBeUndefined();
    expect(await stale.db.photos.where('near_miss_key').equals(draft.id).count()).toBe(3);
    const [operation] = await stale.db.operations.where('lane').equals(draft.id).sortBy('seq');
    await stale.db.operations.update(operation?.id ?? '', { attempts: 0, checkpoint: {} });
    expect((await cancelOperation(stale, operation?.id ?? '')).ok).toBe(true);
    await stale.stop();
    const again = await windows.start(host);
    expect(await words(again, draft.id)).toContain('Saved');
    expect(await again.db.operations.count()).toBe(0);
    expect(await again.db.near_misses.count()).toBe(0);
  });

  it('sent from another place: here nothing waits any more, and nothing is sent again', async () => {
    host.up = false;
    const here = await windows.start(host);
    await capture(here, 'Waits in two places', [photoBytes(300, 5)]);
    await here.stop();
    const other = await there();
    host.up = true;
    other.engine.wake();
    await drained(other, host);
    await other.stop();
    const sent = host.of('near_misses.create').length;
    const again = await windows.start(host);
    expect(await again.db.operations.count()).toBe(0);
    expect(await again.db.photos.count()).toBe(0);
    expect([...(await again.db.near_misses.toArray())][0]?.server_id).not.toBeNull();
    again.engine.wake();
    expect(host.of('near_misses.create')).toHaveLength(sent);
  });
});
