/** What is typed just before the window closes is in its draft at the next start. */
import { expect, it } from 'vitest';
import type { Deps } from '../../../src/renderer/data/db/db.ts';
import {
  draftWriter,
  getDraft,
  newDraft,
  saveDraft,
} from '../../../src/renderer/data/near-misses/drafts.ts';
import { saveNearMiss } from '../../../src/renderer/data/near-misses/near-misses.ts';
import { fieldsOf, host, owner, windowPerTest, windows } from '../../support/renderer-window.ts';

windowPerTest();

/** A draft whose last words are typed when the page is left: the database gets them no more. */
const closeWhileTyping = async () => {
  const window = await windows.start(host);
  const still: Deps['clock'] = { ...window.clock, after: () => () => undefined };
  const draft = newDraft(window, owner);
  const writer = draftWriter({ ...window, clock: still });
  writer.change({ ...draft, fields: { description: '<p>Plank</p>' } });
  await writer.flush();
  writer.change({ ...draft, fields: { description: '<p>Plank fell</p>' } });
  dispatchEvent(new PageTransitionEvent('pagehide'));
  return { window, draft, writer };
};

it('the last words are in the draft at the next start, and only once', async () => {
  const { window, draft, writer } = await closeWhileTyping();
  expect((await getDraft(window, draft.id))?.fields.description).toBe('<p>Plank</p>');
  await window.stop();
  writer.drop();
  const next = await windows.start(host);
  expect((await getDraft(next, draft.id))?.fields.description).toBe('<p>Plank fell</p>');
  await saveDraft(next, { ...draft, fields: { description: '<p>Later</p>' } });
  await next.stop();
  const last = await windows.start(host);
  expect((await getDraft(last, draft.id))?.fields.description).toBe('<p>Later</p>');
});

it('words that were written after all are not written again over newer ones', async () => {
  const { window, draft, writer } = await closeWhileTyping();
  writer.change({ ...draft, fields: { description: '<p>Plank fell twice</p>' } });
  await writer.flush();
  await window.stop();
  const next = await windows.start(host);
  expect((await getDraft(next, draft.id))?.fields.description).toBe('<p>Plank fell twice</p>');
});

it('a report that was saved after all is no draft again', async () => {
  const { window, draft, writer } = await closeWhileTyping();
  writer.drop();
  await saveNearMiss(window, { ...owner, id: draft.id, fields: fieldsOf('Plank fell') });
  await window.stop();
  const next = await windows.start(host);
  expect(await getDraft(next, draft.id)).toBe(undefined);
});

it('two windows that close one after the other keep the last words of both', async () => {
  const both = [await windows.start(host), await windows.start(host)];
  const drafts: string[] = [];
  for (const window of both) {
    const still: Deps['clock'] = { ...window.clock, after: () => () => undefined };
    const writer = draftWriter({ ...window, clock: still });
    const draft = newDraft(window, owner);
    drafts.push(draft.id);
    writer.change({ ...draft, fields: { description: '<p>Plank fell</p>' } });
    dispatchEvent(new PageTransitionEvent('pagehide'));
    writer.drop();
  }
  for (const window of both) await window.stop();
  const next = await windows.start(host);
  for (const id of drafts)
    expect((await getDraft(next, id))?.fields.description).toBe('<p>Plank fell</p>');
});
