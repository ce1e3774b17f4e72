/** Drafts: on disk from the first key, several at once, with their photos, and restored after a restart. */
import { describe, expect, it } from 'vitest';
import type { Deps, SpotterDb } from '../../../src/renderer/data/db/db.ts';
import {
  beginSave,
  bringDraftBack,
  clearThrownDrafts,
  discardDraft,
  editDraftId,
  draftWriter,
  hearUnwritten,
  getDraft,
  listDrafts,
  listDraftSummaries,
  newDraft,
  newEditDraft,
  photosOfDraft,
  saveDraft,
  throwDraftAway,
} from '../../../src/renderer/data/near-misses/drafts.ts';
import { changedFields } from '../../../src/renderer/data/model/near-miss-rows.ts';
import { saveNearMiss } from '../../../src/renderer/data/near-misses/near-misses.ts';
import { removeDraftPhoto } from '../../../src/renderer/data/photos/photos.ts';
import { htmlOf, textOf } from '../../../src/renderer/data/model/text.ts';
import type { StartedWindow } from '../../../src/renderer/outbox/start.ts';
import { CaptureForm } from '../../../src/renderer/screens/capture/form.svelte.ts';
import { takeIn } from '../../../src/renderer/photos/intake.ts';
import { ACCOUNT } from '../../support/renderer-host.ts';
import {
  fieldsOf,
  host,
  owner,
  photoBytes,
  until,
  windowPerTest,
  windows,
} from '../../support/renderer-window.ts';

windowPerTest();

/** Makes the database refuse drafts while it is full. */
const refuseWrites = (db: SpotterDb, full: () => boolean): void => {
  const refuse = (): void => {
    if (full()) throw new Error('full');
  };
  db.drafts.hook('creating', refuse);
  db.drafts.hook('updating', refuse);
};

