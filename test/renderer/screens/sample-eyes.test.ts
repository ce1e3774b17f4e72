/** Looking through the eyes of another user of the sample data. */
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Level } from '../../../src/contract/rest/access/levels.ts';
import { words } from '../../../src/renderer/words/company-words.ts';
import { openApp } from '../../support/renderer-app.ts';
import { ScriptedHost, sessionOf } from '../../support/renderer-host.ts';
import { look } from '../../support/renderer-looks.ts';

const t = words.users;

const sample = () => {
  const host = new ScriptedHost();
  host.session = sessionOf({ level: 'admin' });
  host.answers.set('session.connect', (input) => {
    const { level } = input as { level: Level };
    host.session = sessionOf({ level, account: `this_laptop/1/${level}` });
    host.emit({ kind: 'session.changed', session: host.session });
    return host.session;
  });
  return host;
};

it('the banner of the sample data changes the user by keyboard; what the user may not do is not offered', async () => {
  const host = await openApp({ host: sample() });
  const banner = page.getByRole('complementary', { name: words.app.sample.title });
  const menu = banner.getByRole('button', { name: t.look_as.menu });
  await expect.element(menu).toHaveTextContent(t.look_as.as(t.levels.admin));
  await expect.element(page.getByRole('link', { name: words.app.new_near_miss })).toBeVisible();
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await look('sample');
  (menu.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect
    .element(page.getByRole('menuitem', { name: new RegExp(t.levels.read_only) }))
    .toBeVisible();
  await userEvent.keyboard('{End}{Enter}');
  await expect.element(menu).toHaveTextContent(t.look_as.as(t.levels.read_only));
  await expect
    .element(page.getByRole('link', { name: words.app.new_near_miss }))
    .not.toBeInTheDocument();
  expect(host.of('session.connect').map(({ input }) => input)).toEqual([
    { kind: 'this_laptop', level: 'read_only' },
  ]);
});
