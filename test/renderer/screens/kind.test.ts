/** The kind of a report (decisions §4.11): chosen in the form with an example of the trade, found in detail, list and Insights. */
import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { words } from '../../../src/renderer/words/company-words.ts';
import { openApp } from '../../support/renderer-app.ts';
import { look } from '../../support/renderer-looks.ts';
import { asServer, reported, siteCatalog, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const t = words.kind;
const KIND = 'custom_field_93';
const STOPPED = 'custom_field_94';

/** A server whose forms have the fields of the kind. */
const sorting = (...given: Parameters<typeof siteHost>) => {
  const host = asServer(siteHost(...given));
  const options = ['Near miss', 'Unsafe condition', 'Good catch'];
  host.service.catalog = {
    ...siteCatalog,
    custom_field_definitions: [
      ...siteCatalog.custom_field_definitions,
      { id: 93, label: 'Kind', data_type: 'select', options, required: false },
      {
        id: 94,
        label: 'What stopped it getting worse?',
        data_type: 'text',
        options: [],
        required: false,
      },
    ],
  };
  return host;
};
const kinds = () => page.getByRole('group', { name: 'Kind' });
const chosen = (value: string) => ({ data_type: 'select' as const, value });

slow(
  'decisions §4.11: a kind takes one press and none is needed; its example is of the trade; both reach the server',
  async () => {
    const host = sorting();
    await openApp({ host, at: '/new' });
    await page.getByLabelText(words.capture.what).fill('Sling frayed');
    await kinds().getByText('Good catch').click();
    await expect.element(page.getByText(t.examples.any['good catch'])).toBeVisible();
    await page.getByRole('button', { name: 'Tower crane operations', exact: true }).click();
    await page.getByLabelText('What stopped it getting worse?').fill('The slinger looked twice');
    await look('kind');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const stored = () => {
      const texts = [...host.near_misses.values()][0]?.custom_fields as
        Record<string, { value: string | null } | undefined> | undefined;
      return [texts?.[KIND]?.value, texts?.[STOPPED]?.value];
    };
    await expect.poll(stored).toEqual(['Good catch', 'The slinger looked twice']);
    await expect.element(page.getByText('Good catch').first()).toBeVisible();
  },
);

slow(
  'decisions §4.11: a person who was hurt is no near miss: what to do is said, and the text stays',
  async () => {
    await openApp({ host: sorting(), at: '/new' });
    await page.getByLabelText(words.capture.what).fill('Fell from the ladder');
    await page.getByRole('button', { name: t.hurt }).click();
    const dialog = page.getByRole('dialog', { name: t.hurt_title });
    await expect.element(dialog.getByText(t.hurt_text)).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect
      .element(page.getByLabelText(words.capture.what))
      .toHaveValue('Fell from the ladder');
  },
);

slow('decisions §4.11: Insights count the kinds, and a press lists those of one kind', async () => {
  const host = sorting([
    { ...reported('Guard rail missing'), custom_fields: { [KIND]: chosen('Unsafe condition') } },
    { ...reported('Clamp fell'), custom_fields: { [KIND]: chosen('Near miss') } },
    reported('Gate left open'),
  ]);
  await openApp({ host, at: '/insights' });
  const card = page.getByRole('region', { name: 'Kind' });
  await expect.element(card.getByText(words.insights.not_recorded)).toBeVisible();
  await card.getByRole('button', { name: /Unsafe condition/ }).click();
  await expect.element(page.getByRole('link', { name: /Guard rail missing/ })).toBeVisible();
  await expect.element(page.getByRole('link', { name: /Clamp fell/ })).not.toBeInTheDocument();
  const used = page.getByRole('group', { name: 'Filters in use' });
  await expect.element(used.getByRole('button', { name: /Kind: Unsafe condition/ })).toBeVisible();
});
