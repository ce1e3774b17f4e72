/**
 * The folded part of the form, in a real browser: whether it asks for people follows the setting, whenever the setting arrives.
 */
import { createRawSnippet, flushSync, mount, unmount } from 'svelte';
import { expect, it, onTestFinished } from 'vitest';
import type { CaptureForm } from '../../../src/renderer/screens/capture/form.svelte.ts';
import MoreFields from '../../../src/renderer/screens/capture/fields/MoreFields.svelte';
import { app } from '../../../src/renderer/state/app.svelte.ts';
import { words } from '../../../src/renderer/words/words.ts';

const t = words.capture;

/** A form as MoreFields reads it: a project without custom fields, and no person named. */
const form = {
  answers: { lookups: { affected_person_id: null, affected_party_id: null } },
  roles: { rest: [], unknown: [] },
  risk: null,
} as unknown as CaptureForm;
const blank = createRawSnippet(() => ({ render: () => '<span></span>' }));
const lookup = createRawSnippet((name: () => string) => ({
  render: () => `<input name="${name()}">`,
}));

it('“Always ask” counts for a form that was open before the host told of it', async () => {
  const before = app.session.settings;
  const shown = mount(MoreFields, {
    target: document.body,
    props: { form, open: true, lookup, text: blank, custom: blank },
  });
  onTestFinished(async () => {
    app.session.settings = before;
    await unmount(shown);
  });
  expect(document.body.textContent).toContain(t.name_person_why);
  app.session.settings = { ...before, name_people: true };
  flushSync();
  expect(document.body.textContent).not.toContain(t.name_person_why);
  expect(document.querySelector('input[name="affected_person_id"]')).not.toBeNull();
});
