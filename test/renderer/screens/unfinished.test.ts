/** Drafts and unsaved edits are visible outside the form: in the first row of the list and as a count in the rail. */
import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { newDraft } from '../../../src/renderer/data/near-misses/drafts.ts';
import { app } from '../../../src/renderer/state/app.svelte.ts';
import { words as late } from '../../../src/renderer/words/company-words.ts';
import { words } from '../../../src/renderer/words/words.ts';
import { openApp } from '../../support/renderer-app.ts';
import { ScriptedHost, sessionOf } from '../../support/renderer-host.ts';
import { jpegWith } from '../../support/renderer-jpeg.ts';
import { judge } from '../../support/renderer-looks.ts';
import { choosePhotos } from '../../support/renderer-photos.ts';
import { asServer, fileReport, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const t = words.list.unfinished;
const unfinished = () => page.getByRole('navigation', { name: t.title });
const toList = async () => {
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await expect.element(page.getByRole('list', { name: 'Near misses' })).toBeVisible();
};
const text = () => page.getByRole('textbox', { name: 'What happened?' });
const railSays = (description: string) =>
  expect
    .element(page.getByRole('link', { name: 'Near misses', exact: true }))
    .toHaveAccessibleDescription(description);

slow(
  'a draft is the first row of the list, is counted in the rail, and is continued by one press',
  async () => {
    const host = new ScriptedHost();
    host.add({ description: 'Board fell' });
    await openApp({ host });
    await page.getByRole('link', { name: 'New near miss' }).click();
    await text().fill('Ladder slipped\nand more');
    await railSays('1 not finished');
    await toList();
    const row = unfinished().getByRole('link');
    await expect.element(row).toHaveTextContent('1 draft Ladder slipped');
    await row.click();
    await expect.element(text()).toHaveValue('Ladder slipped\nand more');
  },
);

slow('an edit that is not saved is a row too, and saving it takes the row away', async () => {
  const host = new ScriptedHost();
  host.add({ description: 'Board fell' });
  await openApp({ host });
  await page.getByRole('link', { name: /Board fell/ }).click();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await text().fill('Board fell from level 3');
  await toList();
  const row = unfinished().getByRole('link');
  await expect.element(row).toHaveTextContent(`${t.edit} Board fell from level 3`);
  await row.click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => host.near_misses.values().next().value?.description).toContain('level 3');
  await toList();
  await expect.element(unfinished()).not.toBeInTheDocument();
});

slow('a form that was opened and left empty is no draft', async () => {
  await openApp();
  await page.getByRole('link', { name: 'New near miss' }).click();
  await expect.element(text()).toBeVisible();
  await page.getByRole('link', { name: 'Near misses', exact: true }).click();
  await expect.element(page.getByRole('link', { name: 'New near miss' }).first()).toBeVisible();
  await expect.element(unfinished()).not.toBeInTheDocument();
});

slow(
  'the preview of a draft’s photo that an earlier window did not make is made in the row of the draft',
  async () => {
    await openApp();
    await page.getByRole('link', { name: 'New near miss' }).click();
    await text().fill('With a photo');
    choosePhotos([await jpegWith(600, 400)]);
    await expect.poll(() => document.querySelector('section.photos img')).not.toBeNull();
    await app.deps.db.photos.toCollection().modify({ thumbnail: null });
    await page.getByRole('link', { name: 'New near miss' }).click();
    const drafts = page.getByRole('region', { name: words.capture.drafts.title });
    await expect.element(drafts.getByText('With a photo')).toBeVisible();
    await expect.poll(() => drafts.element().querySelector('img')?.naturalWidth).toBeGreaterThan(0);
  },
);

slow('the text of a draft begins where the text of the near misses below begins', async () => {
  const host = new ScriptedHost();
  host.add({ description: 'Board fell' });
  await openApp({ host });
  await page.getByRole('link', { name: 'New near miss' }).click();
  await text().fill('Ladder slipped');
  await toList();
  const left = (within: Element): number | undefined =>
    within.querySelector('b')?.getBoundingClientRect().left;
  for (const [width, height] of [
    [1366, 768],
    [480, 900],
  ] as const) {
    await page.viewport(width, height);
    const list = page.getByRole('list', { name: 'Near misses' }).element();
    await expect.element(unfinished()).toBeVisible();
    await expect.poll(() => left(list)).toBe(left(unfinished().element()));
  }
});

