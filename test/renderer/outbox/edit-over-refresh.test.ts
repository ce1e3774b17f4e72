/**
 * Outbox promise 5 when a refresh arrives during an edit: changes by others since the edit began are asked about. Scripted
 * host.
 */
import { describe, expect, it } from 'vitest';
import { settingsSchema } from '../../../src/contract/settings.ts';
import { editDraftId, getDraft } from '../../../src/renderer/data/near-misses/drafts.ts';
import { followUpChange, followUpTyped } from '../../../src/renderer/data/model/follow-up.ts';
import { editNearMiss, baseFieldsFor } from '../../../src/renderer/data/near-misses/near-misses.ts';
import { refreshNearMisses } from '../../../src/renderer/data/near-misses/refresh.ts';
import { exportEverything } from '../../../src/renderer/outbox/transfer/everything.ts';
import { importItems, offerImport } from '../../../src/renderer/outbox/transfer/import.ts';
import { queueCounts } from '../../../src/renderer/outbox/queue/queue.ts';
import { conflictsOf } from '../../../src/renderer/outbox/queue/resolve.ts';
import type { StartedWindow } from '../../../src/renderer/outbox/start.ts';
import { CaptureForm } from '../../../src/renderer/screens/capture/form.svelte.ts';
import { files } from '../../../src/renderer/words/en/files.ts';
import { ACCOUNT, ScriptedHost } from '../../support/renderer-host.ts';
import {
  capture,
  drained,
  fieldsOf,
  host,
  owner,
  until,
  windowPerTest,
  windows,
} from '../../support/renderer-window.ts';
import { slow } from '../../support/slow.ts';

windowPerTest();

const rowOf = async (window: StartedWindow) => {
  const [row] = await window.db.near_misses.toArray();
  if (row === undefined) throw new Error('there is no record');
  return row;
};
/** The form of the current record, with the unfinished edit. */
const formOf = async (window: StartedWindow): Promise<CaptureForm> => {
  const row = await rowOf(window);
  return new CaptureForm(window, {
    scope: owner,
    incident_id: null,
    draft: (await getDraft(window, editDraftId(row.key))) ?? null,
    row,
    definitions: [],
    photo_settings: () => ({ photo_privacy: true, photo_size: 'original' }),
  });
};
/** Starts an edit that is on disk when the window closes. */
const beginEdit = async (window: StartedWindow, words: string): Promise<void> => {
  const form = await formOf(window);
  form.setWhat(words);
  form.flush();
  const { key } = await rowOf(window);
  await until('the draft', async () => (await getDraft(window, editDraftId(key))) !== undefined);
  await window.stop();
};
const asked = async (window: StartedWindow) => {
  await until('asked or sent', async () => {
    const { parked } = await queueCounts(window, ACCOUNT);
    return parked === 1 || (await window.db.operations.count()) === 0;
  });
  return conflictsOf(window, (await rowOf(window)).key);
};

const disputed = [
  {
    name: 'description',
    mine: '<p>Mine</p>',
    theirs: '<p>Theirs</p>',
    before: '<p>Original</p>',
  },
];

it('a text that came in while the form was open is not overwritten unseen', async () => {
  const window = await windows.start(host);
  const record = host.add({ description: '<p>Original</p>' });
  await refreshNearMisses(window, owner);
  const form = await formOf(window);
  host.theirs(record.id, { description: '<p>Theirs</p>' });
  await refreshNearMisses(window, owner);
  expect((await rowOf(window)).fields.description).toBe('<p>Theirs</p>');
  form.setWhat('Mine');
  expect((await form.save()).ok).toBe(true);
  expect(await asked(window)).toEqual(disputed);
  expect(host.near_misses.get(record.id)?.description).toBe('<p>Theirs</p>');
});

