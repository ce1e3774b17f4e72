/**
 * Insights: figures counted on the laptop, online and offline, as charts and as tables that say the same; by keyboard; printed
 * on paper.
 */
import { startServer, type Server } from '../support/server.ts';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { connectToServer } from './steps.ts';

let service: Server;
test.beforeEach(async () => {
  service = await startServer();
});
test.afterEach(() => service.remove());

test('design §2: insights count what the API has, as charts and tables, online and offline', async ({
  app,
}) => {
  const page = await app.open();
  page.setDefaultTimeout(15_000);
  await connectToServer(page, service, 'Harbour Bridge East');
  await page.getByRole('link', { name: 'Insights' }).click();
  await expect(page.getByRole('heading', { name: 'Insights', level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'All', exact: true }).click();
  await expect(page.getByText('Counted on this laptop from 250 near misses.')).toBeVisible();
  await look(page, 'insights');
  await page.getByRole('button', { name: 'Tables' }).click();
  await look(page, 'insights-tables');
});
