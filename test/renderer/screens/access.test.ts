/** What a level offers in the window, online and offline, and what is said of a write that the server no longer allows. */
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Level } from '../../../src/contract/rest/access/levels.ts';
import type { NearMiss } from '../../../src/contract/rest/near-misses.ts';
import { words } from '../../../src/renderer/words/company-words.ts';
import { openApp } from '../../support/renderer-app.ts';
import { reply } from '../../support/renderer-company.ts';
import { look } from '../../support/renderer-looks.ts';
import { to } from '../../support/renderer-host.ts';
import { asServer, pressMore, reported, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const t = words.access;
const MINE = { id: 7, name: 'Maria Kovacs', login: 'maria@example.com' };
const THEIRS = { id: 8, name: 'Tom Brennan', login: 'tom@example.com' };

/** A company's server on which Maria has this level: one report is hers, one is Tom's. */
const hostFor = (level: Level | null) => {
  const by = (created_by: NearMiss['created_by']) => ({ created_by });
  const host = asServer(
    siteHost([reported('Hook bent', 3, by(MINE)), reported('Board fell', 4, by(THEIRS))]),
  );
  host.session = { ...host.session, level };
  return host;
};
const edit = () => page.getByRole('link', { name: words.detail.edit, exact: true });
const add_photos = () => page.getByRole('link', { name: t.add_photos, exact: true });
const fresh = () => page.getByRole('link', { name: words.app.new_near_miss, exact: true });
const open = async (name: RegExp): Promise<void> => {
  await page.getByRole('list', { name: words.list.title }).getByRole('link', { name }).click();
  await expect.element(page.getByRole('heading', { level: 1, name })).toBeVisible();
};

it('decisions §12.2: read only looks and changes nothing; a form that is opened by a link says why', async () => {
  const host = hostFor('read_only');
  await openApp({ host });
  await open(/^Hook bent/);
  const report = location.hash.slice(1);
  await expect.element(page.getByRole('link', { name: words.app.waiting })).toBeVisible();
  for (const offered of [fresh(), edit(), add_photos()])
    await expect.element(offered).not.toBeInTheDocument();
  await expect
    .element(page.getByRole('button', { name: words.follow_up.add }))
    .not.toBeInTheDocument();
  host.up = false;
  await openApp({ host, at: '/new' });
  await expect.element(page.getByText(t.cannot_file_text)).toBeVisible();
  await expect.element(page.getByLabelText(words.capture.what)).not.toBeInTheDocument();
  await look('read only, a new report');
  await openApp({ host, at: `${report}/edit` });
  await expect.element(page.getByText(t.cannot_change_text)).toBeVisible();
});

slow(
  'decisions §12.2: standard edits and deletes the own report; to another it adds photos, captions and answers',
  async () => {
    const host = hostFor('standard');
    await openApp({ host });
    await open(/^Hook bent/);
    await expect.element(edit()).toBeVisible();
    await pressMore('Delete', 'More actions');
    await expect.element(page.getByText(words.detail.binned)).toBeVisible();
    await open(/^Board fell/);
    // A follow-up that does not name her is hers once she has taken over the shift, also after the next start.
    const answer = page.getByRole('button', { name: words.follow_up.add });
    const take_over = page.getByRole('button', { name: words.follow_up.take_over });
    await expect.element(take_over).toBeVisible();
    await expect.element(answer).not.toBeInTheDocument();
    await look('standard, the follow-up of another report');
    host.answers.set('shifts.create', () => {
      const at = new Date();
      const ends_at = new Date(at.getTime() + 3_600_000).toISOString();
      return reply({ id: 1, user: MINE, taken_over_at: at.toISOString(), ends_at });
    });
    await take_over.click();
    await expect.element(answer).toBeVisible();
    await expect.element(take_over).not.toBeInTheDocument();
    host.up = false;
    await openApp({ host, at: location.hash.slice(1) });
    await expect.element(answer).toBeVisible();
    host.up = true;
    await add_photos().click();
    await expect.element(page.getByText(t.answers_only_text)).toBeVisible();
    await expect.element(page.getByLabelText(words.capture.what)).not.toBeInTheDocument();
    await look('standard, photos of another report');
  },
);

slow(
  'decisions §12.2: of several chosen reports standard deletes the own ones, and is told of the others',
  async () => {
    const host = hostFor('standard');
    await openApp({ host });
    await pressMore(words.list.select, words.list.more);
    await page.getByRole('button', { name: words.list.bulk.all(2) }).click();
    const bulk = page.getByRole('group', { name: words.list.select, exact: true });
    await bulk.getByRole('button', { name: words.list.bulk.recycle, exact: true }).click();
    const asked = page.getByRole('dialog', { name: words.list.bulk.recycle_ask(2) });
    await asked.getByRole('button', { name: words.list.bulk.recycle, exact: true }).click();
    await expect
      .element(page.getByText(/1 was skipped: somebody else reported it\./))
      .toBeVisible();
    const left = page.getByRole('list', { name: words.list.title }).getByRole('link');
    await expect.element(left.filter({ hasText: 'Board fell' })).toBeVisible();
    await expect.poll(() => left.elements()).toHaveLength(1);
  },
);

slow(
  'decisions §12.2: company data is changed by admins alone; webhooks are shown to them alone',
  async () => {
    const places = async (level: Level | null): Promise<readonly string[]> => {
      const host = hostFor(level);
      host.answers.set('people.list', () => reply([]));
      await openApp({ host, at: '/company-data/people' });
      await expect.element(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
      const rail = page.getByRole('navigation', { name: words.app.rail });
      const more = rail.getByRole('button', { name: words.places.more });
      if (more.elements()[0]?.getAttribute('aria-expanded') === 'false') await more.click();
      return rail
        .getByRole('link')
        .elements()
        .map((one) => one.textContent.trim());
    };
    const adds = () =>
      page.getByRole('button', { name: words.own_data.add, exact: true }).elements().length;
    expect(await places('standard')).not.toContain(words.places.webhooks);
    expect(adds()).toBe(0);
    expect(await places('reporter')).not.toContain(words.places.people);
    for (const level of ['admin', null] as const) {
      expect(await places(level)).toContain(words.places.webhooks);
      await expect.poll(adds).toBe(1);
    }
  },
);

slow(
  'decisions §12.2: an edit that was allowed when it was made and is refused later is parked with a plain sentence',
  async () => {
    const host = hostFor('standard');
    host.faults.push({
      at: 'before',
      on: to('near_misses.delete'),
      problem: { kind: 'refused', status: 403, messages: ['Your level is "reporter"'], fields: {} },
    });
    await openApp({ host });
    await open(/^Hook bent/);
    await pressMore('Delete', 'More actions');
    await page.getByRole('link', { name: /^Waiting/ }).click();
    await expect.element(page.getByText(words.problem.forbidden).first()).toBeVisible();
    await expect.element(page.getByText(words.problem.forbidden_todo).first()).toBeVisible();
  },
);
