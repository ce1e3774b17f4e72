/** Changing one word of a formatted description in the form leaves its list, table and link unchanged. */
import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { openApp } from '../../support/renderer-app.ts';
import { look } from '../../support/renderer-looks.ts';
import { reported, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

// As a service returns it.
const DESCRIPTION = [
  '<p>Manhole open at gate 3, see <a href="https://example.com/permit" rel="noopener noreferrer nofollow">the permit office</a></p>',
  '<ul><li><p>Cover <strong>refitted</strong></p></li><li><p>Barrier placed</p></li></ul>',
  '<table><tbody><tr><td colspan="1" rowspan="1"><p>Depth</p></td><td colspan="1" rowspan="1"><p>deep</p></td></tr></tbody></table>',
].join('');

slow(
  'an edit of one word in a list, a table and a link changes that word and nothing else',
  async () => {
    const host = siteHost([{ ...reported(''), description: DESCRIPTION }]);
    await openApp({ host });
    await page.getByRole('link', { name: /Manhole open at gate 3/ }).click();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    const box = page.getByRole('textbox', { name: 'What happened?' });
    for (const [from, to] of [
      ['refitted', 'locked'],
      ['deep', 'shallow'],
      ['permit', 'licence'],
    ] as const) {
      await box.getByText(new RegExp(from)).last().dblClick();
      await userEvent.keyboard(to);
      await expect.element(box.getByText(new RegExp(to))).toBeVisible();
    }
    await look('edit-formatted');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.element(page.getByText('Changes saved on this laptop.')).toBeVisible();
    await expect
      .poll(() => [...host.near_misses.values()][0]?.description)
      .toBe(
        DESCRIPTION.replace('refitted', 'locked')
          .replace('deep', 'shallow')
          .replace('the permit office', 'the licence office'),
      );
  },
);
