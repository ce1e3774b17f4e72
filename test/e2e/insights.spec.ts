/**
 * Insights: figures counted on the laptop, online and offline, as charts and as equivalent tables; from a figure to its near
 * misses; by keyboard; as files; on paper.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Download, Page } from 'playwright/test';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { pressMore, report } from './steps.ts';

test.use({ apart: false });

const textOf = async (download: Download): Promise<string> =>
  readFile(await download.path(), 'utf8');
const choose = async (page: Page, item: string): Promise<Download> => {
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: item }).click();
  return coming;
};

test('insights count what the API has, as charts and tables, online and offline, and lead to the list', async ({
  client,
  world,
}) => {
  const page = await world.open();
  await page.getByRole('link', { name: 'Insights' }).click();
  await expect(page.getByRole('heading', { name: 'Insights', level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await expect(page.getByText('250 near misses.')).toBeVisible();

  // The API counts the same.
  const catalog = (await client.get('~/catalog')).json as {
    harm_sources: { id: number; name: string }[];
    work_activities: { id: number; name: string }[];
  };
  const counted = async (filters: string) =>
    Number(
      (await client.get(`~/incidents/near_misses?per_page=1&${filters}`)).headers.get('total'),
    );
  /** The most frequent value, because the charts show the most frequent first. */
  const most = async <T extends { id: number }>(
    all: readonly T[],
    filter: (id: number) => string,
  ) => {
    const counts = await Promise.all(all.map(({ id }) => counted(filter(id))));
    const count = Math.max(...counts);
    return [all[counts.indexOf(count)], count] as const;
  };
  const harmIs = (id?: number) => `filters[harm_source_id]=${id}`;
  const [harm, of_harm] = await most(catalog.harm_sources, harmIs);
  const [activity, both] = await most(
    catalog.work_activities,
    (id) => `${harmIs(harm?.id)}&filters[work_activity_id]=${id}`,
  );
  const bar = page.getByRole('button', {
    name: new RegExp(`^${harm?.name}: ${of_harm} near miss`),
  });
  await expect(bar).toBeVisible();
  const heat = page.getByRole('table', { name: 'Harm source by work activity' });
  await expect(
    heat.getByRole('button', {
      name: new RegExp(`^${harm?.name}, ${activity?.name}: ${both} near`),
    }),
  ).toBeVisible();
  await look(page, 'insights');

  // By keyboard: the weeks are a slider, and the heat map is one tab stop.
  const weeks = page.getByRole('slider', { name: 'Near misses reported per week' });
  await weeks.focus();
  await page.keyboard.press('Home');
  await expect(weeks).toHaveAttribute('aria-valuenow', '0');
  await page.keyboard.press('ArrowRight');
  await expect(weeks).toHaveAttribute('aria-valuenow', '1');
  await expect(weeks).toHaveAttribute('aria-valuetext', /^Week of .*: \d+ near miss/);
  const said = (await weeks.getAttribute('aria-valuetext')) ?? '';
  const in_week = /: (\d+) near/.exec(said)?.[1] ?? '';
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: `${in_week} near miss` })).toBeAttached();
  await page.goBack();
  await heat.getByRole('button').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect(heat.getByRole('row').nth(2).getByRole('button').nth(1)).toBeFocused();

  // Offline it counts new reports immediately.
  world.offline();
  await report(page, { text: 'Counted with no network', photos: [] });
  await page.getByRole('link', { name: 'Insights' }).click();
  await expect(page.getByText('251 near misses.')).toBeVisible();
  await page.getByRole('button', { name: 'Tables' }).click();
  await expect(page.getByRole('table', { name: 'Harm source', exact: true })).toBeVisible();
  await look(page, 'insights-tables');
  const figures = await textOf(await choose(page, 'These figures (CSV)'));
  expect(figures).toContain(`"Harm source","${harm?.name}","","${of_harm}"`);
  const records = await textOf(await choose(page, 'These near misses (CSV)'));
  expect(records.split('\r\n')).toHaveLength(251 + 2);
  const zip = await choose(page, 'These near misses with photos (zip)');
  expect((await readFile(await zip.path())).subarray(0, 2).toString()).toBe('PK');

  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await page.emulateMedia({ media: null });
  await page.getByRole('button', { name: 'Charts' }).click();
  const pdf = await page.pdf({ format: 'A4', printBackground: true });
  const shots = process.env['SPOTTER_LOOKS'];
  if (shots) await writeFile(join(shots, 'insights.pdf'), pdf);
  const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  expect(pages).toBeGreaterThanOrEqual(1);
  expect(pages).toBeLessThanOrEqual(4);

  await bar.click();
  await expect(page).toHaveURL(/near-misses$/);
  // Exports a selection of the list.
  await pressMore(page, 'Select');
  await page.getByRole('checkbox').first().check();
  const coming = page.waitForEvent('download');
  await page
    .getByRole('group', { name: 'Select', exact: true })
    .getByRole('button', { name: 'Export' })
    .click();
  await page.getByRole('menuitem', { name: 'Table (CSV)' }).click();
  expect((await textOf(await coming)).split('\r\n')).toHaveLength(1 + 2);
  await expect(
    page.getByRole('status').filter({ hasText: `${of_harm} near misses` }),
  ).toBeAttached();
});
