/** Connecting with an enrolment code: the token reaches the vault, never a window. */
import { expect, it, onTestFinished } from 'vitest';
import type { HostInput } from '../../src/contract/host.ts';
import { anyEndpoint, endpointNames } from '../../src/contract/rest/index.ts';
import { memoryVault } from '../../src/host/vault/memory.ts';
import { startTestService } from '../support/service.ts';
import { startServerWorld, startWorld, type ServerWorld } from './fixtures/world.ts';

/** A code for the standard user of the demo, whose laptop this becomes. */
const codeOf = async ({ service }: ServerWorld): Promise<{ code: string; user_id: number }> => {
  const { demo } = service;
  const users = `/rest/v1.0/companies/${demo.company_id}/users`;
  const made = await demo.post(users, { user: { login: 'crew@example.com', name: 'Crew' } });
  const codes = `/rest/v1.0/companies/${demo.company_id}/enrolment_codes`;
  const user_id: number = made.json.id;
  const code = await demo.post(codes, { enrolment_code: { user_id } });
  return { code: code.json.code, user_id };
};

it('decisions §12.5: a code connects as its user, is spent once, and its token is in the vault alone', async () => {
  const vault = memoryVault();
  const world = await startServerWorld({ vault });
  const { demo } = world.service;
  const { code, user_id } = await codeOf(world);
  const typed = { address: world.chaos.url, code: ` ${code.toLowerCase()} ` };
  const before = await world.call('session.get', {});
  const enrolled = await world.call('session.enrol', typed);
  expect(enrolled).toMatchObject({ address: world.chaos.url, company_id: demo.company_id });
  expect(enrolled.me?.user.id).toBe(user_id);
  expect(await world.call('session.get', {})).toEqual(before);
  // The window asks again after it was reloaded, and connects.
  expect(await world.call('session.enrol', typed)).toEqual(enrolled);
  const connect = { kind: 'code' as const, ...typed, project_id: demo.project_id };
  const session = await world.call('session.connect', connect);
  expect(session).toMatchObject({ state: 'ready', kind: 'server', user: { id: user_id } });
  const spent = world.chaos.seen.filter(({ path }) => path === '/rest/v1.0/enrolments');
  expect(spent.map(({ headers }) => headers['authorization'])).toEqual([undefined]);
  const read = await vault.get(session.account ?? '');
  const token = read.state === 'ok' ? read.token : '';
  expect(token).not.toBe('');
  expect(JSON.stringify([enrolled, session, world.events, world.log])).not.toContain(token);
});

it('decisions §12.5: a mistyped, used or unknown code, and a server without codes, are each refused by name', async () => {
  const world = await startServerWorld();
  const { code } = await codeOf(world);
  const address = world.chaos.url;
  const fault = async (typed: string, where = address) => {
    const problem = await world.problem('session.enrol', { address: where, code: typed });
    return problem.kind === 'bad_input' ? problem.fault : problem.kind;
  };
  expect(await fault('ABCDE-FGHJ0')).toBe('code_unreadable');
  expect(await fault('ABCDE-FGHJK')).toBe('code_refused');
  const other = await startWorld();
  await other.call('session.enrol', { address, code });
  expect(await fault(code)).toBe('code_refused');
  const plain = await startTestService({ plain: true });
  onTestFinished(() => plain.stop());
  expect(await fault(code, plain.url)).toBe('code_unsupported');
});

it('decisions §12.2: the session knows the level of its user, follows a change of it, and keeps it over a restart', async () => {
  const world = await startServerWorld();
  const { demo, as } = world.service;
  expect((await world.call('session.get', {})).level).toBe('admin');
  const crew = as('standard');
  const { company_id, project_id, token } = crew;
  const address = world.chaos.url;
  await world.call('session.connect', { kind: 'server', address, company_id, project_id, token });
  const { level, user } = await world.call('session.get', {});
  expect(level).toBe('standard');
  const path = `/rest/v1.0/companies/${company_id}/users/${user?.id}`;
  await demo.patch(path, { user: { level: 'reporter' } });
  await world.call('reach.check', {});
  expect((await world.call('session.get', {})).level).toBe('reporter');
  await world.door.stop();
  const again = await startWorld({ data_dir: world.folder });
  expect((await again.call('session.get', {})).level).toBe('reporter');
});

it('decisions §12.5: of the endpoints that show a secret, a window may call those whose secret a person passes on', () => {
  const forWindows = endpointNames.filter((name) => {
    const { secret, hostOnly } = anyEndpoint(name);
    return secret && !hostOnly;
  });
  expect(forWindows.sort()).toEqual([
    'enrolment_codes.create',
    // Texts around a name, which an admin decides on.
    'erasures.preview',
    // Texts about a person, which an admin hands to that person.
    'person_copies.create',
    'vapid_webhook_hooks.create',
    'vapid_webhook_signing_secrets.create',
    'webhook_hooks.create',
    'webhook_signing_secrets.create',
  ]);
});

it('decisions §12.5: no window is given a token, whichever endpoint makes one', async () => {
  const world = await startServerWorld();
  const { code } = await codeOf(world);
  const asked: readonly HostInput<'rest.request'>[] = [
    { endpoint: 'enrolments.create', input: { params: {}, body: { enrolment: { code } } } },
    { endpoint: 'my_tokens.create', input: { params: {}, body: { token: { name: 'laptop' } } } },
    {
      endpoint: 'service_accounts.create',
      input: {
        params: { company_id: world.service.demo.company_id },
        body: { service_account: { name: 'program' } },
      },
    },
  ];
  for (const input of asked)
    expect(await world.problem('rest.request', input)).toMatchObject({ kind: 'bad_input' });
  expect(world.chaos.seen).toEqual([]);
});
