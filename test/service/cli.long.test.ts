/** Running the service: decisions §10, through the command line in a child process. */
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandHelpText, helpText } from '../../src/service/help.ts';
import { OptionError, optionTable, parseOptions } from '../../src/service/options.ts';
import { migrations } from '../../src/service/store/migrations/index.ts';
import { version } from '../../src/service/version.ts';
import { onPostgres } from '../support/database.ts';
import {
  bareDemo,
  clientOf,
  runCli,
  spawnService,
  tempDir,
  type ServiceProcess,
} from '../support/service.ts';

const dir = tempDir('cli');
let running: ServiceProcess;
const folder = join(dir.path, 'demo');

beforeAll(async () => {
  running = await spawnService(bareDemo(folder));
});
afterAll(async () => {
  await running.end('SIGKILL');
  dir.remove();
});

const filesBelow = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe('decisions §10: the first line', () => {
  it('decisions §10: one JSON object with url, docs, token, company_id, project_id and other; nothing else on stdout', async () => {
    const { first } = running;
    expect(Object.keys(first).sort()).toEqual(
      ['company_id', 'docs', 'other', 'project_id', 'token', 'tokens', 'url'].sort(),
    );
    expect(Object.keys(first.other).sort()).toEqual(['company_id', 'project_id', 'token']);
    expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const answer = await clientOf(first.url, first).get('~/incidents/near_misses');
    expect([answer.status, answer.headers.get('total')]).toEqual([200, '250']);
    expect((await clientOf(first.url, first.other).get('~/incidents/near_misses')).status).toBe(
      200,
    );
    expect((await fetch(first.docs)).status).toBe(200);
    expect(running.stdout().split('\n')).toHaveLength(2);
  });

  it('decisions §10: the log goes to stderr, with a line per request and never a token or a query', async () => {
    const { first } = running;
    await clientOf(first.url, first).get('~/incidents/near_misses?filters[query]=secret-name');
    await expect.poll(() => running.stderr()).toContain('/incidents/near_misses');
    expect(running.stderr()).not.toContain(first.token);
    expect(running.stderr()).not.toContain('secret-name');
  });

  it('failures, Log/error: no token is anywhere in the data folder', () => {
    const { first } = running;
    for (const file of filesBelow(folder)) {
      const bytes = readFileSync(file);
      for (const { token } of [first, first.other]) expect(bytes.includes(token), file).toBe(false);
    }
  });

  it('failures, Loopback server: the data folder is 0700 and its files 0600', () => {
    if (process.platform === 'win32') return;
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const file of filesBelow(folder)) expect(statSync(file).mode & 0o077, file).toBe(0);
  });

  it('decisions §10: /healthz answers 200', async () => {
    const answer = await fetch(`${running.first.url}/healthz`);
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }]);
  });
});

describe('decisions §10: one process per data folder', () => {
  // On PostgreSQL it is allowed: test/service/postgres/two-processes.test.ts.
  it.skipIf(onPostgres)(
    'a second process on the same data folder is refused with a clear sentence',
    async () => {
      const second = await runCli(['--port', '0', '--data-dir', folder]);
      expect(second.code).toBe(1);
      expect(second.stdout).toBe('');
      expect(second.stderr).toMatch(
        /Another Spotter service is using the data folder .*--data-dir/,
      );
    },
  );

  it('a taken port is refused with a clear sentence', async () => {
    const port = new URL(running.first.url).port;
    const second = await runCli(['--port', port, '--data-dir', join(dir.path, 'taken')]);
    expect([second.code, second.stdout]).toEqual([1, '']);
    expect(second.stderr).toContain(`Port ${port} on 127.0.0.1 is taken`);
  });
});

