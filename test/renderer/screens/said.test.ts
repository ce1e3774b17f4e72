/** The sheet "You said, we did" (decisions §4.10): what it shows, what it leaves out, and how it is chosen. */
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { writeSeen } from '../../../src/contract/text/seen.ts';
import type { NearMiss } from '../../../src/contract/rest/near-misses.ts';
import { weeksLater, weekStart } from '../../../src/renderer/data/index/insights.ts';
import { sheetWords } from '../../../src/renderer/words/said-sheet.ts';
import { words } from '../../../src/renderer/words/company-words.ts';
import { openApp } from '../../support/renderer-app.ts';
import { jpegWith } from '../../support/renderer-jpeg.ts';
import { judge, look } from '../../support/renderer-looks.ts';
import {
  asServer,
  customFields,
  reported,
  rows,
  siteCatalog,
  siteHost,
} from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const DAY = 86_400_000;
const LAST_WEEK = weeksLater(weekStart(Date.now()), -1);
const t = words.said;
const value = (text: string) => ({ data_type: 'string' as const, value: text });

/** A report that was answered on this day, with these other fields. */
const answered = (
  text: string,
  what: string,
  at: number,
  { custom_fields, ...more }: Partial<NearMiss> = {},
) => ({
  ...reported(text, (Date.now() - at) / DAY + 2, more),
  custom_fields: {
    ...(custom_fields as object),
    custom_field_91: value(writeSeen('Ana Ruiz', at)),
    custom_field_92: value(what),
  },
});

const site = (...records: Parameters<typeof siteHost>) => {
  const host = asServer(siteHost(...records));
  const field = (id: number, label: string, data_type: 'string' | 'text') => ({
    id,
    label,
    data_type,
    options: [],
    required: false,
  });
  host.service.catalog = {
    ...siteCatalog,
    incidents: siteCatalog.incidents.map((one) => ({ ...one, private: one.id === 2 })),
    custom_field_definitions: [
      ...siteCatalog.custom_field_definitions,
      field(90, 'Photo captions', 'text'),
      field(91, 'Seen', 'string'),
      field(92, 'What we did', 'string'),
    ],
  };
  return host;
};
const sheet = () => page.getByRole('article');
const shown = () => sheet().element().textContent;
/** Opens the sheet after the list has read the reports. */
const openSheet = async (host: ReturnType<typeof site>) => {
  await openApp({ host });
  await expect.poll(() => rows().length).toBeGreaterThan(0);
  location.hash = '#/insights/said';
  await expect.element(sheet()).toBeVisible();
};

slow(
  'decisions §4.10: the sheet has the answers of last week, nobody’s name and nothing of private jobs',
  async () => {
    const at = LAST_WEEK + 2 * DAY;
    const host = site([
      answered(
        'Hook bent, Tom Brennan saw it. Maria told Ana.',
        'Peter Long fitted a hook with Tom',
        at,
        {
          incident_created_by: { id: 7, name: 'Maria Kovacs' },
          created_by: { id: 9, name: 'Olga Nowak', login: 'olga' },
          custom_fields: customFields({ Location: 'Hoist 2', 'Follow-up by': 'Peter Long' }),
        },
      ),
      answered('Crane alarm off', 'Alarm on', at, { incident_id: 2 }),
      answered('Told earlier', 'Done earlier', LAST_WEEK - 3 * DAY),
      reported('Never answered', 5),
    ]);
    await openSheet(host);
    await expect.element(page.getByText(/^1 answer on the sheet/)).toBeVisible();
    expect(shown()).toContain('Hook bent, [name] saw it. [name] told [name].');
    expect(shown()).toContain('[name] fitted a hook with');
    expect(shown()).toContain('Hoist 2');
    expect(shown()).not.toMatch(
      /Brennan|Maria|Kovacs|Ana|Ruiz|Peter|Long|Olga|Nowak|Crane|earlier|Never/,
    );
    await judge('said');
    await page.getByRole('button', { name: words.week.previous }).click();
    await expect.element(sheet().getByText('Done earlier')).toBeVisible();
  },
);

slow(
  'decisions §4.10: the sheet speaks the language that is chosen on it, and has the paper that is chosen',
  async () => {
    const host = site([answered('Hook bent', 'New hook', LAST_WEEK + DAY)]);
    await openSheet(host);
    await expect.element(sheet().getByText('New hook')).toBeVisible();
    await expect.element(sheet().getByRole('heading', { name: sheetWords.en.title })).toBeVisible();
    await page.getByRole('button', { name: 'Español' }).click();
    await expect.element(sheet().getByRole('heading', { name: sheetWords.es.title })).toBeVisible();
    await expect.element(sheet()).toHaveAttribute('lang', 'es');
    await page.getByRole('button', { name: 'Polski' }).click();
    await expect.element(sheet().getByRole('heading', { name: sheetWords.pl.title })).toBeVisible();
    await expect.element(sheet()).toHaveAttribute('lang', 'pl');
    await page.getByRole('button', { name: 'A3' }).click();
    await expect.element(sheet()).toHaveClass('A3');
    await expect.element(page.getByRole('button', { name: words.printing.print })).toBeVisible();
  },
);

slow(
  'decisions §4.10: a week without answers invites to answer, and leads to the reports that wait',
  async () => {
    const host = site([reported('Hook bent', 2)]);
    await openSheet(host);
    await expect.element(page.getByText(t.empty)).toBeVisible();
    await page.getByRole('button', { name: t.unanswered }).click();
    await expect.poll(() => rows().length).toBe(1);
  },
);

slow(
  'decisions §4.10: the photo before and the one after stand side by side, no other photo',
  async () => {
    const host = site();
    const ids = [71, 72, 73];
    for (const id of ids) host.pictures.set(id, new File([await jpegWith(400, 300)], `${id}.jpg`));
    host.add(
      answered('Edge open', 'Rail fitted', LAST_WEEK + DAY, {
        attachments: ids.map((id) => ({ id, filename: `${id}.jpg` })),
        custom_fields: {
          custom_field_90: { data_type: 'text', value: '73.jpg (after)\n72.jpg\n71.jpg (before)' },
        },
      }),
    );
    await openSheet(host);
    const sides = () =>
      [...sheet().element().querySelectorAll('figure')].map((one) => [
        one.querySelector('figcaption')?.textContent,
        one.querySelector('img')?.naturalWidth,
      ]);
    await expect.poll(sides).toEqual([
      ['Before', 400],
      ['After', 400],
    ]);
    await look('said with photos');
  },
);
