/**
 * Imported drafts and the host's journal: an import is in both or in neither, and a cancelled import never returns. Drafts
 * cancelled, discarded or settled here before can be imported again and stay.
 */
import { Dexie } from 'dexie';
import { describe, expect, it } from 'vitest';
import { settingsSchema } from '../../../src/contract/settings.ts';
import {
  discardDraft,
  editDraftId,
  getDraft,
  newDraft,
  newEditDraft,
  photosOfDraft,
  saveDraft,
  throwDraftAway,
} from '../../../src/renderer/data/near-misses/drafts.ts';
import { originalBlob } from '../../../src/renderer/data/photos/photos.ts';
import { exportEverything } from '../../../src/renderer/outbox/transfer/everything.ts';
import { openExportFile } from '../../../src/renderer/outbox/transfer/export-file.ts';
import { importItems, offerImport } from '../../../src/renderer/outbox/transfer/import.ts';
import type { StartedWindow } from '../../../src/renderer/outbox/start.ts';
import { takeIn } from '../../../src/renderer/photos/intake.ts';
import { ACCOUNT, type Call, ScriptedHost, to } from '../../support/renderer-host.ts';
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

const all = { waiting: true, drafts: true, allowed: [] } as const;
const zipOf = async (window: StartedWindow): Promise<Blob> =>
  (await exportEverything(window, ACCOUNT, settingsSchema.parse({}), files)).response.blob();
const taken = async (window: StartedWindow, file: Blob) => {
  const offer = await offerImport(file, owner);
  if (!offer.ok) throw new Error(JSON.stringify(offer.problem));
  return importItems(window, offer.value, ACCOUNT, all);
};
/** A file with a pending near miss with a photo, a draft with a photo, and an edit of a near miss. */
const carried = async (clock_ahead = 0): Promise<Blob> => {
  host.up = false;
  const started = await windows.start(host);
  const { clock } = started;
  const first = { ...started, clock: { ...clock, now: () => clock.now() + clock_ahead } };
  const key = await capture(first, 'Waits', [photoBytes(500, 5)]);
  const draft = newDraft(first, owner, { description: 'Half a sentence' });
  await saveDraft(first, draft);
  const file = new File([photoBytes(400, 6)], 'board.jpg');
  await takeIn(first, { account: ACCOUNT, draft_id: draft.id }, [file]);
  await saveDraft(first, newEditDraft(first, owner, key));
  const zip = await zipOf(first);
  await started.stop();
  return zip;
};
const other_name = () => `${windows.db_name}-other`;
const isEnd = ({ input }: Call) => Array.isArray(input['ended']) && input['ended'].length > 0;
const startOther = (other: ScriptedHost) => windows.start(other, other_name());
const newOther = (): ScriptedHost => {
  const other = new ScriptedHost(host);
  other.up = false;
  return other;
};
const begunIn = async ({ db }: StartedWindow) =>
  (await db.drafts.toArray()).find(({ edits }) => edits === undefined);
/** What a laptop holds of the file. */
const holds = async (window: StartedWindow, other: ScriptedHost) => ({
  operations: await window.db.operations.count(),
  records: await window.db.near_misses.count(),
  drafts: await window.db.drafts.count(),
  photos: await window.db.photos.count(),
  journal: other.journal.size,
  journal_drafts: other.drafts.size,
  spool: other.spool.size,
});
const whole = {
  operations: 2,
  records: 1,
  drafts: 2,
  photos: 2,
  journal: 2,
  journal_drafts: 2,
  spool: 2,
};
const none = {
  operations: 0,
  records: 0,
  drafts: 0,
  photos: 0,
  journal: 0,
  journal_drafts: 0,
  spool: 0,
};

