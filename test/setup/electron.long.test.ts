/**
 * A laptop's first start, with fake programs in Electron's place (working; killed by the sandbox; lacking a library; silent;
 * exiting at once) and loopback servers in place of its download (slow, cut, refusing, silent). Each time one sentence gives
 * the reason, and Chromium opens instead.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BlobReader, BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from 'vitest';
import { lackOf, runElectron, UP } from '../../src/setup/electron/electron-start.ts';
import { bringElectron, NOTE, PID } from '../../src/setup/electron/electron.ts';
import { bringShell } from '../../src/setup/shell.ts';
import { PATIENCE_MS } from '../support/patience.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spotter-electron-'));
  await chmod(folder, 0o777);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A JavaScript program, run by this Node, under the given name. */
const program = async (name: string, code: string): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, `#!${process.execPath}\n${code}\n`);
  await chmod(path, 0o755);
  return path;
};

const programs = {
  answers: `console.log('${UP}'); console.log('Service on this laptop: made up');`,
  sandbox: `console.error('FATAL:setuid_sandbox_host.cc(158)] The SUID sandbox helper binary was found, but is not configured correctly.'); process.kill(process.pid, 'SIGTRAP'); setTimeout(() => {}, 60_000);`,
  library: `console.error('electron: error while loading shared libraries: libnss3.so: cannot open shared object file'); process.exitCode = 127;`,
  silent: `setTimeout(() => {}, 600_000);`,
  'ends at once': `console.error('Gtk: cannot open display: :77'); process.exitCode = 1;`,
} as const;

