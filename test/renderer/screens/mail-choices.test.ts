/** What the server mails to a user is chosen in Settings, where the server sends mail (decisions §16.2). */
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import {
  mailDefaults,
  type MailPreferences,
  type ShownMailPreferences,
} from '../../../src/contract/rest/access/mail.ts';
import { words } from '../../../src/renderer/words/company-words.ts';
import { problemLine } from '../../../src/renderer/words/problems.ts';
import { openApp } from '../../support/renderer-app.ts';
import { reply } from '../../support/renderer-company.ts';
import { judge } from '../../support/renderer-looks.ts';
import { asServer, siteHost } from '../../support/renderer-site.ts';
import { slow } from '../../support/slow.ts';

const t = words.mail;
const region = () => page.getByRole('region', { name: t.title });
const box = (kind: keyof typeof t.kinds) => region().getByRole('checkbox', { name: t.kinds[kind] });

const hostThat = (says: Partial<ShownMailPreferences>) => {
  const host = asServer(siteHost());
  host.session = { ...host.session, level: 'standard' };
  let kept: ShownMailPreferences = { ...mailDefaults, offered: true, reachable: true, ...says };
  const changes: Partial<MailPreferences>[] = [];
  host.answers.set('my_tokens.list', () => reply([]));
  host.answers.set('mail_preferences.show', () => reply(kept));
  host.answers.set('mail_preferences.update', (input) => {
    const { mail } = (input['input'] as { body: { mail: Partial<MailPreferences> } }).body;
    changes.push(mail);
    kept = { ...kept, ...mail };
    return reply(kept);
  });
  return { host, changes };
};

slow(
  'decisions §16.2: each kind and the language are chosen by one press, and kept by the server',
  async () => {
    const { host, changes } = hostThat({});
    await openApp({ host, at: '/settings' });
    await expect.element(box('assigned')).toBeChecked();
    await expect.element(box('severe')).not.toBeChecked();
    await judge('settings, mail');
    await box('severe').click();
    await expect.poll(() => changes).toEqual([{ severe: true }]);
    await expect.element(box('severe')).toBeEnabled();
    await box('due').click();
    await expect.poll(() => changes).toEqual([{ severe: true }, { due: false }]);
    await region().getByText('Español', { exact: true }).click();
    await expect.poll(() => changes.at(-1)).toEqual({ language: 'es' });
    await openApp({ host, at: '/settings' });
    await expect.element(box('severe')).toBeChecked();
    await expect.element(box('due')).not.toBeChecked();
  },
);

slow('decisions §16.2: what the server refuses is shown as it was, and says why', async () => {
  const { host } = hostThat({});
  await openApp({ host, at: '/settings' });
  await expect.element(box('done')).toBeChecked();
  const problem = { kind: 'offline', reason: 'refused', detail: '' } as const;
  host.faults.push({
    at: 'before',
    on: ({ endpoint }) => endpoint === 'mail_preferences.update',
    problem,
  });
  await box('done').click();
  await expect.element(page.getByText(problemLine(problem))).toBeVisible();
  await expect.element(box('done')).toBeChecked();
});

slow(
  'decisions §16.2: a login that is no address is told so; a server without mail shows nothing',
  async () => {
    await openApp({ host: hostThat({ reachable: false }).host, at: '/settings' });
    await expect.element(region().getByText(t.unreachable)).toBeVisible();
    await openApp({ host: hostThat({ offered: false }).host, at: '/settings' });
    await expect.element(page.getByText(words.users.tokens.none)).toBeVisible();
    await expect.element(region()).not.toBeInTheDocument();
  },
);

it('decisions §16.2: a server without comments offers no mail about them', async () => {
  await openApp({ host: hostThat({}).host, at: '/settings' });
  await expect.element(box('comments')).toBeChecked();
  await openApp({ host: hostThat({ comments: undefined }).host, at: '/settings' });
  await expect.element(box('assigned')).toBeVisible();
  expect(box('comments').elements()).toEqual([]);
});
