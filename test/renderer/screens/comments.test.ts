/** Comments below a near miss (decisions §18): read, written by keyboard, offline too, taken back, removed; and who may. */
import { expect, it, onTestFinished } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { COMMENT_MAX } from '../../../src/contract/rest/history/near-miss-comments.ts';
import type { Level } from '../../../src/contract/rest/access/levels.ts';
import { createDb } from '../../../src/renderer/data/db/db.ts';
import { hasBegunUnseen } from '../../../src/renderer/data/near-misses/unseen.ts';
import { words } from '../../../src/renderer/words/company-words.ts';
import { openApp } from '../../support/renderer-app.ts';
import { look } from '../../support/renderer-looks.ts';
import {
  asServer,
  fileReport,
  pressMore,
  reported,
  rows,
  siteHost,
} from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const maria = { id: 7, name: 'Maria Kovacs', login: 'maria@example.com' };
const tom = { id: 8, name: 'Tom Brennan', login: 'tom@example.com' };
const REPORTS = [
  ['Hoist hook bent', maria],
  ['Gate left open', tom],
] as const;

/** A company's server with comments, on which Maria has this level and filed one of two reports. */
const site = (level: Level | null = 'standard') => {
  const host = asServer(siteHost());
  host.session = { ...host.session, level };
  host.service.comments = new Map();
  host.service.author = maria;
  const ids = REPORTS.map(
    ([text, created_by], at) => host.add(reported(text, 3 + at, { created_by })).id,
  );
  const [own = 0, other = 0] = ids;
  return { host, own, other };
};

const section = () => page.getByRole('region', { name: words.comments.title });
const box = () => section().getByRole('textbox', { name: words.comments.write });
const send = () => section().getByRole('button', { name: words.comments.send });
const texts = (): readonly string[] =>
  [...document.querySelectorAll('section ol .text')].map((one) => one.textContent);
const openReport = async (name: string): Promise<void> => {
  await page.getByRole('link', { name: new RegExp(name) }).click();
  await expect.element(page.getByRole('heading', { level: 1, name })).toBeVisible();
};

