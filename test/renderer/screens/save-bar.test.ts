/** The foot of the form: who will see the report, its photos and its draft are always in sight, and the screen's messages stand there. */
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { words } from '../../../src/renderer/words/company-words.ts';
import { toasts } from '../../../src/renderer/state/toasts.svelte.ts';
import { openApp } from '../../support/renderer-app.ts';
import { jpegWith } from '../../support/renderer-jpeg.ts';
import { look } from '../../support/renderer-looks.ts';
import { choosePhotos } from '../../support/renderer-photos.ts';
import { siteCatalog, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const t = words.capture;
const button = (name: string) => page.getByRole('button', { name, exact: true });
const what = page.getByLabelText(t.what);

const openForm = async () => {
  const host = siteHost();
  const captions = { id: 990, label: 'Photo captions', data_type: 'text' } as const;
  const definitions = siteCatalog.custom_field_definitions;
  host.service.catalog = {
    ...siteCatalog,
    custom_field_definitions: [...definitions, { ...captions, options: [], required: false }],
  };
  await openApp({ host, settings: { photo_privacy: true } });
  await page.getByRole('link', { name: 'New near miss' }).first().click();
  await expect.element(what).toHaveFocus();
};
/** The words in the foot; a footer inside `main` has no role. */
const told = () => document.querySelector('footer')?.textContent ?? '';

it('the draft is said to be saved only after something was typed', async () => {
  await openForm();
  expect(told()).not.toContain('Draft saved');
  await what.fill('Board slid off');
  await expect.poll(told).toContain('Draft saved');
});

slow(
  'a message of the form stands in its foot, beside the number of photos, and covers no button',
  async () => {
    await openForm();
    const files = [1, 2].map(async (n) => new File([await jpegWith(600 + n, 400)], `IMG_${n}.jpg`));
    choosePhotos(await Promise.all(files));
    await expect.poll(told).toContain('2 photos');
    await button(t.photo.more('IMG_2.jpg')).click();
    await page.getByRole('menuitem', { name: t.photo.remove, exact: true }).click();
    await expect.poll(told).toContain(t.removed);
    await expect.poll(told).toContain('1 photo');
    await button('Tower crane operations').click();
    await what.fill('Sling frayed');
    await button(t.save_another).click();
    await expect.poll(told).toContain(t.saved);
    await expect.element(button(t.open_it)).toBeVisible();
    await look('save-bar');
  },
);

slow('a press on a caption types it; Enter ends it and the report keeps it', async () => {
  await openForm();
  choosePhotos([new File([await jpegWith(600, 400)], 'IMG_1.jpg')]);
  await button(`${words.photo_notes.add}: IMG_1.jpg`).click();
  await userEvent.keyboard('Sling at the hook{Enter}');
  const caption = button(`${words.photo_notes.caption_of('IMG_1.jpg')}: Sling at the hook`);
  await expect.element(caption).toHaveFocus();
});

it('a private job names up to two others, and counts more', async () => {
  const { audienceOf } = await import('../../../src/renderer/screens/capture/audience.ts');
  const job = (visible_to: readonly string[]) => [
    { id: 1, number: 1, title: 'Crane', private: true, visible_to: [...visible_to] },
  ];
  const a = t.audience;
  expect(audienceOf(job(['Me']), 1, 'Me')?.sentence).toBe(a.only_you);
  expect(audienceOf(job(['Me', 'Ann', 'Tom']), 1, 'Me')).toMatchObject({
    short: a.others_short(2),
    sentence: a.named(['Ann', 'Tom']),
  });
  expect(audienceOf(job(['Me', 'Ann', 'Tom', 'Kim']), 1, 'Me')).toMatchObject({
    sentence: a.others(3),
    names: 'Ann, Tom and Kim',
  });
  expect(audienceOf([{ id: 1, number: 1, title: 'Crane', private: false }], 1, 'Me')).toMatchObject(
    {
      closed: false,
      sentence: a.everyone,
    },
  );
  // A server of another make does not say which jobs are private, and a job may be missing from the catalog.
  expect(audienceOf([{ id: 1, number: 1, title: 'Crane' }], 1, 'Me')).toBeNull();
  expect(audienceOf([], 1, 'Me')).toBeNull();
  expect(audienceOf([], null, 'Me')).toBeNull();
});

slow(
  'a long notice in the line of the form is broken, and never wider than the window',
  async () => {
    await openApp({ at: '/new' });
    await expect.element(page.getByLabelText('What happened?')).toBeVisible();
    toasts.show('bad', 'What happened, what is safe, and what to do. '.repeat(6), {
      label: 'Open it',
      run: () => undefined,
    });
    const notice = page.getByRole('region', { name: words.app.notices });
    for (const [width, height] of [
      [1366, 768],
      [683, 430],
      [512, 320],
    ] as const) {
      await page.viewport(width, height);
      await expect.element(notice.getByRole('button', { name: 'Open it' })).toBeVisible();
      await expect.poll(() => document.documentElement.scrollWidth).toBe(width);
      const box = notice.element().getBoundingClientRect();
      expect([box.left >= 0, box.right <= width]).toEqual([true, true]);
    }
  },
);
