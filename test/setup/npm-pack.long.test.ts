/**
 * The npm package (`npm pack`): packed as it is published, placed below the node_modules of a bare folder with exactly its
 * dependencies (from this installation, by the lockfile, so that no registry is used), started, asked for its page, and
 * stopped.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { extract, list } from 'tar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runServiceFaults } from '../../src/setup/package/package-run.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'spotter-npm-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Locked {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}
interface Manifest {
  readonly bin: { readonly spotter: string };
}

/** npm by its script path if npm started us: on Windows a plain `npm` cannot be executed. */
const npm = async (args: readonly string[]): Promise<string> => {
  const script = process.env['npm_execpath'];
  const [file, before] = script === undefined ? ['npm', []] : [process.execPath, [script]];
  const { stdout } = await promisify(execFile)(file, [...before, ...args], { cwd: root });
  return stdout;
};

/** Copies the dependencies that `npm install` would put next to the package, including nested ones. */
const installBeside = (modules: string): void => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, Locked>>;
  };
  for (const [place, { dev = false }] of Object.entries(packages)) {
    if (dev || !/^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(place)) continue;
    const to = join(modules, place.slice('node_modules/'.length));
    mkdirSync(dirname(to), { recursive: true });
    symlinkSync(join(root, place), to, 'junction');
  }
};

const installed = join(folder, 'node_modules/spotter');
let names: string[];
let program: string;

beforeAll(async () => {
  const [{ filename }] = JSON.parse(
    await npm(['pack', '--json', '--pack-destination', folder]),
  ) as [{ filename: string }];
  const tarball = join(folder, filename);
  names = [];
  await list({ file: tarball, onReadEntry: ({ path }) => void names.push(String(path)) });
  mkdirSync(installed, { recursive: true });
  await extract({ file: tarball, cwd: installed, strip: 1 });
  installBeside(join(folder, 'node_modules'));
  const { bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Manifest;
  program = join(installed, bin.spotter);
}, 300_000);

const environment = { PATH: process.env['PATH'], HOME: folder };
const run = (args: readonly string[], path = program) =>
  promisify(execFile)(process.execPath, [path, ...args], { cwd: folder, env: environment }).then(
    ({ stdout, stderr }) => ({ status: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({ ...error, status: error.code }),
  );

/** Requests the page like a browser with a typed address; anything else is refused (src/browser/guard.ts). */
const pageAt = async (origin: string): Promise<string> => {
  const headers = {
    'sec-fetch-site': 'none',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  };
  const [answer] = (await once(get(`${origin}/`, { headers }), 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  return text(answer);
};

describe('the npm package', () => {
  it('holds what is needed at run time and nothing else', () => {
    const roots =
      /^package\/(?:out\/(?:node|renderer)\/|resources\/(?:licences|server)\/|(?:package\.json|README\.md|LICENSE|src\/setup\/npx\.js)$)/;
    expect(names.filter((name) => !roots.test(name))).toEqual([]);
    expect(names.filter((name) => /\.(?:ts|svelte|map)$/.test(name))).toEqual([]);
    expect(names).toContain('package/out/node/service.js');
    expect(names).toContain('package/out/renderer/index.html');
  });

  it('starts with Node alone: --no-open prints the address, the page and its service are there, SIGTERM ends both', async () => {
    const child = spawn(
      process.execPath,
      [program, '--no-open', '--data-dir', join(folder, 'data')],
      { cwd: folder, env: environment, stdio: ['pipe', 'pipe', 'pipe'] },
    );
    const ended = once(child, 'exit');
    let said = '';
    child.stderr.on('data', (part) => (said += String(part)));
    const origin = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        said += `${line}\n`;
        const found = /Open Spotter at {2}(http:\/\/127\.0\.0\.1:\d+)\/enter#/.exec(line)?.[1];
        if (found !== undefined) resolve(found);
      });
      child.once('exit', () => reject(new Error(said)));
    });
    try {
      expect(await pageAt(origin)).toContain('id="app"');
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
    expect(child.exitCode).toBe(0);
    await expect(fetch(`${origin}/`)).rejects.toThrow();
  }, 300_000);

  it('its service starts, seeds the demo, and makes a thumbnail', async () => {
    expect(await runServiceFaults(join(installed, 'out/node/service.js'), folder)).toEqual([]);
  }, 300_000);

  it('decisions §10: `spotter service` is the service, its commands and its pages', async () => {
    const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      readonly version: string;
    };
    expect(await run(['service', '--version'])).toMatchObject({
      status: 0,
      stdout: `spotter ${version} (Node ${process.versions.node})\n`,
    });
    const help = await run(['service', 'token', '--help']);
    expect(help.stdout).toContain('spotter service token revoke ID');
    const seat = ['--user', 'rita@firm.example', '--new-user', 'Rita', '--new-company', 'Rita'];
    const data = ['--data-dir', join(folder, 'own-service')];
    const made = await run(['service', 'token', 'create', ...seat, ...data]);
    const { token, company_id } = JSON.parse(made.stdout) as { token: string; company_id: number };
    const child = spawn(process.execPath, [program, 'service', '--port', '0', ...data], {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = once(child, 'exit');
    try {
      const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
      const { url } = JSON.parse(line) as { readonly url: string };
      const me = await fetch(`${url}/rest/v1.0/me`, {
        headers: { authorization: `Bearer ${token}`, 'service-company-id': String(company_id) },
      });
      expect(me.status).toBe(200);
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
    if (process.platform !== 'win32') expect(child.exitCode).toBe(0);
  }, 300_000);

  it('says in one sentence what it does not know', async () => {
    expect(await run(['--help'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('--no-open'),
    });
    for (const args of [['--bogus'], ['--electron'], ['--dev']]) {
      const { status, stderr } = await run(args);
      expect(status).toBe(2);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).not.toContain('npm start --');
    }
  });

  it('on an older Node it says in one sentence which it needs, before it reads anything else', async () => {
    const source = readFileSync(program, 'utf8');
    expect(source).not.toMatch(/^import /m);
    const old = join(folder, 'old.mjs');
    const versions = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } });`;
    writeFileSync(old, source.replace(/^#!.*/, versions));
    chmodSync(old, 0o755);
    for (const args of [[], ['service']])
      expect(await run(args, old)).toMatchObject({
        status: 1,
        stderr: 'Spotter needs Node 24 or newer; this is Node 20.19.0.\n',
      });
  });
});
