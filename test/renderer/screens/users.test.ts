/** The users of a company: added, changed, deactivated; their codes and their tokens. */
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { EnrolmentCode } from '../../../src/contract/rest/access/enrolment.ts';
import type { AccessToken } from '../../../src/contract/rest/access/tokens.ts';
import type { CompanyUser } from '../../../src/contract/rest/access/users.ts';
import { words } from '../../../src/renderer/words/company-words.ts';
import { openApp } from '../../support/renderer-app.ts';
import { reply } from '../../support/renderer-company.ts';
import { look } from '../../support/renderer-looks.ts';
import { asServer, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const t = words.users;
const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const person = { id: 8, name: 'Tom Brennan', login: 'tom@example.com' };

interface Given {
  readonly params: { readonly id: number };
  readonly body: { readonly user: Partial<CompanyUser> & { readonly login: string } };
}

/** The host of an admin, whose server has two users, and for the second a token and an unused code. */
const adminHost = () => {
  const host = asServer(siteHost());
  host.session = { ...host.session, level: 'admin' };
  const all: CompanyUser[] = [
    { id: 7, name: 'Maria Kovacs', login: 'maria@example.com', level: 'admin', project_ids: null },
    { ...person, level: 'standard', project_ids: [10], active: true },
  ];
  const token: AccessToken = {
    id: 'abcdef012345',
    name: 'Site hut laptop',
    level: null,
    company_id: 1,
    created_at: at(-9),
    expires_at: at(90),
    last_used_at: at(-1),
  };
  const code: EnrolmentCode = {
    id: 1,
    user: person,
    created_by: { id: 7, name: 'Maria Kovacs' },
    created_at: at(-2),
    expires_at: at(5),
  };
  const records = { users: all, tokens: [token], codes: [code] };
  const answer = (name: string, data: (given: Given) => unknown) =>
    host.answers.set(name, (input) => reply(data(input['input'] as Given)));
  answer('company_users.list', () => records.users);
  answer('company_users.create', ({ body }) => {
    const made = { name: '', level: 'standard' as const, active: true, ...body.user, id: 9 };
    records.users.push(made);
    return made;
  });
  answer('company_users.update', ({ params, body }) => {
    const found = records.users.find(({ id }) => id === params.id);
    return found && Object.assign(found, body.user);
  });
  answer('enrolment_codes.list', () => records.codes);
  answer('enrolment_codes.create', () => {
    const made = { ...code, id: 2, created_at: at(0), expires_at: at(7) };
    records.codes.push(made);
    return { ...made, code: 'ABCDE-FGHJK' };
  });
  answer('enrolment_codes.delete', ({ params }) => {
    records.codes = records.codes.filter(({ id }) => id !== params.id);
  });
  answer('user_tokens.list', () => records.tokens);
  answer('user_tokens.delete', () => {
    records.tokens = [];
  });
  return { host, records };
};
const button = (name: string) => page.getByRole('button', { name, exact: true });

slow(
  'decisions §12.4: an admin adds a user with a level and a list of projects, deactivates and brings back',
  async () => {
    const { host, records } = adminHost();
    await openApp({ host, at: '/users' });
    await expect.element(page.getByText('Tom Brennan')).toBeVisible();
    await look('users');
    await button(t.add).click();
    const dialog = page.getByRole('dialog');
    await button(t.save).click();
    await expect.element(dialog.getByText(t.missing_field).first()).toBeVisible();
    await dialog.getByLabelText(t.login, { exact: false }).fill('ana@example.com');
    await dialog.getByLabelText(t.name, { exact: true }).fill('Ana Lopez');
    await dialog.getByText(t.levels.reporter, { exact: true }).click();
    await dialog.getByText(t.some_projects, { exact: true }).click();
    await button(t.save).click();
    await expect.element(dialog.getByText(t.choose_project)).toBeVisible();
    await look('users, a new one');
    await dialog.getByLabelText('Harbour Bridge East').click();
    await button(t.save).click();
    await expect.element(page.getByRole('heading', { name: 'Ana Lopez' })).toBeVisible();
    expect(records.users.at(-1)).toMatchObject({
      login: 'ana@example.com',
      level: 'reporter',
      project_ids: [10],
    });
    await button(t.deactivate).click();
    await dialog.getByRole('button', { name: t.deactivate, exact: true }).click();
    await expect.element(button(t.reactivate)).toBeVisible();
    expect(records.users.at(-1)?.active).toBe(false);
    await button(t.reactivate).click();
    await expect.element(button(t.deactivate)).toBeVisible();
  },
);

slow(
  'decisions §12.5, §12.6: a code is shown once with its end and as a QR code; unused codes and tokens are ended',
  async () => {
    const { host, records } = adminHost();
    await openApp({ host, at: '/users/8' });
    await expect.element(page.getByText('Site hut laptop')).toBeVisible();
    await button(t.code.make).click();
    await expect.element(page.getByText('ABCDE-FGHJK')).toBeVisible();
    await expect.element(page.getByRole('img', { name: t.code.qr })).toBeVisible();
    await expect.element(page.getByText(t.code.at('https://spotter.example'))).toBeVisible();
    await look('user, with a code');
    host.up = false;
    await expect.element(page.getByText('ABCDE-FGHJK')).toBeVisible();
    host.up = true;
    await button(t.code.hide).click();
    await expect
      .poll(() => page.getByRole('button', { name: t.code.withdraw }).elements())
      .toHaveLength(2);
    await expect.element(page.getByText('ABCDE-FGHJK')).not.toBeInTheDocument();
    const made_by = page.getByText(t.code.made_by('Maria Kovacs'), { exact: false });
    await expect.element(made_by.first()).toBeVisible();
    await page.getByRole('button', { name: t.code.withdraw }).first().click();
    await expect.poll(() => records.codes.map(({ id }) => id)).toEqual([2]);
    await button(t.tokens.revoke_of('Site hut laptop')).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t.tokens.revoke, exact: true })
      .click();
    await expect.element(page.getByText(t.tokens.none)).toBeVisible();
  },
);

slow(
  'decisions §12.6: a user of any level sees the own laptops in Settings and revokes one',
  async () => {
    const { host, records } = adminHost();
    host.session = { ...host.session, level: 'reporter' };
    host.answers.set('my_tokens.list', () => reply(records.tokens));
    host.answers.set('my_tokens.delete', (input) => {
      const { params } = input['input'] as { readonly params: { readonly id: string } };
      records.tokens = records.tokens.filter(({ id }) => id !== params.id);
      return reply(undefined, 204);
    });
    await openApp({ host, at: '/settings' });
    await expect.element(page.getByText('Site hut laptop')).toBeVisible();
    await look('settings, own tokens');
    await button(t.tokens.revoke_of('Site hut laptop')).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t.tokens.revoke, exact: true })
      .click();
    await expect.element(page.getByText(t.tokens.none)).toBeVisible();
  },
);

it('decisions §12.4: users are changed online only, and the screen says so', async () => {
  const { host } = adminHost();
  host.up = false;
  await openApp({ host, at: '/users' });
  await expect.element(page.getByText(t.offline_nothing)).toBeVisible();
  await expect.element(button(t.add)).not.toBeInTheDocument();
});
