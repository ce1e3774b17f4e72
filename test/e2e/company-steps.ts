/** The ways to the screens of insurances, members and webhooks, which their tests share. */
import { expect, type Page } from 'playwright/test';

/** To a place of the rail's company group. */
export const toCompany = async (page: Page, place: string): Promise<void> => {
  const rail = page.getByRole('navigation', { name: 'Main' });
  if (!(await rail.getByRole('link', { name: place }).isVisible()))
    await rail.getByRole('button', { name: 'Company' }).click();
  const link = rail.getByRole('link', { name: place });
  // A window that just opened may still be on its way to its first screen, and go there after this press.
  await expect(async () => {
    await link.click();
    await expect(link).toHaveAttribute('aria-current', 'page', { timeout: 5_000 });
  }).toPass();
};

/** What waits, as its screen tells it. */
export const toWaiting = async (page: Page) => {
  await page
    .getByRole('link', { name: /^Waiting/ })
    .first()
    .click();
  return page.getByRole('region', { name: 'Waiting' }).getByRole('listitem').first();
};