const photo = async (name: string) => new File([await jpegWith(600, 400)], name);
const remove = (name: string) => page.getByRole('button', { name: `More for ${name}` });
const button = (name: string) => page.getByRole('button', { name, exact: true });

slow('a draft is there again after a reload, with its photo, and can be thrown away', async () => {
  const host = siteHost();
  await openApp({ host });
  await page.getByRole('link', { name: 'New near miss' }).click();
  await text().fill('Half a sen');
  choosePhotos([await photo('IMG_1007.jpg')]);
  await expect.element(remove('IMG_1007.jpg')).toBeVisible();
  await openApp({ host, at: '/new' });
  await button('Continue Half a sen').click();
  const told = page.getByText('You are continuing a draft.');
  await expect.element(told).toBeVisible();
  await expect.element(text()).toHaveValue('Half a sen');
  await expect.element(remove('IMG_1007.jpg')).toBeVisible();
  await button('Discard').click();
  await expect.element(text()).toHaveValue('');
  await expect.element(told).not.toBeInTheDocument();
});

slow(
  'an unfinished edit is there again after a reload, with its photo; thrown away it is gone, saved it is no draft any more',
  async () => {
    const host = siteHost();
    await openApp({ host });
    await fileReport('Handrail loose');
    const edit = () => page.getByRole('link', { name: 'Edit', exact: true }).click();
    const back = page.getByText('You have unsaved changes.');
    await edit();
    await text().fill('Handrail loose at axis 4, half a sen');
    choosePhotos([await photo('IMG_1008.jpg')]);
    await expect.element(remove('IMG_1008.jpg')).toBeVisible();
    const at = location.hash.slice(1);
    await openApp({ host, at });
    await expect.element(back).toBeVisible();
    await expect.element(text()).toHaveValue('Handrail loose at axis 4, half a sen');
    await expect.element(remove('IMG_1008.jpg')).toBeVisible();
    await page.getByRole('link', { name: 'New near miss' }).click();
    await expect.element(text()).toHaveValue('');
    history.back();

    await button('Discard').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await expect.element(text()).toHaveValue('Handrail loose');
    await expect.element(back).not.toBeInTheDocument();
    await expect.element(remove('IMG_1008.jpg')).not.toBeInTheDocument();

    await text().fill('Handrail loose at axis 4');
    await button('Save').click();
    const head = page.getByRole('heading', { level: 1, name: 'Handrail loose at axis 4' });
    await expect.element(head).toBeVisible();
    await edit();
    await expect.element(text()).toHaveValue('Handrail loose at axis 4');
    await expect.element(back).not.toBeInTheDocument();
  },
);