describe('decisions §10: stopping and starting again', () => {
  it('decisions §10, failures S4: after SIGKILL the folder opens, the demo is not seeded twice, the old token works', async () => {
    const path = join(dir.path, 'again');
    const one = await spawnService(bareDemo(path));
    const made = await clientOf(one.first.url, one.first).post('~/incidents/near_misses', {
      near_miss: { incident_id: 1, description: 'survives' },
    });
    expect(made.status).toBe(201);
    await one.end('SIGKILL');
    const two = await spawnService(bareDemo(path));
    try {
      expect(two.first.token).not.toBe(one.first.token);
      for (const token of [one.first.token, two.first.token]) {
        const client = clientOf(two.first.url, { ...two.first, token });
        const list = await client.get('~/incidents/near_misses?per_page=1');
        expect([list.status, list.headers.get('total')]).toEqual([200, '251']);
        expect(list.json[0].description).toBe('survives');
      }
    } finally {
      await two.end();
    }
  });

  // On Windows a signal ends a program at once; there the end of its input stops the service (below).
  it.skipIf(process.platform === 'win32')(
    'decisions §10: SIGTERM finishes what is running, then exits 0',
    async () => {
      const path = join(dir.path, 'term');
      const service = await spawnService(bareDemo(path));
      const { url, token, company_id, project_id } = service.first;
      const body = JSON.stringify({ near_miss: { incident_id: 1, description: 'in flight' } });
      const sending = request(`${url}/rest/v1.0/projects/${project_id}/incidents/near_misses`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'service-company-id': company_id,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      });
      sending.write(body.slice(0, 10));
      // Once a later request is answered, its headers have arrived and its route has begun.
      await fetch(`${url}/healthz`);
      const ending = service.end('SIGTERM');
      await expect
        .poll(() =>
          fetch(`${url}/healthz`).then(
            () => 'open',
            () => 'closed',
          ),
        )
        .toBe('closed');
      sending.end(body.slice(10));
      const [response] = (await once(sending, 'response')) as [import('node:http').IncomingMessage];
      expect(response.statusCode).toBe(201);
      response.resume();
      expect(await ending).toEqual({ code: 0, signal: null });
      expect(service.stdout().split('\n')).toHaveLength(2);
      expect(service.stderr()).toMatch(/stopping: what is running is finished first.*stopped/s);
    },
  );

  it('--embedded gives a fresh laptop one company and project, and ends when its parent does', async () => {
    const path = join(dir.path, 'embedded');
    const one = await spawnService(['--embedded', '--port', '0', '--data-dir', path]);
    const client = clientOf(one.first.url, one.first);
    expect((await client.get('/rest/v1.0/me')).json.projects).toHaveLength(1);
    expect((await client.get('~/incidents/near_misses')).headers.get('total')).toBe('0');
    const catalog = (await client.get('~/catalog')).json;
    expect(catalog.incidents).toHaveLength(1);
    expect(catalog.harm_sources.length).toBeGreaterThan(5);
    one.child.stdin?.end();
    const [code] = (await once(one.child, 'exit')) as [number];
    expect(code).toBe(0);
    const two = await spawnService(['--embedded', '--port', '0', '--data-dir', path]);
    expect((await clientOf(two.first.url, one.first).get('/rest/v1.0/me')).status).toBe(200);
    expect(two.first.project_id).toBe(one.first.project_id);
    await two.end();
  });
});

