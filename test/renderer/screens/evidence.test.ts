/** The dialog of evidence packs, and the log of admins (decisions §19.2, §19.5). */
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Problem } from '../../../src/contract/problem.ts';
import type { Level } from '../../../src/contract/rest/access/levels.ts';
import type { AdminAct } from '../../../src/contract/rest/evidence/admin-acts.ts';
import { words } from '../../../src/renderer/words/company-words.ts';
import { openApp } from '../../support/renderer-app.ts';
import { reply } from '../../support/renderer-company.ts';
import type { Call } from '../../support/renderer-host.ts';
import { asServer, reported, siteHost } from '../../support/renderer-site.ts';
import { SLOW, slow } from '../../support/slow.ts';

const t = words.evidence;
const dialog = () => page.getByRole('dialog', { name: t.title });
const make = () => dialog().getByRole('button', { name: t.make });

const hostOf = (level: Level | null) => {
  const host = asServer(siteHost([reported('Hoist hook bent')]));
  host.session = { ...host.session, level };
  return host;
};
type Host = ReturnType<typeof hostOf>;

const openMenu = async (host: Host) => {
  await openApp({ host });
  await page.getByRole('link', { name: /Hoist hook bent/ }).click();
  await page.getByRole('button', { name: words.detail.more, exact: true }).click();
};
const item = () => page.getByRole('menuitem', { name: t.open, exact: true });

/** A host with a pack whose second piece waits for `rest`. */
const packing = (rest: Promise<unknown>) => {
  const host = hostOf('admin');
  host.pack = new TextEncoder().encode('a pack of two pieces');
  const isSecond = ({ method, input }: Call): boolean =>
    method === 'evidence.read' && input['offset'] === 10;
  host.holds.push({ on: isSecond, until: rest });
  return { host, isSecond };
};

describe('decisions §19.2: an evidence pack', () => {
  it.each(['standard', null] as const)(
    'decisions §19.2: is not offered at the level %s, or by a server without levels',
    SLOW,
    async (level) => {
      await openMenu(hostOf(level));
      await expect
        .element(page.getByRole('menuitem', { name: words.history.all, exact: true }))
        .toBeVisible();
      await expect.poll(() => item().elements()).toHaveLength(0);
    },
  );

  slow(
    'decisions §19.2: is without names unless they are chosen, shows its progress and is saved',
    async () => {
      const rest = Promise.withResolvers<null>();
      const { host } = packing(rest.promise);
      await openMenu(host);
      await item().click();
      await expect.element(dialog().getByText(t.names_off)).toBeVisible();
      await dialog().getByRole('checkbox', { name: t.names }).click();
      await expect.element(dialog().getByText(t.names_on)).toBeVisible();
      await make().click();
      await expect
        .element(dialog().getByRole('progressbar'))
        .toHaveAttribute('aria-valuenow', '50');
      rest.resolve(null);
      await expect.element(page.getByText(t.saved('evidence-1-1.zip'))).toBeVisible();
      await expect.element(dialog()).not.toBeInTheDocument();
      expect(host.of('evidence.open').map(({ input }) => input)).toMatchObject([
        { with_names: true, language: 'en' },
      ]);
      expect(host.of('evidence.close').map(({ input }) => input)).toHaveLength(1);
    },
  );

  slow('decisions §19.2: stopped, it saves nothing and the host deletes its copy', async () => {
    const rest = Promise.withResolvers<null>();
    const { host, isSecond } = packing(rest.promise);
    host.faults.push({ at: 'before', on: isSecond, problem: { kind: 'cancelled' } });
    await openMenu(host);
    await item().click();
    await make().click();
    await expect.element(dialog().getByRole('progressbar')).toHaveAttribute('aria-valuenow', '50');
    await dialog().getByRole('button', { name: words.app.cancel, exact: true }).click();
    await expect.poll(() => host.of('evidence.close').length).toBeGreaterThan(0);
    rest.resolve(null);
    await expect.element(page.getByText(t.stopped)).toBeVisible();
    await expect.element(make()).toBeVisible();
  });

  it.each<[Problem, string]>([
    [{ kind: 'broken_reply', status: 200, looks_like: 'truncated', detail: '' }, t.failed],
    [{ kind: 'no_space', detail: '' }, t.no_room],
    [{ kind: 'gone', status: 404, messages: [] }, t.missing],
  ])('decisions §19.2: %o is said in words, and nothing is saved', SLOW, async (problem, said) => {
    const { host, isSecond } = packing(Promise.resolve());
    host.faults.push({ at: 'before', on: isSecond, problem });
    await openMenu(host);
    await item().click();
    await make().click();
    await expect.element(dialog().getByRole('alert').getByText(said)).toBeVisible();
    await expect.element(make()).toBeEnabled();
  });
});

it('decisions §19.5: the log says what admins did, to whom, and when; more is read on demand', async () => {
  const host = hostOf('admin');
  const nora = { id: 8, name: 'Nora Blum', login: 'nora@example.com' };
  const acts: AdminAct[] = Array.from({ length: 60 }, (_, index) => ({
    id: 60 - index,
    at: new Date(Date.now() - index * 60_000).toISOString(),
    user: { id: 7, name: 'Maria Kovacs', login: 'maria@example.com' },
    act: 'user_changed',
    about: nora,
    details: { level_from: 'standard', level_to: 'admin' },
  }));
  acts[1] = {
    ...acts[0],
    id: 59,
    user: null,
    about: null,
    act: 'signing_key_rotated',
    details: {},
  } as AdminAct;
  host.answers.set('company_users.list', () =>
    reply([{ ...nora, level: 'admin', project_ids: null, active: true }]),
  );
  host.answers.set('admin_acts.list', () => reply(acts));
  await openApp({ host, at: '/users' });
  await page.getByRole('button', { name: t.log.open }).click();
  const log = page.getByRole('dialog', { name: t.log.title });
  await expect.element(log.getByText(t.log.acts.user_changed('Nora Blum')).first()).toBeVisible();
  await expect.element(log.getByText('Level: Standard → Admin').first()).toBeVisible();
  await expect.element(log.getByText(new RegExp(`^${t.log.server} · `))).toBeVisible();
  await expect.poll(() => log.getByRole('listitem').elements()).toHaveLength(50);
  await log.getByRole('button', { name: t.log.more(10) }).click();
  await expect.poll(() => log.getByRole('listitem').elements()).toHaveLength(60);
});
