/** Plans of a project and the pin of a report (decisions §17): added, set by a press or by keys, shown, filtered and counted. */
import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { words } from '../../../src/renderer/words/company-words.ts';
import { pdfOf } from '../../support/drawings.ts';
import { openApp } from '../../support/renderer-app.ts';
import { look } from '../../support/renderer-looks.ts';
import { PIN, pinned, planHost } from '../../support/renderer-plans.ts';
import { customFields, reported } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const t = words.plans;
const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const stage = () => page.getByRole('application');
/** The place of the pin in the dialog, as an attribute of its mark. */
const pinAt = () => document.querySelector('[data-pin]')?.getAttribute('data-pin') ?? null;

const savedPin = (host: Awaited<ReturnType<typeof planHost>>['host']) => {
  const fields = [...host.near_misses.values()][0]?.custom_fields as
    Record<string, { value: string | null } | undefined> | undefined;
  return fields?.[PIN]?.value ?? null;
};

slow('decisions §17.4: a press sets the pin, and the report says the place as a text', async () => {
  const { host } = await planHost();
  await openApp({ host, at: '/new' });
  await page.getByLabelText(words.capture.what).fill('Board left loose');
  await button(t.pin).click();
  await expect.poll(() => document.querySelector('.sheet img')).not.toBeNull();
  await expect.element(button(t.use)).toBeDisabled();
  const sheet = document.querySelector('.sheet')?.getBoundingClientRect() ?? new DOMRect();
  await userEvent.click(document.querySelector('.sheet') ?? document.body, {
    position: { x: sheet.width * 0.75, y: sheet.height * 0.25 },
  });
  await expect.poll(pinAt).toBe('0.75 0.25');
  await page.getByLabelText(t.place).fill('Deck B, grid 4');
  await look('plan-dialog');
  await button(t.use).click();
  await expect.element(page.getByText('Level 3 (A-103)')).toBeVisible();
  await expect.element(page.getByLabelText(words.capture.where)).toHaveValue('Deck B, grid 4');
  await button('Tower crane operations').click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => savedPin(host)).toMatch(/^Level 3 \(A-103\) @0\.75\d*,0\.2[45]\d* #57$/);
  // The detail shows the part of the plan.
  await expect.element(button(t.open('Level 3 (A-103)'))).toBeVisible();
});

slow('decisions §17.4: the pin is set by keys alone; Escape leaves it as it was', async () => {
  const { host } = await planHost();
  await openApp({ host, at: '/new' });
  await page.getByLabelText(words.capture.what).fill('Board left loose');
  await button(t.pin).click();
  await expect.element(stage()).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.poll(pinAt).toBe('0.50 0.50');
  await userEvent.keyboard('{Shift>}{ArrowRight}{ArrowRight}{/Shift}{ArrowLeft}');
  await expect.poll(pinAt).toBe('0.59 0.50');
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog()).not.toBeInTheDocument();
  await button(t.change_pin).click();
  await expect.poll(pinAt).toBe('0.59 0.50');
  await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}{Escape}');
  await expect.element(dialog()).not.toBeInTheDocument();
  await button(t.change_pin).click();
  await expect.poll(pinAt).toBe('0.59 0.50');
  await button(t.remove_pin).last().click();
  await expect.element(button(t.pin)).toBeVisible();
});

slow(
  'decisions §17.4: a project without plans offers no pin, and own words in the field stay',
  async () => {
    const { host, plans } = await planHost();
    plans.length = 0;
    await openApp({ host, at: '/new' });
    await expect.element(page.getByLabelText(words.capture.what)).toBeVisible();
    await expect.element(button(t.pin)).not.toBeInTheDocument();
  },
);

slow('decisions §17.4: without a network the plan of before is there', async () => {
  const { host } = await planHost();
  await openApp({ host, at: '/new' });
  await button(t.pin).click();
  await expect.poll(() => document.querySelector('.sheet img')).not.toBeNull();
  await userEvent.keyboard('{Escape}');
  host.up = false;
  await openApp({ host, at: '/new' });
  await button(t.pin).click();
  await expect.poll(() => document.querySelector('.sheet img')).not.toBeNull();
});

