/** Shared steps that lead to the screens of insurances, members and webhooks. */
import { expect, type Page } from 'playwright/test';

/** Opens a place of the rail's company group. */
export const toCompany = async (page: Page, place: string): Promise<void> => {
  const rail = page.getByRole('navigation', { name: 'Main' });
  const link = rail.getByRole('link', { name: place, exact: true });
  // The group is folded, and its later places once more.
  for (const name of ['Company', 'More of the company']) {
    const button = rail.getByRole('button', { name, exact: true });
    if (!(await link.isVisible()) && (await button.getAttribute('aria-expanded')) === 'false')
      await button.click();
  }
  // A window that has just opened may still redirect to its first screen after this press, so retry.
  await expect(async () => {
    await link.click();
    await expect(link).toHaveAttribute('aria-current', 'page', { timeout: 5_000 });
  }).toPass();
};

export const toWaiting = async (page: Page) => {
  await page
    .getByRole('link', { name: /^Waiting/ })
    .first()
    .click();
  return page.getByRole('region', { name: 'Waiting' }).getByRole('listitem').first();
};
