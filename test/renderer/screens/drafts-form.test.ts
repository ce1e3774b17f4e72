/** Drafts of the form: what is kept, what is offered, and what never gets mixed. */
import { expect, it, onTestFinished } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { openApp } from '../../support/renderer-app.ts';
import { to } from '../../support/renderer-host.ts';
import { jpegWith } from '../../support/renderer-jpeg.ts';
import { choosePhotos } from '../../support/renderer-photos.ts';
import { asServer, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const link = (name: string) => page.getByRole('link', { name, exact: true });
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const what = page.getByLabelText('What happened?');
const photo = async () => new File([await jpegWith(600, 400)], 'IMG_1001.jpg');

slow(
  'a new near miss is new: an abandoned one’s photo never gets into it, nothing worth keeping is no draft',
  async () => {
    const host = asServer(siteHost());
    await openApp({ host });
    const list = page.getByRole('region', { name: 'Draft' });
    const away = () => link('Near misses').click();
    const begin = () => link('New near miss').first().click();
    await begin();
    await expect.element(what).toBeVisible();
    choosePhotos([await photo()]);
    await expect.element(button('More for IMG_1001.jpg')).toBeVisible();
    await away();

    await begin();
    await expect.element(what).toBeVisible();
    await expect.element(list.getByText('No text yet')).toBeVisible();
    expect(button('More for IMG_1001.jpg').elements()).toEqual([]);
    await what.fill('Another event, hours later');
    await button('Tower crane operations').click();
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    await expect
      .element(page.getByRole('heading', { name: 'Another event, hours later', level: 1 }))
      .toBeVisible();
    await expect.poll(() => host.journal.size).toBe(0);
    expect([...host.near_misses.values()]).toMatchObject([
      { description: '<p>Another event, hours later</p>' },
    ]);
    expect(host.uploads.size).toBe(0);

    // A discarded draft is no longer offered. A rating alone, or words that were deleted, make no draft.
    await begin();
    await list.getByRole('button', { name: /^Discard/ }).click();
    await expect.element(list).not.toBeInTheDocument();
    await what.fill('Typed and');
    await page.getByText('Lost time', { exact: true }).click();
    await what.fill('');
    await away();
    await begin();
    await expect.element(what).toHaveValue('');
    await what.fill('Kept');
    // On the form itself the link also begins a new report.
    await begin();
    await expect.element(what).toHaveValue('');
    await expect.element(what).toHaveFocus();
    await expect.element(list.getByText('Kept')).toBeVisible();
    await expect.poll(() => list.getByRole('listitem').elements()).toHaveLength(1);
  },
);

slow(
  'a save that waits for its photo while one goes on to the next report ends there, takes nobody away and mixes nothing',
  async () => {
    const host = asServer(siteHost());
    await openApp({ host });
    await expect.element(page.getByText(/^Updated/)).toBeVisible();
    host.up = false;
    const gate = Promise.withResolvers<void>();
    host.holds.push({ on: to('photos.finish'), until: gate.promise });
    await userEvent.keyboard('{Alt>}n{/Alt}');
    await what.fill('The first, on a slow disk');
    await button('Tower crane operations').click();
    choosePhotos([await photo()]);
    await button('Save').click();
    await expect.element(button('Saving…')).toBeVisible();
    await link('Near misses').click();
    await link('New near miss').first().click();
    // The form does not show the report that is being saved.
    await expect.element(what).toHaveValue('');
    await what.fill('The second');
    gate.resolve();
    await expect.element(page.getByText('Saved on this laptop.')).toBeVisible();
    await expect.element(what).toHaveValue('The second');
    await button('Tower crane operations').click();
    await button('Save').click();
    await expect.element(page.getByRole('heading', { name: 'The second', level: 1 })).toBeVisible();
    await expect.element(link('Waiting, 2 items')).toBeVisible();
  },
);

it('a form that could not be read once is there again at the next visit', async () => {
  await openApp({ host: asServer(siteHost()) });
  await expect.element(page.getByText(/^Updated/)).toBeVisible();
  const { get } = IDBObjectStore.prototype;
  const mend = () => void (IDBObjectStore.prototype.get = get);
  onTestFinished(mend);
  IDBObjectStore.prototype.get = function (...asked) {
    if (this.name !== 'drafts') return get.apply(this, asked);
    mend();
    throw new DOMException('the disk did not answer', 'UnknownError');
  };
  location.hash = '#/new/01JD0000000000000000000000';
  await expect
    .element(page.getByText(/Spotter could not open its data on this laptop\./))
    .toBeVisible();
  await link('New near miss').first().click();
  await expect.element(what).toBeVisible();
});
