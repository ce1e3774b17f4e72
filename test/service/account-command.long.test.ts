/** `account add`, `list`, `rotate` and `delete` beside a running service (decisions §12.8). */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bareDemo,
  runCli,
  spawnService,
  tempDir,
  type Finished,
  type ServiceProcess,
} from '../support/service.ts';

const dir = tempDir('accounts');
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

const run = (...argv: string[]) => runCli(['account', ...argv, '--data-dir', folder]);

interface Shown {
  readonly client_id: string;
  readonly client_secret: string;
}
const done = ({ code, stdout, stderr }: Finished): Shown => {
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Shown;
};

const post = (path: string, body: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(running.first.url + path, { method: 'POST', body: new URLSearchParams(body) });

const bearerOf = async ({ client_id, client_secret }: Shown): Promise<string> => {
  const grant = { grant_type: 'client_credentials', client_id, client_secret };
  const answer = await post('/oauth/token', grant);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { access_token: string }).access_token;
};

const statusOf = async (token: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${running.first.url}/rest/v1.0/me`, { headers })).status;
};

describe('decisions §12.8: service accounts on the command line', () => {
  it('decisions §12.8: added, listed, rotated with and without an overlap, and deleted', async () => {
    const scope = ['--level', 'reporter', '--projects', String(running.first.project_id)];
    const added = done(await run('add', 'Crane telemetry', ...company, ...scope));
    const { client_secret, ...shown } = added;
    expect(shown).toMatchObject({
      name: 'Crane telemetry',
      level: 'reporter',
      project_ids: [running.first.project_id],
    });
    expect(done(await run('list', ...company))).toEqual({ accounts: [shown] });
    const first = await bearerOf(added);
    const second = done(await run('rotate', shown.client_id, ...company));
    expect(second.client_secret).not.toBe(client_secret);
    expect([await statusOf(first), await statusOf(await bearerOf(second))]).toEqual([200, 200]);
    const now = ['--account-secret-overlap', '0s'];
    const third = done(await run('rotate', shown.client_id, ...company, ...now));
    expect(third).toMatchObject({ previous_valid_until: null });
    expect(await statusOf(first)).toBe(401);
    const last = await bearerOf(third);
    expect(await statusOf(last)).toBe(200);
    const deleted = await run('delete', shown.client_id, ...company);
    expect(done(deleted)).toEqual({ deleted: shown.client_id });
    expect(await statusOf(last)).toBe(401);
    expect(done(await run('list', ...company))).toEqual({ accounts: [] });
  });

  it('decisions §12.8: mistakes are one sentence and exit 2', async () => {
    const { client_id } = done(await run('add', 'x', ...company));
    const other = ['--company', String(running.first.other.company_id)];
    for (const [argv, words] of [
      [['account', 'add', ...company], /Usage: account add/],
      [['account', 'fire', 'x', ...company], /Usage: account add/],
      [['account', 'add', 'x'], /--company ID/],
      [['account', 'add', 'x', ...company, '--level', 'boss'], /--level must be one of/],
      [['account', 'add', 'x', ...company, '--projects', '4711'], /service_account\.project_ids/],
      [['account', 'rotate', 'nobody', ...company], /no service account "nobody"/],
      [['account', 'delete', client_id, ...other], /no service account/],
      [['token', 'create', '--user', client_id, ...company], /is a service account/],
      [['user', 'add', client_id, ...company, '--name', 'x'], /belongs to a service account/],
      [['user', 'role', client_id, ...company, '--level', 'admin'], /no such user/],
    ] as const) {
      const { code, stdout, stderr } = await runCli([...argv, '--data-dir', folder]);
      expect([code, stdout, stderr.trim().split('\n').length], stderr).toEqual([2, '', 1]);
      expect(stderr, argv.join(' ')).toMatch(words);
    }
  });
});
