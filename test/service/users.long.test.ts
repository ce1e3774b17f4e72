/** `user add`, `list`, `role` and `deactivate`, and the limits of `token create`, beside a running service (decisions §12.4, §12.6). */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bareDemo,
  clientOf,
  runCli,
  spawnService,
  tempDir,
  type Finished,
  type ServiceProcess,
} from '../support/service.ts';

const dir = tempDir('users');
const folder = join(dir.path, 'data');
let running: ServiceProcess;
let company: readonly string[];
beforeAll(async () => {
  running = await spawnService(bareDemo(folder));
  company = ['--company', String(running.first.company_id)];
});
afterAll(async () => {
  await running.end();
  dir.remove();
});

const run = (...argv: string[]) => runCli([...argv, '--data-dir', folder]);
const done = ({ code, stdout, stderr }: Finished): Record<string, unknown> => {
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Record<string, unknown>;
};
const refused = ({ code, stdout, stderr }: Finished): string => {
  expect([code, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1]);
  return stderr;
};

const LOGIN = 'ana@firm.example';
const me = (token: string) =>
  clientOf(running.first.url, { ...running.first, token }).get('/rest/v1.0/me');

describe('decisions §12.4: users on the command line', () => {
  it('decisions §12.4, §12.6: added, limited, given a token, raised and deactivated; refusals are one sentence', async () => {
    const { project_id } = running.first;
    const scope = ['--level', 'reporter', '--projects', String(project_id)];
    const added = done(await run('user', 'add', LOGIN, ...company, '--name', 'Ana', ...scope));
    const shown = { login: LOGIN, name: 'Ana', level: 'reporter', project_ids: [project_id] };
    expect(added).toMatchObject({ ...shown, active: true });
    expect(done(await run('user', 'list', ...company))['users']).toContainEqual(added);
    const create = (...more: string[]) =>
      run('token', 'create', '--user', LOGIN, ...company, ...more);
    expect(refused(await create('--level', 'standard'))).toContain(
      '--level reporter, and no other',
    );
    const { token } = done(await create('--expires', '90d')) as { token: string };
    expect((await me(token)).json.companies).toMatchObject([{ level: 'reporter' }]);
    const tokens = done(await run('token', 'list', '--user', LOGIN))['tokens'];
    expect(tokens).toMatchObject([
      { level: null, last_used_at: null, expires_at: expect.stringMatching(/Z$/) },
    ]);
    const named = { token: { name: 'x' } };
    const mine = clientOf(running.first.url, { ...running.first, token });
    for (let at = 1; at < 50; at += 1)
      expect((await mine.post('/rest/v1.0/me/tokens', named)).status).toBe(201);
    expect(refused(await create())).toContain('has 50 tokens in company');
    const raise = ['--level', 'standard', '--projects', 'all'];
    done(await run('user', 'role', LOGIN, ...company, ...raise));
    expect((await me(token)).json.companies).toMatchObject([
      { level: 'standard', project_ids: null },
    ]);
    done(await run('user', 'deactivate', LOGIN, ...company));
    expect((await me(token)).status).toBe(401);
    expect(refused(await create())).toContain('deactivated');
  });

  it('decisions §12.4: mistakes are one sentence and exit 2', async () => {
    const maria = 'maria.kovacs@northline.example';
    for (const [argv, words] of [
      [['role', maria, ...company, '--level', 'standard'], /user\.level: .*without an admin/],
      [['deactivate', maria, ...company], /user\.active: .*without an admin/],
      [['role', maria, ...company], /Say what changes/],
      [['role', maria, ...company, '--level', 'boss'], /--level must be one of/],
      [['role', maria, ...company, '--projects', 'x'], /--projects must be/],
      [['role', 'nobody', ...company, '--level', 'admin'], /no user "nobody"/],
      [['role', 'sam.whitaker@calder.example', ...company, '--level', 'admin'], /no such user/],
      [['add', 'b@firm.example', ...company], /user\.name: is required/],
      [['add', maria, ...company, '--name', 'x'], /user\.login: belongs/],
      [['add', 'b@firm.example', '--name', 'x'], /--company ID/],
      [['list', '--company', '4711'], /no company 4711/],
      [['fire', maria, ...company], /Usage: user add/],
    ] as const)
      expect(refused(await run('user', ...argv)), argv.join(' ')).toMatch(words);
  });
});
