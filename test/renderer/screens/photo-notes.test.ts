/** Photo captions in the form: kept in the draft, removed with their photo, and absent if the server has no field for them. */
import { expect, it } from 'vitest';
import type { CustomFieldDefinition } from '../../../src/contract/rest/catalog.ts';
import { getDraft } from '../../../src/renderer/data/near-misses/drafts.ts';
import { CaptureForm } from '../../../src/renderer/screens/capture/form.svelte.ts';
import { PhotoNotes } from '../../../src/renderer/screens/capture/photos/photo-notes.svelte.ts';
import { rolesOf } from '../../../src/renderer/near-miss-form/roles.ts';
import { host, owner, windowPerTest, windows } from '../../support/renderer-window.ts';

windowPerTest();

const field: CustomFieldDefinition = {
  id: 9,
  label: 'Pies de foto',
  data_type: 'text',
  options: [],
  required: false,
};
const photos = ['a.jpg', 'b.jpg', 'c.jpg'].map((filename) => ({ id: filename, filename }));

const formOn = async (definitions: readonly CustomFieldDefinition[]) => {
  host.up = false;
  const window = await windows.start(host);
  const form = new CaptureForm(window, {
    scope: owner,
    incident_id: 1,
    draft: null,
    row: null,
    definitions,
    photo_settings: () => ({ photo_privacy: true, photo_size: 'original' }),
  });
  return {
    window,
    form,
    notes: new PhotoNotes(
      () => form,
      () => photos,
    ),
  };
};

it('captions and order are in the draft, and gone with their photo', async () => {
  const { window, form, notes } = await formOn([field]);
  form.setWhat('Toe board gone');
  notes.tell('b.jpg', 'Missing toe board');
  notes.move('c.jpg', 0);
  notes.moveOnto('b.jpg', 'c.jpg');
  notes.tell('a.jpg', 'The other side');
  notes.leave('a.jpg');
  expect(notes.possible).toBe(true);
  form.flush();
  await expect
    .poll(async () => (await getDraft(window, form.draft_id))?.fields.custom_fields)
    .toMatchObject({ custom_field_9: 'b.jpg: Missing toe board\nc.jpg' });
});

it('a server without the field: nothing is offered, nothing is said, the order is that of adding', async () => {
  const { form, notes } = await formOn([]);
  notes.tell('b.jpg', 'Missing toe board');
  notes.move('c.jpg', 0);
  expect(notes.possible).toBe(false);
  expect(notes.said.map(({ id }) => id)).toEqual(['a.jpg', 'b.jpg', 'c.jpg']);
  expect(form.answers.custom).toEqual({});
});

it('the field is in no other place of the form, unless it must be filled in', () => {
  const roles = rolesOf([field]);
  expect([roles.captions?.id, roles.rest.length, roles.required.length]).toEqual([9, 0, 0]);
  const must = rolesOf([{ ...field, required: true }]);
  expect([must.captions, must.required.length]).toEqual([undefined, 1]);
});