describe('drafts of an import and the journal', () => {
  it('A18: in the journal when the import says so: the database lost at once, they come back with photos and export again', async () => {
    const file = await carried();
    const other = newOther();
    const window = await startOther(other);
    expect(await taken(window, file)).toMatchObject({ ok: true, value: { drafts: 2 } });
    expect(other.drafts.size).toBe(2);
    other.faults = [
      {
        at: 'before',
        times: 99,
        problem: { kind: 'bug', detail: 'dead' },
        on: to('drafts.keep'),
      },
    ];
    await window.stop();
    await Dexie.delete(other_name());
    other.faults = [];
    const again = await startOther(other);
    expect(await holds(again, other)).toEqual(whole);
    const draft = await begunIn(again);
    expect(draft?.fields.description).toBe('Half a sentence');
    const [photo] = await photosOfDraft(again, draft?.id ?? '');
    if (photo === undefined) throw new Error('no photo');
    const bytes = await originalBlob(again, photo);
    expect(bytes.ok && new Uint8Array(await bytes.value.arrayBuffer())).toEqual(photoBytes(400, 6));
    const { drafts } = await openExportFile(await zipOf(again));
    expect(drafts.drafts).toHaveLength(2);
    expect(drafts.photos).toMatchObject([{ whole: true, sha256: photo.sha256 }]);
  });

  it.each([
    ['drafts.keep', 'before'],
    ['drafts.keep', 'after'],
    ['journal.append', 'before'],
    ['journal.append', 'after'],
  ] as const)(
    'A16: %s fails (%s it was done): nothing is left, nothing comes back at the next start; taken in again, it stays',
    async (method, at) => {
      const file = await carried();
      const other = newOther();
      const window = await startOther(other);
      const problem = { kind: 'no_space', detail: 'test' } as const;
      // Lasts as long as the import, because the window keeps journaling in parallel. Calls that end drafts succeed.
      const on = (call: Call) => to(method)(call) && !isEnd(call);
      other.faults = [{ at, on, problem, times: 99 }];
      expect(await taken(window, file)).toMatchObject({ ok: false, problem: { problem } });
      other.faults = [];
      expect(await holds(window, other)).toEqual(none);
      expect(await window.db.meta.get('staged_import')).toBeUndefined();
      await window.stop();
      const second = await startOther(other);
      expect(await holds(second, other)).toEqual(none);
      expect(await taken(second, file)).toMatchObject({ ok: true, value: { drafts: 2 } });
      await second.stop();
      const third = await startOther(other);
      expect(await holds(third, other)).toEqual(whole);
      expect((await begunIn(third))?.fields.description).toBe('Half a sentence');
    },
  );

  it('A4: the journal is gone in the middle and while it is taken back: at the next start nothing of it is here', async () => {
    const file = await carried();
    const other = newOther();
    const window = await startOther(other);
    const problem = { kind: 'offline', reason: 'reset', detail: '' } as const;
    let kept = 0;
    other.faults = [
      {
        at: 'before',
        problem,
        times: 99,
        on: (call) =>
          /^journal\.(append|settle)$/.test(call.method) ||
          (call.method === 'drafts.keep' && kept++ > 0),
      },
    ];
    expect(await taken(window, file)).toMatchObject({ ok: false });
    expect(other.drafts.size).toBe(2);
    await window.stop();
    other.faults = [];
    const again = await startOther(other);
    expect(await holds(again, other)).toEqual(none);
    expect(await again.db.meta.get('staged_import')).toBeUndefined();
  });

  it('thrown away or ended here before: taken in again as the file has it, and there after the next start', async () => {
    const file = await carried();
    const other = newOther();
    const window = await startOther(other);
    await taken(window, file);
    const draft = await begunIn(window);
    if (draft === undefined) throw new Error('no draft');
    await saveDraft(window, { ...draft, fields: { description: 'Other words' } });
    await throwDraftAway(window, draft.id);
    expect(await taken(window, file)).toMatchObject({ ok: true, value: { drafts: 1 } });
    expect(await begunIn(window)).toMatchObject({ fields: { description: 'Half a sentence' } });
    expect(other.spool.size).toBe(2);
    await discardDraft(window, draft.id);
    expect(await taken(window, file)).toMatchObject({ ok: true, value: { drafts: 1 } });
    expect(await taken(window, file)).toMatchObject({ ok: true, value: { drafts: 0 } });
    await window.stop();
    const again = await startOther(other);
    expect(await holds(again, other)).toEqual(whole);
    expect(await begunIn(again)).toMatchObject({ fields: { description: 'Half a sentence' } });
  });

  it('of a laptop whose clock is a year ahead: what is typed here is newer all the same; an edit is found by its record', async () => {
    const year = 365 * 86_400_000;
    const file = await carried(year);
    const other = newOther();
    const window = await startOther(other);
    await taken(window, file);
    for (const { updated_at } of await window.db.drafts.toArray())
      expect(updated_at).toBeLessThan(window.clock.now() + year / 2);
    const [record] = await window.db.near_misses.toArray();
    const edit = await getDraft(window, editDraftId(record?.key ?? ''));
    expect(edit).toMatchObject({ edits: record?.key, account: ACCOUNT });
  });
});
