/** The answer to a near miss (decisions §4.10): seen by one press, one line of what was done, found where it is missing. */
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { readSeen, writeSeen } from '../../../src/contract/text/seen.ts';
import { words } from '../../../src/renderer/words/company-words.ts';
import { openApp } from '../../support/renderer-app.ts';
import { judge, look } from '../../support/renderer-looks.ts';
import { asServer, reported, rows, siteCatalog, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const t = words.answer;
const SEEN = 'custom_field_91';
const WHAT = 'custom_field_92';
const HOUR = 3_600_000;
const value = (text: string) => ({ data_type: 'string' as const, value: text });

/** A server whose forms have the fields of the answer. */
const answering = (...given: Parameters<typeof siteHost>) => {
  const host = asServer(siteHost(...given));
  host.session = { ...host.session, level: 'admin' };
  const field = (id: number, label: string) => ({
    id,
    label,
    data_type: 'string' as const,
    options: [],
    required: false,
  });
  host.service.catalog = {
    ...siteCatalog,
    custom_field_definitions: [
      ...siteCatalog.custom_field_definitions,
      field(91, 'Seen'),
      field(92, 'What we did'),
    ],
  };
  return host;
};

const section = () => page.getByRole('region', { name: t.title });
const stored = (host: ReturnType<typeof answering>) => {
  const [record] = [...host.near_misses.values()];
  const texts = record?.custom_fields as Record<string, { value: string | null } | undefined>;
  return { seen: texts[SEEN]?.value ?? null, what: texts[WHAT]?.value ?? null };
};

it('decisions §4.10: one press says who has seen it and when, one line what was done; both reach the server', async () => {
  const host = answering([reported('Hoist hook bent')]);
  await openApp({ host });
  await page.getByRole('link', { name: /Hoist hook bent/ }).click();
  await section().getByRole('button', { name: t.see, exact: true }).click();
  await expect.element(section().getByText(/^Seen by Maria Kovacs, /)).toBeVisible();
  await expect.poll(() => readSeen(stored(host).seen ?? '').by).toBe('Maria Kovacs');
  expect(Math.abs((readSeen(stored(host).seen ?? '').at ?? 0) - Date.now())).toBeLessThan(HOUR);
  await expect
    .element(section().getByRole('button', { name: t.see, exact: true }))
    .not.toBeInTheDocument();

  await section().getByRole('button', { name: t.write }).click();
  await section().getByLabelText(t.what).fill('New hook since Tuesday');
  await judge('answer, form');
  await section().getByRole('button', { name: 'Save' }).click();
  await expect.element(section().getByText('New hook since Tuesday')).toBeVisible();
  await expect.poll(() => stored(host).what).toBe('New hook since Tuesday');
  await look('answer');
});

slow(
  'decisions §4.10: whoever writes an answer has seen the report; nothing written changes nothing; a press is undone',
  async () => {
    const host = answering([reported('Gate left open')]);
    await openApp({ host });
    await page.getByRole('link', { name: /Gate left open/ }).click();
    await section().getByRole('button', { name: t.see, exact: true }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.element(section().getByRole('button', { name: t.see, exact: true })).toBeVisible();
    await expect.poll(() => stored(host).seen).toBeNull();
    await section().getByRole('button', { name: t.write }).click();
    await section().getByRole('button', { name: 'Save' }).click();
    await expect.element(section().getByRole('button', { name: t.see, exact: true })).toBeVisible();
    await section().getByRole('button', { name: t.write }).click();
    await section().getByLabelText(t.what).fill('Spring fitted');
    await section().getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => stored(host)).toMatchObject({ what: 'Spring fitted' });
    expect(readSeen(stored(host).seen ?? '').by).toBe('Maria Kovacs');
  },
);

slow(
  'decisions §4.10: the start of the shift first counts the reports without an answer, and opens their list',
  async () => {
    const seen = { custom_fields: { [SEEN]: value(writeSeen('Tom Brennan', Date.now() - HOUR)) } };
    const what = { custom_fields: { [WHAT]: value('Rope replaced') } };
    const host = answering([
      reported('Hoist hook bent', 1 / 24),
      reported('Gate left open', 2),
      reported('Rope frayed', 3, what),
      reported('Step broken', 4, seen),
      reported('Long ago', 90),
    ]);
    await openApp({ host });
    const card = page.getByRole('region', { name: 'Since yesterday' });
    await card.getByRole('button', { name: /^2 without an answer, oldest 2 days/ }).click();
    await expect.poll(() => rows().length).toBe(2);
    await expect.element(page.getByRole('button', { name: /Without an answer/ })).toBeVisible();
    const titles = () => rows().map((one) => one.textContent);
    expect(titles().some((text) => text.includes('Gate left open'))).toBe(true);
    await look('without an answer');
  },
);

slow(
  'decisions §4.10: Insights say how long an answer takes, and lead to those that wait',
  async () => {
    const answered = (hours: number) => ({
      custom_fields: { [SEEN]: value(writeSeen('Tom', Date.now() - 5 * 24 * HOUR + hours * HOUR)) },
    });
    const host = answering([
      reported('One', 5, answered(2)),
      reported('Two', 5, answered(4)),
      reported('Three', 5, answered(30)),
      reported('Four', 5),
    ]);
    await openApp({ host, at: '/insights' });
    const card = page.getByRole('region', { name: words.insights.answer });
    await expect.element(card.getByText(words.insights.delay_median(3))).toBeVisible();
    await expect.element(card.getByText(words.format.lasted(4 * HOUR))).toBeVisible();
    await card.getByRole('button', { name: '1 without an answer' }).click();
    await expect.poll(() => rows().length).toBe(1);
  },
);

slow(
  'decisions §4.10: the form has no field for the answer, and a project without the fields no answer',
  async () => {
    const host = answering([reported('Hoist hook bent')]);
    await openApp({ host, at: '/new' });
    await expect.element(page.getByLabelText('What happened?')).toBeVisible();
    await expect.element(page.getByLabelText(/^What we did/)).not.toBeInTheDocument();
    await openApp({ host: siteHost([reported('Hoist hook bent')]) });
    await page.getByRole('link', { name: /Hoist hook bent/ }).click();
    await expect.element(page.getByRole('heading', { name: 'Hoist hook bent' })).toBeVisible();
    await expect.element(section()).not.toBeInTheDocument();
  },
);