describe('an edit that was begun, left and gone on with', () => {
  const begun = async () => {
    const window = await windows.start(host);
    const record = host.add({ description: '<p>Original</p>' });
    await refreshNearMisses(window, owner);
    await beginEdit(window, 'Mine');
    host.theirs(record.id, { description: '<p>Theirs</p>' });
    return record;
  };
  const goOn = async (window: StartedWindow) => {
    await refreshNearMisses(window, owner);
    expect((await rowOf(window)).fields.description).toBe('<p>Theirs</p>');
    const form = await formOf(window);
    expect(form.restored).toBe(true);
    expect(form.answers.what).toBe('Mine');
    return form;
  };

  it('asks about what others wrote since it was begun, in this window or the one after', async () => {
    const record = await begun();
    const second = await windows.start(host);
    const again = await goOn(second);
    again.setWhat('Mine, and more');
    again.flush();
    await until('the draft', async () =>
      JSON.stringify(await second.db.drafts.toArray()).includes('and more'),
    );
    await second.stop();
    const third = await windows.start(host);
    expect((await (await formOf(third)).save()).ok).toBe(true);
    expect(await asked(third)).toEqual([{ ...disputed[0], mine: '<p>Mine, and more</p>' }]);
    expect(host.near_misses.get(record.id)?.description).toBe('<p>Theirs</p>');
  });

  it('asks where it came from the journal into an empty store', async () => {
    const record = await begun();
    const there = await windows.start(host, `${windows.db_name}-there`);
    expect((await (await goOn(there)).save()).ok).toBe(true);
    expect(await asked(there)).toEqual(disputed);
    expect(host.near_misses.get(record.id)?.description).toBe('<p>Theirs</p>');
  });

  slow('asks where it came in a file from another laptop', async () => {
    const here = await windows.start(host);
    const record = host.add({ description: '<p>Original</p>' });
    await refreshNearMisses(here, owner);
    await beginEdit(here, 'Mine');
    const again = await windows.start(host);
    const zip = exportEverything(again, ACCOUNT, settingsSchema.parse({}), files);
    const offer = await offerImport(await (await zip).response.blob(), owner);
    if (!offer.ok) throw new Error(JSON.stringify(offer.problem));
    await again.stop();
    host.theirs(record.id, { description: '<p>Theirs</p>' });
    const there = await windows.start(new ScriptedHost(host), `${windows.db_name}-there`);
    const all = { waiting: true, drafts: true, allowed: [] };
    expect((await importItems(there, offer.value, ACCOUNT, all)).ok).toBe(true);
    expect((await (await goOn(there)).save()).ok).toBe(true);
    expect(await asked(there)).toEqual(disputed);
  });

  it('asks of a field alone that was changed before they wrote, and of none that was changed after', async () => {
    const record = await begun();
    host.theirs(record.id, { harm_source: { id: 7, name: 'Fire' } });
    const window = await windows.start(host);
    const form = await goOn(window);
    expect(form.answers.lookups.harm_source_id).toBe(7);
    form.setLookup('harm_source_id', 3);
    expect((await form.save()).ok).toBe(true);
    expect(await asked(window)).toEqual(disputed);
  });

  it('asks where the record had not been sent when it was begun', async () => {
    host.up = false;
    const window = await windows.start(host);
    await capture(window, 'Original');
    await beginEdit(window, 'Mine');
    host.up = true;
    const second = await windows.start(host);
    await drained(second, host);
    const [record] = [...host.near_misses.values()];
    host.theirs(record?.id ?? 0, { description: '<p>Theirs</p>' });
    expect((await (await goOn(second)).save()).ok).toBe(true);
    expect(await asked(second)).toEqual(disputed);
  });

  it('is saved without a question where nobody else wrote', async () => {
    const window = await windows.start(host);
    const record = host.add({ description: '<p>Original</p>' });
    await refreshNearMisses(window, owner);
    await beginEdit(window, 'Mine');
    const second = await windows.start(host);
    expect((await (await formOf(second)).save()).ok).toBe(true);
    await drained(second, host);
    expect(host.near_misses.get(record.id)?.description).toBe('<p>Mine</p>');
  });
});

slow('what this laptop wrote and sent meanwhile is no change of somebody else', async () => {
  const window = await windows.start(host);
  const key = await capture(window, 'First');
  const form = await formOf(window);
  await drained(window, host);
  form.setWhat('Second');
  expect((await form.save()).ok).toBe(true);
  await drained(window, host);
  const again = await formOf(window);
  await editNearMiss(window, key, fieldsOf('Third'));
  again.setWhat('Fourth');
  expect((await again.save()).ok).toBe(true);
  await drained(window, host);
  expect([...host.near_misses.values()][0]?.description).toBe('<p>Fourth</p>');
});

it('a number that the server keeps as a text is no change of somebody else', async () => {
  host.up = false;
  const window = await windows.start(host);
  const key = await capture(window, 'Counted', [], { custom_fields: { custom_field_7: 5 } });
  const change = { custom_fields: { custom_field_7: 6 } };
  const baseFields = baseFieldsFor(await rowOf(window), change);
  host.up = true;
  window.engine.wake();
  await drained(window, host);
  const id = [...host.near_misses.keys()][0] ?? 0;
  host.theirs(id, { custom_fields: { custom_field_7: { data_type: 'number', value: '5' } } });
  await refreshNearMisses(window, owner);
  expect((await editNearMiss(window, key, change, baseFields)).ok).toBe(true);
  expect(await asked(window)).toEqual([]);
});

it('a part of a follow-up that was left as it stood is not written over what somebody else made of it', () => {
  const stood = { what: 'Fit a spring', who: 'Tom', due: '2026-11-30' };
  const field = (id: number) => ({ id }) as Parameters<typeof followUpChange>[0]['what'];
  const fields = { what: field(1), who: field(2), due: field(3), done: field(4) };
  expect(followUpChange(fields, followUpTyped({ ...stood, due: '' }, stood))).toEqual({
    custom_fields: { custom_field_3: null },
  });
  expect(followUpTyped({ ...stood, who: 'Tom ' }, stood)).toEqual({});
});
