/**
 * The browser shell's own window: a real Chromium (headless here) let in over its pipe. No secret of the launch may be in
 * a command line or an environment, for those any user of the machine can read; and this browser reaches nothing but Spotter.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AppWindow, openAppWindow } from '../../src/browser/app-window.ts';
import { startWindowServer, type WindowServer } from '../../src/browser/server.ts';
import { chromiumFlags, findChromium } from '../../src/setup/chromium.ts';
import { alive, descendants } from '../support/processes.ts';
import { type TestDoor, testDoor } from './door.ts';
import { eventually } from '../support/eventually.ts';

const PAGE = `<!doctype html><title>w</title><script src="/w.js" defer></script>`;
/** Asks the host as the window does, goes where the test says, and asks once more when another page is in its place. */
const SCRIPT = `
const { at, key } = JSON.parse(sessionStorage.getItem('spotter-entered'));
const ask = (method) => fetch(at + '/host/' + method, {
  method: 'POST', keepalive: true,
  headers: { 'content-type': 'application/json', 'spotter-key': key }, body: '{}',
});
addEventListener('pagehide', () => ask('session.get'));
ask('reach.check').then(() => fetch('/lead.json')).then((answer) => answer.json()).then(({ away }) => {
  if (away !== '') location.href = away;
});`;

