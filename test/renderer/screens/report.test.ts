/**
 * The quick report: three presses besides typing from the open window to "saved on this laptop", severity in words and as a 5 x
 * 5 matrix, nobody named unless asked for, repeating a report, and a Save that is always visible.
 */
import { expect } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import type { CustomFieldDefinition } from '../../../src/contract/rest/catalog.ts';
import { found } from '../../support/found.ts';
import { openApp } from '../../support/renderer-app.ts';
import type { ScriptedHost } from '../../support/renderer-host.ts';
import { jpegWith } from '../../support/renderer-jpeg.ts';
import { look } from '../../support/renderer-looks.ts';
import { choosePhotos } from '../../support/renderer-photos.ts';
import { countPresses } from '../../support/renderer-presses.ts';
import {
  asServer,
  customFields,
  manyReports,
  reported,
  siteCatalog,
  siteHost,
} from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

/** The fields of the demo company, whose severity has three levels. */
const fields: readonly CustomFieldDefinition[] = siteCatalog.custom_field_definitions.map((one) =>
  one.label === 'Potential severity'
    ? { ...one, options: ['Minor', 'Serious', 'Could have killed'] }
    : one,
);
const site = (records: Parameters<typeof siteHost>[0] = []): ScriptedHost => {
  const host = asServer(siteHost(records));
  host.service.catalog = { ...siteCatalog, custom_field_definitions: [...fields] };
  return host;
};

const open = async (host = site(manyReports(12))): Promise<ScriptedHost> => {
  await openApp({ host });
  await expect.element(page.getByText(/^Updated/)).toBeVisible();
  return host;
};
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const link = (name: string) => page.getByRole('link', { name, exact: true });
const what = page.getByLabelText('What happened?');
const combo = (name: RegExp) => page.getByRole('combobox', { name });
const press = (keys: string) => userEvent.keyboard(keys);
const NEW = '{Alt>}n{/Alt}';
const SAVE = '{Control>}{Enter}{/Control}';
const heading = (name: string) => page.getByRole('heading', { name, level: 1, exact: true });
const last = (host: ScriptedHost) => [...host.near_misses.values()].at(-1);
const photo = async (name: string) => new File([await jpegWith(600, 400)], name);

/** Types into the form once it has the focus. */
const say = async (text: string): Promise<void> => {
  await expect.element(what).toHaveFocus();
  await press(text);
};
const inSight = (one: Locator): boolean => {
  const box = one.element().getBoundingClientRect();
  return box.top >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
};

slow(
  'three presses beside typing: the first report, one with how bad, one with a photo, all offline',
  async () => {
    const host = await open();
    host.up = false;
    const presses = countPresses();
    const saved = async (text: string) => {
      await button('Save').click();
      await expect.element(heading(text)).toBeVisible();
      await expect.element(page.getByText('Saved on this laptop.').first()).toBeVisible();
    };

    await link('New near miss').click();
    await say('Board slid off level 3');
    await button('Tower crane operations').click();
    await saved('Board slid off level 3');
    expect(presses()).toBe(3);

    await link('New near miss').click();
    await say('Rail loose at the east edge');
    await page.getByText('Could have killed', { exact: true }).click();
    await saved('Rail loose at the east edge');
    expect(presses()).toBe(3);

    const file = await photo('IMG_1001.jpg');
    await link('New near miss').click();
    await say('Cable across the stairs');
    // The press opens the system's dialog, which chooses the file.
    const picker = await found(() => document.querySelector('section.photos input[type=file]'));
    picker.addEventListener('click', (event) => {
      event.preventDefault();
      choosePhotos([file]);
    });
    await button('Choose files').click();
    await expect.element(button('More for IMG_1001.jpg')).toBeVisible();
    await saved('Cable across the stairs');
    expect(presses()).toBe(3);

    // By keyboard it takes no press at all.
    await press(NEW);
    await say('Ladder without a tag');
    await press(SAVE);
    await expect.element(heading('Ladder without a tag')).toBeVisible();
    expect(presses()).toBe(0);
  },
);