describe('drafts', () => {
  it('one whose save has begun is not offered, until the save has ended', async () => {
    const window = await windows.start(host);
    const draft = newDraft(window, owner, { description: 'A plank' });
    await saveDraft(window, draft);
    const offered = async () => (await listDrafts(window, ACCOUNT, 10)).map(({ id }) => id);
    const end = beginSave(draft.id);
    expect(await offered()).toEqual([]);
    end();
    expect(await offered()).toEqual([draft.id]);
  });

  it('written again after it was saved, as another window may, it is another near miss; the same save twice is one', async () => {
    host.up = false;
    const window = await windows.start(host);
    const draft = newDraft(window, owner, { description: 'First' });
    const input = (text: string) => ({ ...owner, id: draft.id, fields: fieldsOf(text) });
    await saveDraft(window, draft);
    const first = await saveNearMiss(window, input('First'));
    expect(await saveNearMiss(window, input('First'))).toEqual(first);
    expect(await window.db.near_misses.count()).toBe(1);

    await saveDraft(window, { ...draft, fields: { description: 'Second' } });
    const file = new File([photoBytes(300, 7)], 'second.jpg');
    await takeIn(window, { account: ACCOUNT, draft_id: draft.id }, [file]);
    const second = await saveNearMiss(window, input('Second'));
    if (!first.ok || !second.ok) throw new Error('not saved');
    expect(second.value.key).not.toBe(first.value.key);
    const texts = (await window.db.near_misses.toArray()).map(({ fields }) =>
      textOf(fields.description ?? ''),
    );
    expect(texts.sort()).toEqual(['First', 'Second']);
    const photos = await window.db.photos.toArray();
    expect(photos.map((one) => one.near_miss_key)).toEqual([second.value.key]);
    expect(await window.db.drafts.count()).toBe(0);
  });

  it('A21: gone on with in two windows, what the second has when the first has saved is another near miss', async () => {
    host.up = false;
    const window = await windows.start(host);
    const draft = newDraft(window, owner, fieldsOf('Begun'));
    await saveDraft(window, draft);
    const other = await windows.start(host);
    const formIn = (opened: StartedWindow) =>
      new CaptureForm(opened, {
        scope: owner,
        incident_id: null,
        draft,
        row: null,
        definitions: [],
        photo_settings: () => ({ photo_privacy: true, photo_size: 'original' }),
      });
    const [first, second] = [formIn(window), formIn(other)];
    second.setWhat('In the second');
    await second.leave();
    first.setWhat('In the first');
    expect((await first.save()).ok).toBe(true);
    expect((await second.save()).ok).toBe(true);
    const texts = (await window.db.near_misses.toArray()).map(({ title }) => title);
    expect(texts.sort()).toEqual(['In the first', 'In the second']);
    expect(await window.db.drafts.count()).toBe(0);
  });

  it('many keys are one write, the newest wins, and flush writes at once', async () => {
    const window = await windows.start(host);
    let due: (() => void) | null = null;
    const clock: Deps['clock'] = {
      ...window.clock,
      after: (_ms, fn) => {
        due = fn;
        return () => (due = null);
      },
    };
    const deps = { ...window, clock };
    const writer = draftWriter(deps);
    const draft = newDraft(deps, owner);
    for (const text of ['A', 'A ', 'A plank'])
      writer.change({ ...draft, fields: { description: text } });
    expect(await listDrafts(window, ACCOUNT, 10)).toEqual([]);
    expect(due).not.toBeNull();
    await writer.flush();
    expect((await getDraft(window, draft.id))?.fields).toEqual({ description: 'A plank' });
    writer.change({ ...draft, fields: { description: 'dropped' } });
    writer.drop();
    await writer.flush();
    expect((await getDraft(window, draft.id))?.fields).toEqual({ description: 'A plank' });
  });

  it('what is typed and not in the database is told, until it is; what could not be written stays unwritten', async () => {
    const window = await windows.start(host);
    const told: boolean[] = [];
    const stop = hearUnwritten((any) => told.push(any));
    const still: Deps['clock'] = { ...window.clock, after: () => () => undefined };
    const [one, other] = [newDraft(window, owner), newDraft(window, owner)];
    const writers = [
      draftWriter({ ...window, clock: still }),
      draftWriter({ ...window, clock: still }),
    ] as const;
    writers[0].change(one);
    writers[1].change(other);
    expect(told).toEqual([false, true]);
    await writers[0].flush();
    expect(told).toEqual([false, true]);
    await writers[1].flush();
    expect(told).toEqual([false, true, false]);
    refuseWrites(window.db, () => true);
    const failing = draftWriter({ ...window, clock: still });
    failing.change(one);
    await failing.flush();
    expect(told).toEqual([false, true, false, true]);
    await failing.flush();
    expect(told).toEqual([false, true, false, true]);
    failing.drop();
    expect(told).toEqual([false, true, false, true, false]);
    stop();
  });

  it('A17: what a full store refused is written once there is room, typed on or not, and never after it was dropped', async () => {
    const window = await windows.start(host);
    const due = new Set<() => void>();
    const after: Deps['clock']['after'] = (_ms, fn) => {
      due.add(fn);
      return () => void due.delete(fn);
    };
    let full = true;
    refuseWrites(window.db, () => full);
    const deps = { ...window, clock: { ...window.clock, after } };
    const told: string[] = [];
    const writer = draftWriter(deps, {
      failed: () => told.push('failed'),
      written: () => told.push('written'),
    });
    const draft = newDraft(window, owner, { description: 'Typed while full' });
    writer.change(draft);
    await writer.flush();
    expect(told).toEqual(['failed']);
    full = false;
    for (const fn of due) fn();
    await expect.poll(() => told).toEqual(['failed', 'written']);
    expect((await getDraft(window, draft.id))?.fields.description).toBe('Typed while full');
    full = true;
    writer.change({ ...draft, fields: { description: 'Saved meanwhile' } });
    await writer.flush();
    writer.drop();
    full = false;
    await writer.flush();
    expect(due.size).toBe(0);
    expect((await getDraft(window, draft.id))?.fields.description).toBe('Typed while full');
  });

  it('several drafts with photos survive a restart; throwing one away takes its photos along', async () => {
    const first = await windows.start(host);
    const writer = draftWriter(first);
    const drafts = [
      newDraft(first, owner, fieldsOf('One')),
      newDraft(first, owner, fieldsOf('Two')),
    ];
    for (const draft of drafts) {
      writer.change(draft);
      await writer.flush();
      await takeIn(first, { account: ACCOUNT, draft_id: draft.id }, [
        new File([photoBytes(20, 1)], 'a.jpg'),
        new File([photoBytes(20, 2)], 'b.jpg'),
      ]);
    }
    await first.stop();
    const second = await windows.start(host);
    expect(await listDrafts(second, ACCOUNT, 10)).toHaveLength(2);
    const id = drafts[0]?.id ?? '';
    const photos = await photosOfDraft(second, id);
    expect(photos.map((photo) => photo.filename)).toEqual(['a.jpg', 'b.jpg']);
    await removeDraftPhoto(second, photos[0]?.photo_id ?? '');
    // The journal references them for about another second.
    await expect.poll(() => host.spool.size).toBe(3);
    await discardDraft(second, id);
    await expect.poll(() => host.spool.size).toBe(2);
    expect(await listDrafts(second, ACCOUNT, 10)).toHaveLength(1);
  });

  it('thrown away it can be brought back for a while, photos and all; then it goes for good', async () => {
    const window = await windows.start(host);
    const draft = newDraft(window, owner, fieldsOf('Thrown'));
    await saveDraft(window, draft);
    await takeIn(window, { account: ACCOUNT, draft_id: draft.id }, [
      new File([photoBytes(20, 1)], 'a.jpg'),
    ]);
    const summaries = () => listDraftSummaries(window, ACCOUNT, 10);
    expect(await summaries()).toMatchObject([
      { id: draft.id, fields: fieldsOf('Thrown'), photos: 1 },
    ]);
    await throwDraftAway(window, draft.id);
    expect(await summaries()).toEqual([]);
    await clearThrownDrafts(window, ACCOUNT);
    await bringDraftBack(window, draft.id);
    expect(await summaries()).toMatchObject([{ id: draft.id, photos: 1 }]);
    await throwDraftAway(window, draft.id);
    const later = { ...window, clock: { ...window.clock, now: () => Date.now() + 3_600_000 } };
    await clearThrownDrafts(later, 'another account');
    expect(await getDraft(window, draft.id)).toBeDefined();
    await clearThrownDrafts(later, ACCOUNT);
    expect(await getDraft(window, draft.id)).toBeUndefined();
    // The journal names the photo until it was told that the draft has ended.
    await until('its bytes are gone', () => host.spool.size === 0);
  });

  it('an unfinished edit is found by its record, not among the near misses begun', async () => {
    const window = await windows.start(host);
    const edit = { ...newEditDraft(window, owner, 'srv-1'), fields: { description: 'half' } };
    await saveDraft(window, edit);
    expect(await listDrafts(window, ACCOUNT, 10)).toEqual([]);
    expect(await getDraft(window, editDraftId('srv-1'))).toMatchObject({
      edits: 'srv-1',
      fields: { description: 'half' },
    });
  });

  it('of an edit only what differs is kept', () => {
    const before = fieldsOf('One', { harm_source_id: 3, custom_fields: { a: 1, b: 2 } });
    expect(changedFields(before, before)).toEqual({});
    const after = { ...before, harm_source_id: null, custom_fields: { a: 1, b: 5, c: 6 } };
    expect(changedFields(before, after)).toEqual({
      harm_source_id: null,
      custom_fields: { b: 5, c: 6 },
    });
  });

  it('plain text to HTML and back', () => {
    const text = 'A <plank> & a "nail"\nfell\n\nNobody hurt';
    expect(htmlOf(text)).toBe('<p>A &lt;plank&gt; &amp; a "nail"<br>fell</p><p>Nobody hurt</p>');
    expect(textOf(htmlOf(text))).toBe(text);
  });
});