it('decisions §18.1: comments are read newest last, and Ctrl+Enter sends one', async () => {
  const { host, own } = site();
  host.service.comment(own, 'Which hoist?', tom);
  host.service.comment(own, 'The one at\ngate 2', maria);
  await openApp({ host });
  await expect.element(page.getByText('2 comments')).toBeInTheDocument();
  await openReport('Hoist hook bent');
  await expect.poll(texts).toEqual(['Which hoist?', 'The one at\ngate 2']);
  await expect.element(send()).toBeDisabled();
  await box().fill('  Replaced <b>today</b> 🦺\n');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.poll(() => texts().at(-1)).toBe('Replaced <b>today</b> 🦺');
  await expect.element(box()).toHaveValue('');
  await expect.poll(() => host.service.comments?.get(own)?.[0]?.text).toBe(texts().at(-1));
  await expect.element(section().getByText(words.comments.waiting)).not.toBeInTheDocument();
  expect(document.activeElement?.tagName).toBe('TEXTAREA');
  host.service.comment(own, 'Thank you', tom);
  await page.getByRole('button', { name: 'List options', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Refresh', exact: true }).click();
  await expect.poll(() => texts().at(-1)).toBe('Thank you');
});

slow(
  'decisions §18.1: offline a comment waits, is taken back into the box, and is sent later',
  async () => {
    const { host, own } = site();
    host.service.comment(own, 'Which hoist?', tom);
    await openApp({ host });
    await openReport('Hoist hook bent');
    await expect.poll(texts).toEqual(['Which hoist?']);
    host.up = false;
    await fileReport('Ladder slipped');
    await box().fill('Second rung');
    await send().click();
    await expect.element(section().getByText(words.comments.waiting)).toBeVisible();
    await look('comment that waits');
    await page.getByRole('link', { name: /Hoist hook bent/ }).click();
    await expect.poll(texts).toEqual(['Which hoist?']);
    await page
      .getByRole('link', { name: /Ladder slipped/ })
      .first()
      .click();
    await section().getByRole('button', { name: words.comments.take_back }).click();
    await expect.element(box()).toHaveValue('Second rung');
    await expect.poll(texts).toEqual([]);
    await send().click();
    await expect.poll(texts).toEqual(['Second rung']);
    host.up = true;
    await expect.poll(() => [...(host.service.comments?.values() ?? [])].flat().length).toBe(2);
  },
);

slow(
  'decisions §18.2: an own comment is removed after a question, and says by whom; others’ only by an admin',
  async () => {
    const { host, own } = site();
    host.service.comment(own, 'Of Tom', tom);
    host.service.comment(own, 'Wrong report', maria);
    await openApp({ host });
    await openReport('Hoist hook bent');
    await expect.poll(() => texts().length).toBe(2);
    const removers = () => section().getByRole('button', { name: /^Remove the comment by/ });
    await expect.poll(() => removers().elements()).toHaveLength(1);
    await removers().click();
    const dialog = page.getByRole('dialog', { name: words.comments.remove_title });
    await expect.element(dialog.getByText('Wrong report')).toBeVisible();
    await dialog.getByRole('button', { name: words.comments.remove_go }).click();
    await expect.element(section().getByText('Removed by Maria Kovacs')).toBeVisible();
    await expect.poll(texts).toEqual(['Of Tom']);
    await look('comments');
    host.session = { ...host.session, level: 'admin' };
    await openApp({ host, at: location.hash.slice(1) });
    await openReport('Hoist hook bent');
    await expect.element(removers()).toBeVisible();
  },
);

slow(
  'decisions §18.1: an unfinished comment survives navigation and a restart; one that is too long is not sent',
  async () => {
    const { host, own } = site();
    await openApp({ host });
    await openReport('Hoist hook bent');
    await box().fill('x'.repeat(COMMENT_MAX - 9));
    await expect.element(section().getByText('9 characters left')).toBeVisible();
    await box().fill('x'.repeat(COMMENT_MAX + 3));
    await expect.element(section().getByText(/^3 characters too many/)).toBeVisible();
    await expect.element(send()).toBeDisabled();
    await box().fill('Not finished');
    await openReport('Gate left open');
    await expect.element(box()).toHaveValue('');
    await openReport('Hoist hook bent');
    await expect.element(box()).toHaveValue('Not finished');
    await openApp({ host });
    await openReport('Hoist hook bent');
    await expect.element(box()).toHaveValue('Not finished');
    await send().click();
    await expect.poll(() => host.service.comments?.get(own)?.[0]?.text).toBe('Not finished');
    await openApp({ host });
    await openReport('Hoist hook bent');
    await expect.element(box()).toHaveValue('');
  },
);

slow(
  'decisions §18.1, §12.2: who may only read has no box, nor has a recycled report or another server',
  async () => {
    const { host, own } = site('read_only');
    host.service.comment(own, 'Read me', tom);
    await openApp({ host });
    await openReport('Hoist hook bent');
    await expect.poll(texts).toEqual(['Read me']);
    await expect.element(box()).not.toBeInTheDocument();
    await openReport('Gate left open');
    await expect.element(section()).not.toBeInTheDocument();
    host.session = { ...host.session, level: 'standard' };
    await openApp({ host });
    await openReport('Hoist hook bent');
    await expect.element(box()).toBeVisible();
    host.theirs(own, {
      deleted_at: new Date().toISOString(),
      updated_at: new Date().toISOString(),
    });
    await openApp({ host, at: `/near-misses/${location.hash.split('/').at(-1) ?? ''}` });
    await expect.poll(texts).toEqual(['Read me']);
    await expect.element(box()).not.toBeInTheDocument();
    const without = asServer(siteHost([reported('Hoist hook bent')]));
    await openApp({ host: without });
    await openReport('Hoist hook bent');
    await expect.element(section()).not.toBeInTheDocument();
  },
);

it('decisions §18.3: new comments of others on own reports lead “Since yesterday”, open as a list, and end with it', async () => {
  const { host, own, other } = site();
  for (const id of [own, other]) host.theirs(id, { updated_at: new Date(1).toISOString() });
  await openApp({ host });
  const db = createDb();
  onTestFinished(() => db.close());
  const scope = { account: host.session.account ?? '', project_id: 10 };
  await expect.poll(() => hasBegunUnseen(db, scope)).toBe(true);
  await expect.poll(() => rows().length).toBe(2);
  for (const text of ['Which hoist?', 'At gate 2?']) host.service.comment(own, text, tom);
  host.service.comment(other, 'Closed', tom);
  await pressMore('Refresh');
  const figure = page.getByRole('button', { name: /^2 new comments on your reports/ });
  await figure.click();
  await expect.poll(() => rows().length).toBe(1);
  await openReport('Hoist hook bent');
  await box().fill('Yes');
  await send().click();
  await expect.poll(() => host.service.comments?.get(own)?.length).toBe(3);
  await expect.poll(() => rows().length).toBe(2);
  await openReport('Gate left open');
  await pressMore('Refresh');
  await expect.poll(async () => (await db.news.toArray()).map(({ key }) => key)).toEqual([]);
});

slow('decisions §18.1: Spanish', async () => {
  const { host, own } = site();
  host.service.comment(own, '¿Cuál grúa?', tom);
  await openApp({ host, settings: { language: 'es' } });
  await page.getByRole('link', { name: /Hoist hook bent/ }).click();
  await expect.element(page.getByRole('region', { name: 'Comentarios' })).toBeVisible();
  await box().fill('La de la puerta 2');
  await page.getByRole('button', { name: 'Enviar comentario' }).click();
  await expect.poll(() => host.service.comments?.get(own)?.length).toBe(2);
});
