/** Outbox promise 5 where a refresh lands while somebody edits: what others wrote since the edit began is asked about. Scripted host. */
import { expect, it } from 'vitest';
import { followUpChange, followUpTyped } from '../../../src/renderer/data/follow-up.ts';
import { editNearMiss } from '../../../src/renderer/data/near-misses.ts';
import { refreshNearMisses } from '../../../src/renderer/data/refresh.ts';
import { queueCounts } from '../../../src/renderer/outbox/queue.ts';
import { conflictsOf } from '../../../src/renderer/outbox/resolve.ts';
import type { StartedWindow } from '../../../src/renderer/outbox/start.ts';
import { CaptureForm } from '../../../src/renderer/screens/capture/form.svelte.ts';
import { ACCOUNT } from '../../support/renderer-host.ts';
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

windowPerTest();

const rowOf = async (window: StartedWindow) => {
  const [row] = await window.db.near_misses.toArray();
  if (row === undefined) throw new Error('there is no record');
  return row;
};
/** The form of the record as it is now. */
const formOf = async (window: StartedWindow): Promise<CaptureForm> =>
  new CaptureForm(window, {
    scope: owner,
    incident_id: null,
    draft: null,
    row: await rowOf(window),
    definitions: [],
    photo_settings: () => ({ photo_privacy: true, photo_size: 'original' }),
  });

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
  await until('asked', async () => (await queueCounts(window, ACCOUNT)).parked === 1);
  expect(host.near_misses.get(record.id)?.description).toBe('<p>Theirs</p>');
  expect(await conflictsOf(window, (await rowOf(window)).key)).toEqual([
    {
      name: 'description',
      mine: '<p>Mine</p>',
      theirs: '<p>Theirs</p>',
      before: '<p>Original</p>',
    },
  ]);
});

it('what this laptop wrote and sent meanwhile is no change of somebody else', async () => {
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

it('a part of a follow-up that was left as it stood is not written over what somebody else made of it', () => {
  const stood = { what: 'Fit a spring', who: 'Tom', due: '2026-11-30' };
  const field = (id: number) => ({ id }) as Parameters<typeof followUpChange>[0]['what'];
  const fields = { what: field(1), who: field(2), due: field(3), done: field(4) };
  expect(followUpChange(fields, followUpTyped({ ...stood, due: '' }, stood))).toEqual({
    custom_fields: { custom_field_3: null },
  });
  expect(followUpTyped({ ...stood, who: 'Tom ' }, stood)).toEqual({});
});
