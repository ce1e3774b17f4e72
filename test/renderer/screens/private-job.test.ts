/**
 * A report under a private job: its audience is shown before and after saving, and the next report does not go there by
 * default.
 */
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { words } from '../../../src/renderer/words/words.ts';
import { emptyCatalog } from '../../../src/renderer/data/db/catalog.ts';
import { openApp } from '../../support/renderer-app.ts';
import { ScriptedHost } from '../../support/renderer-host.ts';
import { slow } from '../../support/slow.ts';

const job = (id: number, title: string, more: object = {}) => ({ id, number: id, title, ...more });

const hostWith = (incidents: readonly object[]): ScriptedHost => {
  const host = new ScriptedHost();
  host.answers.set('catalog.show', () => ({
    status: 200,
    data: { ...emptyCatalog, incidents, people: [{ id: 7, name: 'Tom Reed', login: 'tom' }] },
    paging: null,
    etag: null,
    replayed: false,
    server_time: null,
  }));
  return host;
};
const INVESTIGATION = job(2, 'Investigation: crane', {
  private: true,
  visible_to: ['User', 'Tom Reed'],
});
const t = words.capture.audience;

const fileUnder = async (title: string, text: string): Promise<void> => {
  await page.getByRole('link', { name: 'New near miss' }).click();
  await page.getByLabelText('What happened?').fill(text);
  await page.getByRole('combobox', { name: /^Job or area/ }).fill(title);
  await page.getByRole('option', { name: new RegExp(title) }).click();
};

it('A39: a report under a private job shows who can see it; the next one does not begin there', async () => {
  const host = hostWith([job(1, 'Pier 3'), job(3, 'Pier 4'), INVESTIGATION]);
  await openApp({ host });
  await fileUnder('Investigation', 'Sling parted');
  // In the box of the job and beside Save.
  await expect.element(page.getByText(t.others_short(1), { exact: true })).toBeVisible();
  await expect.element(page.getByText(t.named(['Tom Reed']))).toBeVisible();
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.element(page.getByText('Private', { exact: true })).toBeVisible();
  await expect.element(page.getByRole('img', { name: 'Private' })).toBeVisible();

  await page.getByRole('link', { name: 'New near miss' }).click();
  await expect.element(page.getByLabelText('What happened?')).toBeVisible();
  await expect
    .element(page.getByRole('combobox', { name: /^Job or area/ }))
    .not.toHaveValue('Investigation: crane');
  expect(page.getByText(t.named(['Tom Reed'])).elements()).toEqual([]);
});

slow(
  'A39: a private job that was opened on this laptop a moment ago is shown as private',
  async () => {
    const host = hostWith([job(1, 'Pier 3')]);
    host.faults.push({
      at: 'before',
      on: ({ endpoint }) => endpoint === 'incidents.create',
      problem: { kind: 'offline', reason: 'refused', detail: '' },
      times: 1_000,
    });
    await openApp({ host });
    const { app } = await import('../../../src/renderer/state/app.svelte.ts');
    const { openIncident } = await import('../../../src/renderer/data/near-misses/incidents.ts');
    await expect.poll(() => app.opened).not.toBeNull();
    const owner = { account: app.scope?.account ?? '', company_id: 1, project_id: 10 };
    await openIncident(app.deps, owner, {
      title: 'Fall from height',
      private: true,
      people_ids: [7],
    });
    await fileUnder('Fall from height', 'Guard rail gave way');
    await expect.element(page.getByText(t.named(['Tom Reed']))).toBeVisible();
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    await expect.element(page.getByText('Private', { exact: true })).toBeVisible();
  },
);

slow('the job of the last report is marked as that until a person chooses', async () => {
  const host = hostWith([job(1, 'Pier 3'), job(3, 'Pier 4')]);
  await openApp({ host });
  await fileUnder('Pier 4', 'Rope frayed');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.element(page.getByRole('heading', { level: 1, name: 'Rope frayed' })).toBeVisible();
  await page.getByRole('link', { name: 'New near miss' }).click();
  const note = page.getByText(words.capture.job_from.last);
  await expect.element(note).toBeVisible();
  await page.getByRole('combobox', { name: /^Job or area/ }).fill('Pier 3');
  await page.getByRole('option', { name: /Pier 3/ }).click();
  await expect.poll(() => note.elements()).toEqual([]);
});