const pins = [
  reported('Hook swung', 3, {
    custom_fields: {
      ...customFields({ 'Potential severity': 'Could have killed' }),
      ...pinned('Level 3 (A-103) @0.76,0.2 #57'),
    },
  }),
  reported('Board fell', 4, { custom_fields: pinned('Level 3 (A-103) @0.77,0.22 #41') }),
  reported('Ladder slipped', 5, { custom_fields: pinned('Level 3 (A-103) @0.2,0.7 #57') }),
  reported('Hose burst', 6),
];

slow('decisions §17.3, §17.4: the detail says that a pin is on an older drawing', async () => {
  const { host } = await planHost(pins);
  await openApp({ host, at: '/near-misses' });
  await page.getByText('Board fell').click();
  await expect.element(page.getByText(t.older_text)).toBeVisible();
  await look('pin-detail');
  await button(t.open('Level 3 (A-103)')).click();
  await expect.element(stage()).toBeVisible();
});

slow(
  'decisions §17.4: Insights shade the plan, and an area opens its reports in the list',
  async () => {
    const { host } = await planHost(pins);
    await openApp({ host, at: '/insights' });
    await expect.element(page.getByText(t.heat_text(3))).toBeVisible();
    const area = button(words.insights.open_list(t.heat_cell(2)));
    await expect.element(area).toBeVisible();
    await look('plan-heat');
    await area.click();
    await expect.element(page.getByText('Hook swung').first()).toBeVisible();
    await expect.element(page.getByText('Board fell').first()).toBeVisible();
    await expect.element(page.getByText('Ladder slipped')).not.toBeInTheDocument();
    const chip = words.list.filter.on_plan('Level 3 (A-103)', true);
    await expect.element(page.getByText(chip)).toBeVisible();
  },
);

slow('decisions §17.1, §17.2: an admin adds two pages of a PDF as plans', async () => {
  const { host, bodies } = await planHost();
  await openApp({ host, at: '/plans' });
  await button(t.add).click();
  const input = () => document.querySelector<HTMLInputElement>('input[type=file]');
  const choose = async (file: File) => {
    await expect.poll(input).not.toBeNull();
    const data = new DataTransfer();
    data.items.add(file);
    const field = input();
    if (!field) throw new Error('no picker');
    field.files = data.files;
    field.dispatchEvent(new Event('change', { bubbles: true }));
  };
  await choose(new File(['nothing'], 'a.txt'));
  await expect.element(page.getByText(t.refused.other)).toBeVisible();
  await choose(new File([pdfOf(['one', 'two', 'three'], [842, 595])], 'Levels.pdf'));
  await page.getByRole('checkbox', { name: t.page(1) }).click();
  await page.getByRole('checkbox', { name: t.page(3) }).click();
  const box = (name: string, exact: boolean) =>
    dialog().getByRole('textbox', { name, exact }).first();
  await box(t.name, true).fill('Level 1');
  await box(t.number, false).fill('A-101');
  await look('add-plan');
  await button(t.add_chosen(2)).click();
  await expect.element(page.getByText(t.added(2))).toBeVisible();
  const [first, second] = bodies.map(({ plan }) => plan);
  expect(first).toMatchObject({ name: 'Level 1', number: 'A-101', page: 1 });
  expect(second).toMatchObject({ name: 'Levels 3', page: 3 });
  // The PDF is sent once, the page of each plan in three sizes.
  expect(second?.upload_uuid).toBe(first?.upload_uuid);
  expect(first?.picture_uuids).toHaveLength(3);
  // Nothing of it stays on this laptop.
  expect(host.spool.size).toBe(0);
  await look('plans');
});

slow('decisions §17.1: a plan is renamed, taken out of use and deleted', async () => {
  const { host, plans } = await planHost();
  await openApp({ host, at: '/plans/1' });
  await button(t.edit).click();
  await page.getByLabelText(t.name).fill('Level 3 north');
  await button(t.save).click();
  await expect.element(page.getByRole('heading', { name: 'Level 3 north' })).toBeVisible();
  await button(t.more).click();
  await page.getByRole('menuitem', { name: t.retire }).click();
  await expect.element(page.getByText(t.out_of_use).first()).toBeVisible();
  await button(t.more).click();
  await page.getByRole('menuitem', { name: t.remove }).click();
  await button(t.remove).click();
  await expect.element(page.getByText(t.empty)).toBeVisible();
  expect(plans).toEqual([]);
});
