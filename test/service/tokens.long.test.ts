/**
 * `token create
 * list
 * revoke` as a user runs them, during a running service (decisions §1.1, §10).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bareDemo,
  clientOf,
  runCli,
  spawnService,
  tempDir,
  type ServiceProcess,
} from '../support/service.ts';

const dir = tempDir('tokens');
const folder = join(dir.path, 'data');
let running: ServiceProcess;
beforeAll(async () => {
  running = await spawnService(bareDemo(folder));
});
afterAll(async () => {
  await running.end();
  dir.remove();
});

const token = (...argv: string[]) => runCli(['token', ...argv, '--data-dir', folder]);
const lineOf = (stdout: string): Record<string, unknown> =>
  JSON.parse(stdout.split('\n')[0] ?? '') as Record<string, unknown>;
const loginOf = async (): Promise<string> =>
  (await clientOf(running.first.url, running.first).get('/rest/v1.0/me')).json.user.login;
const me = (access: { token: string; company_id: number }) =>
  clientOf(running.first.url, { project_id: 1, ...access }).get('/rest/v1.0/me');

describe('decisions §10: tokens beside a running service', () => {
  it('decisions §10: created, listed, used, revoked; the first line is JSON and the token is shown once', async () => {
    const { company_id } = running.first;
    const login = await loginOf();
    const made = await token(
      'create',
      '--user',
      login,
      '--company',
      `${company_id}`,
      '--name',
      'ci',
    );
    expect([made.code, made.stderr]).toEqual([0, '']);
    const line = lineOf(made.stdout) as { token: string; id: string };
    expect(line).toMatchObject({ user: login, company_id, name: 'ci' });
    expect((await me({ token: line.token, company_id })).status).toBe(200);

    const listed = await token('list', '--user', login);
    expect(lineOf(listed.stdout)['tokens']).toContainEqual(
      expect.objectContaining({ id: line.id, user: login, name: 'ci', company_id }),
    );
    expect(listed.stdout).not.toContain(line.token);

    const revoked = await token('revoke', line.id);
    expect(lineOf(revoked.stdout)).toEqual({ revoked: line.id, user: login });
    expect((await me({ token: line.token, company_id })).status).toBe(401);
    expect((await me(running.first)).status, 'the other tokens stay').toBe(200);
  });

  it('decisions §1.1: a token for one company is no token for another', async () => {
    const made = await token(
      'create',
      '--user',
      'new@firm.example',
      '--new-user',
      'N',
      '--new-company',
      'New firm',
    );
    expect(made.code, made.stderr).toBe(0);
    const line = lineOf(made.stdout) as { token: string; company_id: number };
    const own = await me(line);
    expect([own.status, own.json.companies.length, own.json.projects.length]).toEqual([200, 1, 1]);
    expect((await me({ ...line, company_id: running.first.company_id })).status).toBe(403);
    const colleague = await token(
      'create',
      '--user',
      'two@firm.example',
      '--new-user',
      'Two',
      '--company',
      `${line.company_id}`,
    );
    expect((await me(lineOf(colleague.stdout) as typeof line)).status).toBe(200);
  });

  it('decisions §10: only hashes are stored', async () => {
    const login = await loginOf();
    const made = await token('create', '--user', login, '--company', `${running.first.company_id}`);
    const line = lineOf(made.stdout) as { token: string };
    for (const name of readdirSync(folder).filter((one) => one.startsWith('spotter.db')))
      expect(readFileSync(join(folder, name)).includes(line.token), name).toBe(false);
  });

  it('decisions §10: what cannot be done is a sentence that says what to do, and exit 2', async () => {
    const login = await loginOf();
    for (const [argv, words] of [
      [['create'], /--user LOGIN/],
      [['create', '--user', login], /--company ID/],
      [['create', '--user', login, '--company', '999999'], /no company 999999/],
      [
        ['create', '--user', 'nobody', '--company', `${running.first.company_id}`],
        /--new-user NAME/,
      ],
      [
        ['create', '--user', login, '--company', `${running.first.other.company_id}`],
        /does not belong/,
      ],
      [['create', '--user', login, '--new-company', 'X'], /--new-user NAME/],
      [['revoke', 'abcdefabcdef'], /no token abcdefabcdef/],
      [['revoke'], /token list/],
      [['list', 'stray'], /Usage/],
      [[], /Usage/],
    ] as const) {
      const answer = await token(...argv);
      expect([answer.code, answer.stdout], argv.join(' ')).toEqual([2, '']);
      expect(answer.stderr).toMatch(words);
    }
    expect((await runCli(['tokn'])).stderr).toMatch(/no command "tokn".*--help/);
  });
});
