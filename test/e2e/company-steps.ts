/** The ways to the screens of insurances, members and webhooks, which their tests share. */
import type { Page } from 'playwright/test';

/** To a place of the rail's company group. */
export const toCompany = async (page: Page, place: string): Promise<void> => {
  const rail = page.getByRole('navigation', { name: 'Main' });
  if (!(await rail.getByRole('link', { name: place }).isVisible()))
    await rail.getByRole('button', { name: 'Company' }).click();
  await rail.getByRole('link', { name: place }).click();
};

/** What waits, as its screen tells it. */
export const toWaiting = async (page: Page) => {
  await page
    .getByRole('link', { name: /^Waiting/ })
    .first()
    .click();
  return page.getByRole('region', { name: 'Waiting' }).getByRole('listitem').first();
};
