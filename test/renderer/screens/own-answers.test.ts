/** News of answers for the reporter (decisions §4.10): said first in "Since yesterday", opened as a list, ended by opening the report. */
import { expect, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { writeSeen } from '../../../src/contract/text/seen.ts';
import type { NearMiss } from '../../../src/contract/rest/near-misses.ts';
import { createDb } from '../../../src/renderer/data/db/db.ts';
import { hasBegunUnseen } from '../../../src/renderer/data/near-misses/unseen.ts';
import { words } from '../../../src/renderer/words/company-words.ts';
import { openApp, type AppOptions } from '../../support/renderer-app.ts';
import { look } from '../../support/renderer-looks.ts';
import {
  asServer,
  fileReport,
  pressMore,
  reported,
  rows,
  siteCatalog,
  siteHost,
} from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const SEEN = 'custom_field_91';
const WHAT = 'custom_field_92';
const value = (text: string) => ({ data_type: 'string' as const, value: text });
const later = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const seenBy = (name: string): Partial<NearMiss> => ({
  custom_fields: { [SEEN]: value(writeSeen(name, Date.now())) },
  updated_at: later(1),
});
const didBy = (name: string, what: string): Partial<NearMiss> => ({
  custom_fields: { [SEEN]: value(writeSeen(name, Date.now())), [WHAT]: value(what) },
  updated_at: later(1),
});
const maria = { id: 7, name: 'Maria Kovacs', login: 'maria@example.com' };
const tom = { id: 8, name: 'Tom Brennan', login: 'tom@example.com' };

/** A project with the fields of the answer, and these reports; `by` is their reporter. */
const site = (...reports: readonly (readonly [text: string, by: typeof maria | null])[]) => {
  const host = asServer(
    siteHost(
      reports.map(([text, created_by], at) =>
        reported(text, 3 + at, {
          updated_at: new Date(Date.now() - 86_400_000).toISOString(),
          ...(created_by ? { created_by } : {}),
        }),
      ),
    ),
  );
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
type Site = ReturnType<typeof site>;
const idOf = (host: Site, text: string): number =>
  [...host.near_misses.values()].find(({ description }) => description?.includes(text))?.id ?? 0;
const card = () => page.getByRole('region', { name: words.shift.title });
const news = () => card().getByRole('button', { name: /of your reports/ });
/** The first figure of the start of the shift. */
const first = () =>
  card().getByRole('button').elements()[0]?.textContent.replace(/\s+/g, ' ').trim();
const ONE = '1 of your reports was answered';
const TWO = '2 of your reports were answered';
/** Opens the window and waits for its first full read: only what comes later is news. */
const opened = async (host: Site, settings: AppOptions['settings'] = {}) => {
  await openApp({ host, settings });
  const db = createDb();
  onTestFinished(() => db.close());
  const scope = { account: host.session.account ?? '', project_id: 10 };
  await expect.poll(() => hasBegunUnseen(db, scope)).toBe(true);
  await expect.poll(() => rows().length).toBeGreaterThan(0);
};

slow(
  'decisions §4.10: the reporter hears first of the answers of others, and opening a report ends its news',
  async () => {
    const host = site(['Hoist hook bent', maria], ['Gate left open', maria], ['Rope frayed', tom]);
    await opened(host);
    await expect.element(card()).toBeVisible();
    await expect.element(news()).not.toBeInTheDocument();
    host.theirs(idOf(host, 'Hoist'), seenBy('Tom Brennan'));
    host.theirs(idOf(host, 'Gate'), didBy('Tom Brennan', 'New spring fitted'));
    host.theirs(idOf(host, 'Rope'), didBy('Ana Ruiz', 'Rope replaced'));
    await pressMore('Refresh');
    await expect.poll(first).toBe(TWO);
    await news().click();
    await expect.poll(() => rows().length).toBe(2);
    await expect
      .element(page.getByRole('button', { name: /Your reports with a new answer/ }))
      .toBeVisible();
    expect(rows().some((row) => row.textContent.includes('Rope'))).toBe(false);
    await page.getByRole('link', { name: /Gate left open/ }).click();
    await expect.element(page.getByText('New spring fitted')).toBeVisible();
    await expect.poll(() => rows().length).toBe(1);
    await page.getByRole('link', { name: /Hoist hook bent/ }).click();
    // The last one is open: the news and its filter end.
    await expect.poll(() => rows().length).toBe(3);
    await openApp({ host });
    await expect.element(card()).toBeVisible();
    await expect.element(news()).not.toBeInTheDocument();
  },
);

slow(
  'decisions §4.10: news of an answer outlasts a restart without a network, and another change',
  async () => {
    const host = site(['Hoist hook bent', maria]);
    await opened(host);
    host.theirs(idOf(host, 'Hoist'), seenBy('Tom Brennan'));
    await pressMore('Refresh');
    await expect.poll(first).toBe(ONE);
    host.theirs(idOf(host, 'Hoist'), {
      description: '<p>Hoist hook broken</p>',
      updated_at: later(2),
    });
    await pressMore('Refresh');
    await expect
      .element(page.getByRole('link', { name: /Hoist hook broken/ }).first())
      .toBeVisible();
    host.up = false;
    await openApp({ host });
    await expect.poll(first).toBe(ONE);
  },
);

slow(
  'decisions §4.10: an answer that is taken back is no news, nor is one of the reporter from another laptop',
  async () => {
    const host = site(['Hoist hook bent', maria], ['Gate left open', maria], ['Board fell', maria]);
    await opened(host);
    host.theirs(idOf(host, 'Hoist'), seenBy('Tom Brennan'));
    host.theirs(idOf(host, 'Gate'), didBy('MARIA KOVACS', 'Spring fitted'));
    host.theirs(idOf(host, 'Board'), seenBy('Tom Brennan'));
    await pressMore('Refresh');
    await expect.poll(first).toBe(TWO);
    host.theirs(idOf(host, 'Hoist'), { custom_fields: {}, updated_at: later(2) });
    await pressMore('Refresh');
    await expect.poll(first).toBe(ONE);
  },
);

slow(
  'decisions §4.10: on a server that names no author, the reports made on this laptop count',
  async () => {
    const host = site(['Hoist hook bent', null]);
    await opened(host);
    await fileReport('Ladder slipped');
    await expect.element(page.getByText(/report accepted by the server/)).toBeVisible();
    await expect.poll(() => idOf(host, 'Ladder')).toBeGreaterThan(0);
    await page.getByRole('link', { name: 'Near misses', exact: true }).first().click();
    host.theirs(idOf(host, 'Hoist'), seenBy('Tom Brennan'));
    host.theirs(idOf(host, 'Ladder'), seenBy('Tom Brennan'));
    await pressMore('Refresh');
    await expect.poll(first).toBe(ONE);
    await look('answers of own reports');
  },
);

slow('decisions §4.10: Spanish says so too', async () => {
  const host = site(['Hoist hook bent', maria]);
  await opened(host, { language: 'es' });
  host.theirs(idOf(host, 'Hoist'), seenBy('Tom Brennan'));
  await pressMore(words.list.refresh, words.list.more);
  await expect
    .element(page.getByRole('button', { name: /de sus reportes recibió respuesta/ }))
    .toBeVisible();
});