describe.runIf(process.platform === 'linux')('the window of the browser shell', () => {
  let folder: string;
  let door: TestDoor;
  let server: WindowServer;
  let window: AppWindow;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spotter-app-window-'));
    await writeFile(join(folder, 'index.html'), PAGE);
    await writeFile(join(folder, 'w.js'), SCRIPT);
    await writeFile(join(folder, 'lead.json'), '{"away":""}');
    door = testDoor();
    server = await startWindowServer({ host: door, files: folder, port: 0 });
  });
  const openWindow = async (): Promise<void> => {
    window = await openAppWindow({
      chromium: findChromium() ?? chromium.executablePath(),
      flags: [...chromiumFlags(), '--headless=new'],
      profile: join(folder, 'profile'),
      origin: server.origin,
      first: '/enter?own',
      entry: server.entry(),
    });
    await eventually(() => expect(door.heard.length).toBeGreaterThan(0));
  };
  afterEach(async () => {
    await window.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const secrets = () => [server.secrets.key, server.secrets.cookie.value, server.secrets.at];

  it('Loopback server: it is let in, and no secret is in argv or an environment', async () => {
    await openWindow();
    const seen = descendants(process.pid);
    expect(seen.map(({ pid }) => pid)).toContain(window.pid);
    expect(seen.length).toBeGreaterThan(3);
    for (const { command, environment, pid } of seen) {
      for (const one of secrets()) {
        expect(command, String(pid)).not.toContain(one);
        expect(environment, String(pid)).not.toContain(one);
      }
      expect(command).not.toMatch(/enter#/);
    }
  });

  it('the cookie ends with the session: its value is in no file of the profile after the end', async () => {
    await openWindow();
    await window.close();
    const files = await readdir(join(folder, 'profile'), { recursive: true, withFileTypes: true });
    for (const file of files.filter((entry) => entry.isFile()))
      expect(
        (await readFile(join(file.parentPath, file.name))).includes(server.secrets.cookie.value),
        file.name,
      ).toBe(false);
  });

  it.each([
    ['127.0.0.1', '/'],
    ['127.0.0.1', 'where the cookie is bound to'],
    ['localhost', '/'],
  ])('S24: led away to another program on %s (%s), it does not come there', async (name, path) => {
    const heard: string[] = [];
    const other = createServer((request, answer) => {
      heard.push(`${request.url} ${request.headers.cookie}`);
      answer.end();
    });
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const away = `http://${name}:${port}${path === '/' ? path : `${server.secrets.at}/x`}`;
    await writeFile(join(folder, 'lead.json'), JSON.stringify({ away }));
    await openWindow();
    await eventually(() => expect(door.heard.map(({ method }) => method)).toContain('session.get'));
    expect(heard).toEqual([]);
    other.close();
  });

  it('is brought to the front for a second start', async () => {
    await openWindow();
    expect(await window.raise()).toBe(true);
  });

  it('no process of it is left when it is closed', async () => {
    await openWindow();
    const pids = [window.pid, ...descendants(window.pid).map(({ pid }) => pid)];
    await window.close();
    await window.closed;
    await eventually(() => expect(alive(pids)).toEqual([]));
  });
});

/** Where Debian's Chromium looks for what its computer's managers forbid. */
const POLICIES = '/etc/chromium';
const mount = ['--mount', 'mount', '--bind', POLICIES, POLICIES];
const canForbid =
  process.platform === 'linux' &&
  /chromium$/.test(findChromium() ?? '') &&
  existsSync(POLICIES) &&
  spawnSync('unshare', mount).status === 0;

/** Programs in a browser's place, as a computer's policy or a broken installation makes of it. */
describe.runIf(process.platform === 'linux')('a browser that cannot be the window', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spotter-no-window-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const browser = async (script: string): Promise<string> => {
    const path = join(folder, 'browser');
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
    return path;
  };
  const open = (path: string, flags: readonly string[] = []) =>
    openAppWindow({
      chromium: path,
      flags,
      profile: join(folder, 'profile'),
      origin: 'http://127.0.0.1:9',
      first: '/enter?own',
      entry: { name: 'spotter-entry', value: 'x', path: '/' },
      patience_ms: flags.length === 0 ? 500 : 10_000,
    });

  it('forbidden remote debugging: its pipe stays silent; one sentence names the policy, and it is ended', async () => {
    const path = await browser(`echo $$ > "${folder}/pid"; exec sleep 600`);
    await expect(open(path)).rejects.toThrow(/policy.*RemoteDebuggingAllowed/);
    expect(alive([Number(await readFile(join(folder, 'pid'), 'utf8'))])).toEqual([]);
  });

  it.skipIf(!canForbid)(
    canForbid
      ? 'a real Chromium under that policy is told so, and it is ended'
      : 'a real Chromium under that policy [skipped: needs Debian’s chromium and the right to mount]',
    async () => {
      const managed = join(folder, 'policies/managed');
      await mkdir(managed, { recursive: true });
      await writeFile(join(managed, 'managed.json'), '{"RemoteDebuggingAllowed":false}');
      // The policy is in this browser's own view of the disk and in nobody else's.
      const inside = `mount --bind "${folder}" "${POLICIES}"; exec "${findChromium() ?? ''}" "$@"`;
      const path = await browser(
        `echo $$ > "${folder}/pid"; exec unshare --mount sh -ec '${inside}' sh "$@"`,
      );
      await expect(open(path, [...chromiumFlags(), '--headless=new'])).rejects.toThrow(
        /policy.*RemoteDebuggingAllowed/,
      );
      expect(alive([Number(await readFile(join(folder, 'pid'), 'utf8'))])).toEqual([]);
    },
  );

  it.each([
    ['that ends at once', 'exit 3', /ended at once/],
    ['that is not there', null, /ENOENT/],
  ])('one %s is told', async (_, script, words) => {
    const path = script === null ? join(folder, 'nothing') : await browser(script);
    await expect(open(path)).rejects.toThrow(words);
  });

  it('the app runs on: the terminal says why, and prints the address to open', async () => {
    const path = await browser('exit 3');
    const shell = join(import.meta.dirname, '../../src/browser/index.ts');
    const args = [shell, `--data-dir=${join(folder, 'data')}`, `--chromium=${path}`];
    const app: ChildProcess = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    const said: string[] = [];
    for (const stream of [app.stdout, app.stderr])
      if (stream) createInterface({ input: stream }).on('line', (line) => said.push(line));
    try {
      await eventually(() =>
        expect(said.join('\n')).toMatch(/Open Spotter at {2}http:\/\/127\.0\.0\.1/),
      );
      expect(said.join('\n')).toMatch(/Spotter runs, but could not open its window\. .*at once/);
      expect(app.exitCode).toBeNull();
    } finally {
      const ended = once(app, 'exit');
      app.kill('SIGTERM');
      await ended;
    }
  });
});