slow(
  'a report that was never sent can be cancelled and is a draft again, with its photo',
  async () => {
    const host = siteHost();
    await openApp({ host });
    await expect.element(page.getByText(/^Updated/)).toBeVisible();
    host.up = false;
    await fileReport('First, to meet the closed door');
    await page.getByRole('link', { name: /^Waiting/ }).click();
    await expect.element(page.getByText(/Everything below is safe on this laptop\./)).toBeVisible();
    await fileReport('Cancelled', [await photo('IMG_1003.jpg')]);
    await page.getByRole('link', { name: /^Waiting/ }).click();
    await button('More for Cancelled').click();
    await page.getByRole('menuitem', { name: 'Cancel sending', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel sending' }).click();
    await expect.element(page.getByText(/Sending cancelled\./)).toBeVisible();
    await expect.element(page.getByRole('link', { name: 'Waiting, 1 item' })).toBeVisible();
    await page.getByRole('link', { name: 'New near miss' }).click();
    await button('Continue Cancelled').click();
    await expect.element(text()).toHaveValue('Cancelled');
    await expect.element(remove('IMG_1003.jpg')).toBeVisible();
  },
);

const section = () => page.getByRole('region', { name: late.not_finished.title });
const toWaiting = async () => {
  location.hash = '/waiting';
  await expect.element(section()).toBeVisible();
};

/** A draft in another project, as after a change of the project. */
const draftElsewhere = async (description: string): Promise<string> => {
  const scope = { ...(app.scope ?? { account: '', company_id: 0 }), project_id: 12 };
  const draft = newDraft(app.deps, scope, { description });
  await app.deps.db.drafts.put(draft);
  return draft.id;
};

slow(
  'drafts of every project stand under Waiting; one of another project is continued there',
  async () => {
    const host = new ScriptedHost();
    host.answers.set('session.choose_project', ({ project_id }) => {
      const project = { id: Number(project_id), name: `Project ${String(project_id)}` };
      host.session = sessionOf({ project });
      return host.session;
    });
    await openApp({ host });
    await page.getByRole('link', { name: 'New near miss' }).click();
    await text().fill('Ladder slipped');
    await railSays('1 not finished');
    const id = await draftElsewhere('Crane over the road');
    await toWaiting();
    const rows = section().getByRole('listitem');
    await expect.element(rows.filter({ hasText: 'Ladder slipped' })).toBeVisible();
    await expect.element(section().getByText(/Project\s12/)).toBeVisible();
    await judge('unfinished work under Waiting');
    await section().getByRole('button', { name: 'Continue Crane over the road' }).click();
    await expect.element(text()).toHaveValue('Crane over the road');
    expect(app.scope?.project_id).toBe(12);
    expect((await app.deps.db.drafts.get(id))?.fields.description).toBe('Crane over the road');
  },
);

slow('a draft discarded under Waiting comes back by undo', async () => {
  await openApp();
  await page.getByRole('link', { name: 'New near miss' }).click();
  await text().fill('Ladder slipped');
  await railSays('1 not finished');
  await toWaiting();
  await section().getByRole('button', { name: 'Discard Ladder slipped' }).click();
  await expect.element(section()).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(section().getByText('Ladder slipped')).toBeVisible();
});

slow(
  'changes to a near miss in the bin stand under Waiting, with the way there, and are discarded after a question',
  async () => {
    const host = new ScriptedHost();
    host.add({ description: 'Board fell' });
    await openApp({ host });
    await page.getByRole('link', { name: /Board fell/ }).click();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await text().fill('Board fell from level 3');
    await toWaiting();
    await app.deps.db.near_misses.toCollection().modify({ bin: 1 });
    await expect.element(section().getByText(late.not_finished.in_bin)).toBeVisible();
    await expect
      .element(section().getByRole('link', { name: late.not_finished.bin }))
      .toHaveAttribute('href', expect.stringContaining('/recycle-bin'));
    await section().getByRole('button', { name: 'Discard Board fell from level 3' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await expect.element(section()).not.toBeInTheDocument();
    expect(await app.deps.db.drafts.count()).toBe(0);
  },
);

slow('the search of places continues a draft', async () => {
  const host = new ScriptedHost();
  host.add({ description: 'Board fell' });
  await openApp({ host });
  await page.getByRole('link', { name: 'New near miss' }).click();
  await text().fill('Ladder slipped');
  await railSays('1 not finished');
  await toList();
  await userEvent.keyboard('{Control>}k{/Control}');
  const box = page.getByRole('combobox', { name: 'Near miss, screen or action' });
  await box.fill('Ladder');
  await page.getByRole('option', { name: /Ladder slipped/ }).click();
  await expect.element(text()).toHaveValue('Ladder slipped');
});

slow('the question before somebody signs out names the drafts that stay', async () => {
  await openApp({ host: asServer(siteHost()) });
  await page.getByRole('link', { name: 'New near miss' }).click();
  await text().fill('Ladder slipped');
  await railSays('1 not finished');
  location.hash = '/settings';
  await button('Sign out').click();
  await expect
    .element(page.getByRole('dialog').getByText(late.not_finished.stays(1), { exact: false }))
    .toBeVisible();
});