slow(
  'how bad as 5 x 5 by mouse and by arrows; without a field for it, it is in the text and known again',
  async () => {
    const host = await open();
    await press(NEW);
    await say('Sling slipped over the walkway');
    await button('Tower crane operations').click();
    await button('More details').click();
    await button('Risk matrix').click();
    const dialog = page.getByRole('dialog');
    await expect.element(dialog.getByRole('grid')).toBeVisible();
    await look('5 x 5');
    const square = (name: string) => dialog.getByRole('button', { name, exact: true });
    (square('Days off work, Possible: 9, Medium').element() as HTMLElement).focus();
    await press('{ArrowUp}{ArrowRight}{Enter}');
    await expect.element(dialog).not.toBeInTheDocument();
    const told = page.getByText('5 × 5: Life-changing, Likely = 16, High', { exact: false });
    await expect.element(told).toBeVisible();
    await expect.element(page.getByRole('radio', { name: /^Could have killed/ })).toBeChecked();
    await expect
      .element(page.getByText(/Spotter adds it to the end of your description/))
      .toBeVisible();
    // Choosing another level clears a matrix square that disagrees with it.
    await page.getByText('First aid at most').click();
    await button('Risk matrix').click();
    await square('Life-changing, Likely: 16, High').click();
    // The dialog receives the keys until it is gone.
    await expect.element(dialog).not.toBeInTheDocument();
    await press(SAVE);
    await expect.element(page.getByText(/report accepted by the server/)).toBeVisible();
    expect(last(host)).toMatchObject({
      description: expect.stringContaining('Risk 5 × 5: severity 4, likelihood 4.') as unknown,
      custom_fields: { custom_field_81: { data_type: 'select', value: 'Could have killed' } },
    });
    await link('Edit').click();
    await expect.element(what).toHaveValue('Sling slipped over the walkway');
    await expect.element(told).toBeVisible();
  },
);

slow(
  'nobody is named unless asked for; the same again takes place, incident, company and work; Save never scrolls away',
  async () => {
    await open();
    const save = button('Save');
    const pick = async (name: RegExp) => {
      await combo(name).click();
      const list = await found(() => document.querySelector('.lookup-list'));
      await page.elementLocator(list).getByRole('option').first().click();
    };
    await press(NEW);
    await say('Gas bottle beside the heater');
    await button('Site traffic and deliveries').click();
    await page.getByLabelText(/^Where/).fill('Deck B, axis 4');
    await pick(/^Work activity/);
    await button('More details').click();
    await pick(/^Affected company/);
    const person = combo(/^Affected person/);
    await expect.element(person).not.toBeInTheDocument();
    const nobody = page.getByText(/No one is named by default\./);
    await expect.element(nobody).toBeVisible();
    await look('nobody named');
    await button('Name a person').click();
    await expect.element(person).toHaveFocus();
    expect(inSight(save)).toBe(true);
    await press(SAVE);
    await expect.element(heading('Gas bottle beside the heater')).toBeVisible();

    await press(NEW);
    await button('Start from…').click();
    const again = page.getByRole('menuitem', { name: /^Last report ?Deck B, axis 4/ });
    await again.click();
    await expect.element(what).toHaveFocus();
    await expect.element(what).toHaveValue('');
    await expect.element(page.getByLabelText(/^Where/)).toHaveValue('Deck B, axis 4');
    await expect.element(combo(/^Work activity/)).not.toHaveValue('');
    await say('Gas bottle again');
    await look('report');
    for (const [width, height] of [
      [1024, 640],
      [683, 384],
      [512, 320],
    ] as const) {
      await page.viewport(width, height);
      const form = await found(() => document.querySelector('form.scroll'));
      form.scrollTo(0, form.scrollHeight);
      await expect.poll(() => inSight(save), { message: String(width) }).toBe(true);
    }
    await page.viewport(1366, 768);
    await press(SAVE);
    await expect.element(heading('Gas bottle again')).toBeVisible();

    await link('Settings').click();
    await page.getByText('Always ask').click();
    await press(NEW);
    await button('More details').click();
    await expect.element(person).toBeVisible();
    await expect.element(nobody).not.toBeInTheDocument();
  },
);