describe('decisions §10: options', () => {
  it('decisions §10: --help lists every option with its environment variable and default', async () => {
    const help = await runCli(['--help']);
    expect([help.code, help.stdout]).toEqual([0, helpText()]);
    for (const name of Object.keys(optionTable)) {
      expect(help.stdout).toContain(`--${name}`);
      expect(help.stdout).toContain(`SPOTTER_${name.toUpperCase().replaceAll('-', '_')}`);
    }
    for (const name of ['upload-post-window', 'upload-association-window'])
      expect(Object.keys(optionTable)).toContain(name);
  });

  it('decisions §10: --help shows each option once, in a group', () => {
    const lines = helpText().split('\n');
    for (const name of Object.keys(optionTable))
      expect(
        lines.filter((line) => line.startsWith(`  --${name} `)),
        name,
      ).toHaveLength(1);
    for (const title of ['Database:', 'Webhooks:', 'Requests:']) expect(lines).toContain(title);
  });

  it('decisions §10: --help after a command is the page of that command, with examples', async () => {
    const help = await runCli(['token', 'create', '--help']);
    expect([help.code, help.stdout]).toEqual([0, commandHelpText('token')]);
    expect(help.stdout).toContain('token revoke ID');
    for (const name of ['user', 'token', 'import', 'backup', 'restore', 'copies'])
      expect(commandHelpText(name)).toMatch(new RegExp(`^${name}: .*\n\nUsage:[^]*Examples:`));
    expect(commandHelpText('nothing')).toBe(helpText());
  });

  it('decisions §10: --version is one line', async () => {
    const { code, stdout } = await runCli(['--version']);
    expect([code, stdout]).toEqual([0, `spotter ${version} (Node ${process.versions.node})\n`]);
  });

  it('decisions §10: the log names version, database, store and migrations when it starts, and its end', async () => {
    const service = await spawnService(['--port=0', `--data-dir=${join(dir.path, 'log')}`]);
    await service.end();
    const lines = service
      .stderr()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.find(({ msg }) => msg === 'started')).toMatchObject({
      version,
      database: expect.stringMatching(onPostgres ? /^PostgreSQL localhost\/t_/ : /^SQLite$/),
      store: 'folder',
      schema: expect.stringMatching(/^\d{4}-/),
      migrated: onPostgres ? [] : Object.keys(migrations),
      url: service.first.url,
    });
    if (process.platform !== 'win32')
      expect(lines.at(-1)).toMatchObject({ msg: 'stopped', version, seconds: expect.any(Number) });
  });

  it('decisions §10: an unknown flag is a clear sentence and exit 2', async () => {
    const wrong = await runCli(['--prot', '0']);
    expect([wrong.code, wrong.stdout]).toEqual([2, '']);
    expect(wrong.stderr).toMatch(/--prot.*--help/s);
  });

  it('decisions §10: flags, environment, durations and sizes', () => {
    expect(
      parseOptions([], { SPOTTER_PORT: '0', SPOTTER_UPLOAD_POST_WINDOW: '500ms' }),
    ).toMatchObject({ port: 0, 'upload-post-window': 500 });
    expect(parseOptions(['--port', '7'], { SPOTTER_PORT: '8' }).port).toBe(7);
    expect(parseOptions(['--upload-association-window=7d'])['upload-association-window']).toBe(
      7 * 86_400_000,
    );
    expect(parseOptions(['--max-body', '2MiB'])['max-body']).toBe(2 * 1024 * 1024);
    for (const argv of [
      ['--port', 'x'],
      ['--port', '70000'],
      ['--port', '-1'],
      ['--upload-post-window', '1'],
      ['--upload-post-window', '1w'],
      ['--max-body', '1MB'],
      ['--demo=maybe'],
      ['--host='],
      ['--public-url=spotter.example.com'],
      ['--public-url=ftp://spotter.example.com'],
      ['--public-url=https://spotter.example.com/?to=here'],
      ['--headers-timeout=3h'],
      ['--webhook-interval=25d'],
      ['--stop-timeout=3000h'],
      ['stray'],
      ['--port'],
    ])
      expect(() => parseOptions(argv), argv.join(' ')).toThrow(OptionError);
    expect(() => parseOptions([], { SPOTTER_PORT: 'x' })).toThrow(/SPOTTER_PORT/);
    expect(
      parseOptions(['--upload-association-window=60d', '--webhook-interval=24d']),
    ).toBeTruthy();
  });

  it('decisions §10: a data folder that cannot be used is a clear sentence', async () => {
    const path = join(dir.path, 'a-file');
    writeFileSync(path, '');
    const answer = await runCli(['--port', '0', '--data-dir', path]);
    expect(answer.code).toBe(1);
    expect(answer.stderr).toMatch(/is a file, or lies below one/);
    expect(answer.stderr).not.toMatch(/\n\s+at /);
  });
});