describe.skipIf(process.platform === 'win32')('a program in the place of Electron', () => {
  it.each([
    [
      'sandbox',
      60_000,
      /^Electron could not start: this system lets no program make its own sandbox/,
    ],
    ['library', 60_000, /^Electron could not start: this system lacks libnss3\.so \(Debian/],
    ['silent', 400, /^Electron could not start: its window was not up within \d+ seconds/],
    [
      'ends at once',
      60_000,
      /before its window was up \(status 1: Gtk: cannot open display: :77\)/,
    ],
  ] as const)('%s: one sentence says why', async (kind, up_ms, sentence) => {
    const ended = await runElectron(await program('electron', programs[kind]), [], up_ms);
    expect(ended).toMatchObject({ kind: 'failed', sentence: expect.stringMatching(sentence) });
    expect((ended as { sentence: string }).sentence).toMatch(
      /Spotter opens in Chromium instead\.$/,
    );
  });

  it('answers: it ran, and its status is the status', async () => {
    const answers = await program('electron', `${programs.answers} process.exitCode = 3;`);
    expect(await runElectron(answers, [])).toEqual({ kind: 'ran', status: 3 });
  });

  it('a second start, which ends well without a window, is no failure', async () => {
    expect(await runElectron(await program('electron', ''), [])).toEqual({
      kind: 'ran',
      status: 0,
    });
  });

  it.runIf(process.platform === 'linux')(
    'the sandbox is looked at first: closed namespaces and a helper without its bit',
    async () => {
      const binary = await program('electron', programs.answers);
      const proc = join(folder, 'proc');
      await mkdir(join(proc, 'sys/kernel'), { recursive: true });
      expect(await lackOf(binary, proc)).toBeUndefined();
      await writeFile(join(proc, 'sys/kernel/apparmor_restrict_unprivileged_userns'), '1\n');
      expect(await lackOf(binary, proc)).toMatch(/no program make its own sandbox/);
      if (process.getuid?.() !== 0) return;
      await writeFile(join(folder, 'chrome-sandbox'), '');
      await chmod(join(folder, 'chrome-sandbox'), 0o4755);
      expect(await lackOf(binary, proc)).toBeUndefined();
    },
  );

  it('the words are those that the main process says', () => {
    expect(readFileSync(join(root, 'src/main/up.ts'), 'utf8')).toContain(`'${UP}'`);
  });
});

/** `npm start` as a non-root user of this machine; Chromium is a program that answers on its pipe and exits. */
describe.runIf(process.platform === 'linux')('npm start', () => {
  /** Starts share a compile cache in a world-writable folder, because they do not run as root. */
  let compiled: string;
  beforeAll(async () => {
    expect(await bringShell(root, () => undefined)).toBe(true);
    compiled = await mkdtemp(join(tmpdir(), 'spotter-compiled-'));
    await chmod(compiled, 0o777);
  }, 300_000);
  afterAll(() => rm(compiled, { recursive: true, force: true }));

  const chromium = `
    const { Socket } = require('node:net');
    const { writeFileSync } = require('node:fs');
    writeFileSync(process.env.SPOTTER_TEST_OPENED, process.argv.at(-1));
    const out = new Socket({ fd: 4 });
    let rest = '';
    new Socket({ fd: 3 }).on('data', (part) => {
      rest += part;
      const messages = rest.split('\\0');
      rest = messages.pop();
      for (const text of messages) out.write(JSON.stringify({ id: JSON.parse(text).id, result: {} }) + '\\0');
      if (messages.some((text) => text.includes('setDiscoverTargets'))) setTimeout(() => process.exit(0), 50);
    });`;

  const start = async (electron: string) => {
    await program('electron', electron);
    const opened = join(folder, 'opened');
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const child = spawn(
      process.execPath,
      ['src/setup/run.js', 'start', `--data-dir=${join(folder, 'data')}`],
      {
        cwd: root,
        ...user,
        env: {
          PATH: process.env['PATH'],
          HOME: folder,
          NODE_COMPILE_CACHE: compiled,
          DISPLAY: ':77',
          ELECTRON_OVERRIDE_DIST_PATH: folder,
          SPOTTER_CHROMIUM: await program('chromium', chromium),
          SPOTTER_TEST_OPENED: opened,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      },
    );
    onTestFinished(() => {
      // Kills the whole process group: the shell and Chromium.
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part));
    const [status] = (await once(child, 'close')) as [number | null];
    return { status, said, chromium: existsSync(opened) };
  };

  it.each(['sandbox', 'library', 'ends at once'] as const)(
    '%s: Chromium opens in the same start, after one sentence',
    async (kind) => {
      const { status, said, chromium } = await start(programs[kind]);
      expect({ status, chromium }, said).toEqual({ status: 0, chromium: true });
      expect(said.match(/Electron could not start: /g)).toHaveLength(1);
      expect(said).toContain('Spotter answers at ');
    },
  );

  it('answers: Chromium is left alone', async () => {
    const { status, said, chromium } = await start(programs.answers);
    expect({ status, chromium }, said).toEqual({ status: 0, chromium: false });
    expect(said).toContain('Service on this laptop: made up');
    expect(said).not.toContain(UP);
  });
});

describe.skipIf(process.platform === 'win32')("Electron's download", () => {
  const { version } = JSON.parse(
    readFileSync(join(root, 'node_modules/electron/package.json'), 'utf8'),
  ) as { version: string };
  const zipName = `electron-v${version}-${process.platform}-${process.arch}.zip`;
  const name = process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron';
  const said: string[] = [];
  const say = (text: string) => void said.push(text);
  const sentences = () => said.filter((text) => !text.startsWith('Fetching Electron'));
  let zip: Buffer;

  beforeAll(async () => {
    const writer = new ZipWriter(new BlobWriter());
    await writer.add('version', new TextReader(version));
    await writer.add(name, new TextReader('#!/bin/sh\n'));
    const padding = new Blob([Buffer.alloc(400_000, 7)]);
    await writer.add('resources/padding', new BlobReader(padding), { level: 0 });
    zip = Buffer.from(await (await writer.close()).arrayBuffer());
  });

  /** A folder with electron's own install script, and a server in place of its mirror. */
  const laptop = async (give: (answer: ServerResponse) => void) => {
    const electron = join(folder, 'node_modules/electron');
    await mkdir(electron, { recursive: true });
    for (const file of ['package.json', 'install.js', 'checksums.json'])
      await cp(join(root, 'node_modules/electron', file), join(electron, file));
    for (const scope of ['@electron', '@electron-internal'])
      await symlink(join(root, 'node_modules', scope), join(folder, 'node_modules', scope));
    const asked: string[] = [];
    const server = createServer((request, answer) => {
      asked.push(request.url ?? '');
      if (request.url?.endsWith('SHASUMS256.txt')) {
        const sum = createHash('sha256').update(zip).digest('hex');
        answer.end(`${sum} *${zipName}\n`);
      } else give(answer);
    });
    // Answers a CONNECT like a proxy without a route.
    server.on('connect', (request, socket) => {
      asked.push(request.url ?? '');
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    said.length = 0;
    const before = { ...process.env };
    Object.assign(process.env, {
      ELECTRON_MIRROR: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      electron_use_remote_checksums: '1',
      electron_config_cache: join(folder, 'cache'),
    });
    onTestFinished(async () => {
      for (const key of Object.keys(process.env)) if (!(key in before)) delete process.env[key];
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return { electron, asked };
  };

  const whole = (answer: ServerResponse) => {
    answer.setHeader('content-length', zip.length);
    answer.end(zip);
  };
  /** Sends a tenth at once, and the rest when the test says so. */
  const inTwo = (answer: ServerResponse, rest: Promise<unknown>) => {
    answer.setHeader('content-length', zip.length);
    const tenth = Math.ceil(zip.length / 10);
    answer.write(zip.subarray(0, tenth));
    void rest.then(() => answer.end(zip.subarray(tenth)));
  };

  it('comes with progress, from the mirror, checked and unpacked', async () => {
    const told = () => expect.poll(() => said.join('\n')).toMatch(/Electron: \d\d % of 0 MB/);
    const { electron, asked } = await laptop((answer) => inTwo(answer, told()));
    const path = await bringElectron(folder, say, { asked: false, patience_ms: PATIENCE_MS });
    expect(path).toBe(join(electron, 'dist', name));
    expect(asked).toContain(`/v${version}/${zipName}`);
    expect(existsSync(join(electron, NOTE))).toBe(false);
    expect(existsSync(join(electron, PID))).toBe(false);
  });

  it.each([
    ['refused', (answer: ServerResponse) => answer.writeHead(403).end(), /its server answered 403/],
    [
      'cut',
      (answer: ServerResponse) => {
        answer.setHeader('content-length', zip.length);
        answer.write(zip.subarray(0, 100_000), () => answer.socket?.resetAndDestroy());
      },
      /the connection was cut/,
    ],
    [
      'silent',
      (answer: ServerResponse) => {
        answer.setHeader('content-length', zip.length);
        answer.write(zip.subarray(0, 100_000));
      },
      /nothing came for 1 seconds/,
    ],
    [
      'of other bytes',
      (answer: ServerResponse) => {
        answer.setHeader('content-length', zip.length);
        answer.end(Buffer.alloc(zip.length, 1));
      },
      /is not what Electron published/,
    ],
  ] as const)('%s: one sentence says why and how to try again', async (kind, give, why) => {
    const { electron } = await laptop(give);
    const silence_ms = kind === 'silent' ? 1_000 : PATIENCE_MS;
    expect(await bringElectron(folder, say, { asked: true, silence_ms })).toBeUndefined();
    expect(sentences()).toEqual([expect.stringMatching(why)]);
    expect(sentences()[0]).toMatch(/Spotter runs in Chromium instead.*npm start -- --electron$/);
    // The next start does not retry by default; with --electron it does.
    said.length = 0;
    expect(await bringElectron(folder, say, { asked: false })).toBeUndefined();
    expect(said).toEqual([]);
    expect(JSON.parse(await readFile(join(electron, NOTE), 'utf8'))).toMatchObject({
      reason: expect.stringMatching(why),
    });
  });

  it('on a slow link it goes on in the background, and the next start has it', async () => {
    const rest = Promise.withResolvers<void>();
    const { electron } = await laptop((answer) => inTwo(answer, rest.promise));
    expect(await bringElectron(folder, say, { asked: false, patience_ms: 600 })).toBeUndefined();
    expect(said.at(-1)).toMatch(/^Electron comes slowly, and goes on coming/);
    said.length = 0;
    expect(await bringElectron(folder, say, { asked: false })).toBeUndefined();
    expect(said).toEqual([expect.stringMatching(/still being fetched/)]);
    rest.resolve();
    await expect.poll(() => existsSync(join(electron, PID))).toBe(false);
    expect(await bringElectron(folder, say, { asked: false })).toBe(join(electron, 'dist', name));
  });

  it('the proxy of the environment is followed', async () => {
    const { asked } = await laptop(whole);
    const mirror = process.env['ELECTRON_MIRROR'] ?? '';
    process.env['ELECTRON_MIRROR'] = 'http://electron.invalid/';
    process.env['HTTP_PROXY'] = mirror;
    await bringElectron(folder, say, { asked: true });
    expect(asked.join('\n')).toMatch(/electron\.invalid/);
  });

  it('ELECTRON_OVERRIDE_DIST_PATH names another folder; an empty one is told', async () => {
    process.env['ELECTRON_OVERRIDE_DIST_PATH'] = folder;
    onTestFinished(() => void delete process.env['ELECTRON_OVERRIDE_DIST_PATH']);
    said.length = 0;
    expect(await bringElectron(folder, say, { asked: false })).toBeUndefined();
    expect(said).toEqual([expect.stringContaining('ELECTRON_OVERRIDE_DIST_PATH')]);
    if (process.platform === 'darwin') return;
    await program('electron', '');
    expect(await bringElectron(folder, say, { asked: false })).toBe(join(folder, 'electron'));
  });
});

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'npm run verify:electron',
  () => {
    beforeAll(async () => {
      expect(await bringShell(root, () => undefined)).toBe(true);
    }, 300_000);

    const verify = async (electron: string, file: string) => {
      await program('electron', electron);
      const child = spawn(process.execPath, ['src/setup/run.js', 'verify', file], {
        cwd: root,
        uid: 65_534,
        gid: 65_534,
        env: { PATH: process.env['PATH'], HOME: folder, ELECTRON_OVERRIDE_DIST_PATH: folder },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (part) => (said += String(part)));
      const [status] = (await once(child, 'close')) as [number | null];
      return { status, said };
    };
    const writes = (status: number): string =>
      `require('node:fs').writeFileSync(process.argv.at(-1), '{}'); console.log('pass  start'); process.exitCode = ${status};`;

    it('starts the app with --self-test, shows what it shows, says where the file is; its status is the status', async () => {
      const file = join(folder, 'report.json');
      for (const status of [0, 1]) {
        const ran = await verify(writes(status), file);
        expect(ran.status).toBe(status);
        expect(ran.said).toMatch(/^pass {2}start$/m);
        expect(ran.said).toContain(`The report is ${file}`);
      }
    });

    it('a program that wrote nothing is told, even where an older report is there', async () => {
      const file = join(folder, 'report.json');
      await writeFile(file, '{}');
      const { status, said } = await verify(programs['ends at once'], file);
      expect(status).toBe(1);
      expect(said).toContain('ended with status 1 and wrote no report');
    });

    it('as root it says that Electron keeps no sandbox', async () => {
      const child = spawn(process.execPath, ['src/setup/run.js', 'verify'], { cwd: root });
      let said = '';
      child.stderr.on('data', (part) => (said += String(part)));
      expect(await once(child, 'close')).toEqual([1, null]);
      expect(said.trim()).toMatch(/^Electron keeps no sandbox as root/);
    });
  },
);