slow(
  'the same thing again: what was told alike is named while typing, and its place and work are taken over in two presses',
  async () => {
    const text = 'Scaffold board came down beside the stair';
    const alikeHere = ['Gate 2', 'Gate 2', 'Gate 2'].map((Location, n) =>
      reported(`${text} ${n}`, 4 + n, {
        work_activity: siteCatalog.work_activities[0] ?? null,
        affected_company: siteCatalog.companies[0] ?? null,
        custom_fields: customFields({ Location }),
      }),
    );
    const host = await open(site([...alikeHere, ...manyReports(12)]));
    await link('New near miss').click();
    const top = () => what.element().getBoundingClientRect().top;
    await expect.element(what).toBeVisible();
    const before = top();
    await what.fill(text);
    const alike = button(/^\d+ similar reports?/);
    await expect.element(alike).toBeVisible();
    // The layout does not move while the person types.
    expect(top()).toBe(before);
    await look('alike');
    const presses = countPresses();
    await alike.click();
    const again = page.getByRole('menuitem', { name: /^Scaffold board came down/ });
    await expect.element(again.first()).toBeVisible();
    await look('alike-open');
    await again.first().click();
    expect(presses()).toBe(2);
    await expect
      .element(page.getByText(/Copied where, job or area, company and work activity\./))
      .toBeVisible();
    await expect.element(what).toHaveFocus();
    await expect.element(what).toHaveValue(text);
    await expect.element(page.getByLabelText(/^Where/)).toHaveValue('Gate 2');
    // A text unlike any earlier report has no suggestions.
    await what.fill('Quarterly paperwork misfiled underwater');
    await expect.element(alike).not.toBeInTheDocument();
    // The form is the window's first screen, so no list has been read.
    await openApp({ host, at: '/new' });
    await what.fill(text);
    await expect.element(alike).toBeVisible();
  },
);

slow(
  'decisions §4.2, §3.6: every type of custom field; required ones are named and focused; an unknown type is left alone',
  async () => {
    const host = site();
    const definition = (
      id: number,
      label: string,
      data_type: CustomFieldDefinition['data_type'],
      options: string[] = [],
    ): CustomFieldDefinition => ({ id, label, data_type, options, required: false });
    const asked = [
      definition(91, 'People nearby', 'number'),
      ...fields,
      definition(92, 'Work stopped', 'boolean'),
      definition(93, 'Weather', 'select', ['Clear', 'Fog']),
    ].map((one) => ({ ...one, required: ['Weather', 'Follow-up date'].includes(one.label) }));
    // The host passes a type that only another server has as unknown.
    const crew = {
      id: 999,
      label: 'Crew',
      data_type: 'unknown',
      options: [],
      required: true,
    } as const;
    host.service.catalog = {
      ...siteCatalog,
      custom_field_definitions: [...asked, { ...crew, options: [] }],
    };
    await open(host);
    await press(NEW);
    await say('Props loose under the deck');
    await button('Tower crane operations').click();
    await button('More details').click();
    await expect.element(page.getByText(/version of Spotter cannot edit Crew/)).toBeVisible();
    await page.getByLabelText(/^Immediate action/).fill('Area closed');
    await page.getByLabelText(/^People nearby/).fill('three');
    await page
      .getByRole('group', { name: /Work stopped/ })
      .getByText('Yes')
      .click();
    // A folded section with missing fields unfolds again.
    await button('More details').click();
    await press(SAVE);
    await expect
      .element(
        page
          .getByRole('alert')
          .getByText(/3 fields to complete: People nearby, Follow-up date and Weather/),
      )
      .toBeVisible();
    const date = page.getByRole('textbox', { name: /^Follow-up date/ });
    await expect.element(date).toHaveFocus();
    await look('required fields');
    await date.fill('2026-12-01');
    await page.getByLabelText(/^Weather/).selectOptions('Fog');
    await expect.element(page.getByText('Enter a number, such as 1250 or 12.5.')).toBeVisible();
    await page.getByLabelText(/^People nearby/).fill('3');
    await page.getByRole('textbox', { name: /^When/ }).fill('2026-11-20T14:32');
    await press(SAVE);
    await expect.element(page.getByText(/report accepted by the server/)).toBeVisible();
    const values = Object.values(last(host)?.custom_fields ?? {}).map((one) => ({
      data_type: one.data_type as string,
      value: String(one.value),
    }));
    for (const [data_type, value] of [
      ['text', 'Area closed'],
      ['number', '3'],
      ['boolean', 'true'],
      ['date', '2026-12-01'],
      ['select', 'Fog'],
      ['datetime', new Date('2026-11-20T14:32').toISOString()],
    ])
      expect(values).toContainEqual({ data_type, value });
  },
);
