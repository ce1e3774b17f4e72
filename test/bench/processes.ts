/** The processes of a comparison: service, host, peers' server, Chromium with a profile on disk. All end with the run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type BrowserContext, chromium } from 'playwright';
import { build as buildWithVite } from 'vite';
import { chromiumFlags, findChromium } from '../../src/setup/chromium.ts';
import { nodeMemory } from '../../src/setup/node-memory.ts';
import { pinned, results, root } from './machine.ts';

export interface Running<T> {
  readonly child: ChildProcess;
  readonly first: T;
  /** Writes a line to its input, if given, and returns the next line of its output. */
  next(line?: string): Promise<T>;
  end(): Promise<void>;
}

/** @param meant parses a line of output, and ignores lines that are meant for people */
const start = async <T>(
  core: 0 | 1,
  args: readonly string[],
  meant: (line: string) => T | undefined = (line) => JSON.parse(line) as T,
): Promise<Running<T>> => {
  const line = pinned(core, process.execPath, args);
  const child = spawn(line.command, line.args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async (): Promise<T> => {
    for (;;) {
      const said = await lines.next();
      if (said.done === true) throw new Error(`${args[0]} ended before it answered`);
      const value = meant(said.value);
      if (value !== undefined) return value;
    }
  };
  const first = await read();
  return {
    child,
    first,
    next(line = '') {
      child.stdin.write(`${line}\n`);
      return read();
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.stdin.end();
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
};

export interface ServiceLine {
  readonly url: string;
  readonly token: string;
  readonly company_id: number;
  readonly project_id: number;
}

/**
 * `more`: further options, such as `--database-url`. `program`: the shipped program instead of the sources. `BENCH_ROOT`:
 * another checkout of ours, to compare two versions.
 */
export const startService = (
  data_dir: string,
  port = 0,
  more: readonly string[] = [],
  program = 'src/service/cli.ts',
): Promise<Running<ServiceLine>> =>
  start(1, [
    ...nodeMemory,
    resolve(process.env['BENCH_ROOT'] ?? root, program),
    '--demo',
    '--demo-bare',
    '--data-dir',
    data_dir,
    '--port',
    String(port),
    '--log-level',
    'warn',
    '--rate-limit',
    '0',
    ...more,
  ]);

/** A relay to a database's Unix socket with `delay` milliseconds of extra latency. */
export const startDistance = (
  socket: string,
  delay: number,
): Promise<Running<{ readonly port: number }>> =>
  start(0, [join(import.meta.dirname, 'distance.ts'), socket, String(delay)]);

/**
 * A relay to a port that cuts every connection after `every` milliseconds and carries `rate` bytes a second each way (0:
 * unlimited).
 */
export const startCutter = (
  port: number,
  every: number,
  rate = 0,
): Promise<Running<{ readonly port: number; readonly bytes: number; readonly cuts: number }>> =>
  start(0, [join(import.meta.dirname, 'cutter.ts'), String(port), String(every), String(rate)]);

/** A webhook endpoint, on the clients' core. */
export const startEndpoint = (): Promise<
  Running<{ readonly url: string; readonly ms: number; readonly came: number }>
> => start(0, [join(import.meta.dirname, 'endpoint.ts')]);

/** Starts a file of peers/. */
export const startPeer = <T>(
  core: 0 | 1,
  file: string,
  args: readonly string[],
): Promise<Running<T>> => start(core, [join(import.meta.dirname, 'peers', file), ...args]);

/** Fastify in memory, or on the database at `address`. */
export const startRecords = (address?: string): Promise<Running<{ readonly url: string }>> =>
  start(1, [
    join(import.meta.dirname, 'peers/records.js'),
    ...(address === undefined ? [] : [address]),
  ]);

export const startHostProcess = (
  data_dir: string,
  files: string,
  port = 0,
): Promise<Running<{ readonly address: string }>> =>
  start(0, [
    ...nodeMemory,
    join(import.meta.dirname, 'host-process.ts'),
    data_dir,
    files,
    String(port),
  ]);

/** The browser shell as npm packs it, without a window; nothing listens at its server's address. */
export const startShippedHost = (
  shipped: string,
  data_dir: string,
): Promise<Running<{ readonly address: string }>> =>
  start(
    0,
    [
      ...nodeMemory,
      join(shipped, 'browser.js'),
      `--data-dir=${data_dir}`,
      '--server=http://127.0.0.1:9',
    ],
    (line) => {
      const address = /http:\S+\/enter#\S+/u.exec(line)?.[0];
      return address === undefined ? undefined : { address };
    },
  );

export const startPeers = (
  folder: string,
  files: string,
): Promise<Running<{ readonly url: string }>> =>
  start(1, [join(import.meta.dirname, 'peers/server.js'), folder, files]);

const build = async (name: string): Promise<string> => {
  const outDir = join(results, name);
  await buildWithVite({
    configFile: false,
    root: join(import.meta.dirname, name),
    base: './',
    logLevel: 'warn',
    define: { global: 'globalThis', 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'chrome130',
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 4096,
    },
  });
  return outDir;
};
const built = new Map<string, Promise<string>>();

/** Builds one page of this folder, once for all cases of a run; returns its folder. */
export const buildPage = (name: 'window' | 'peers'): Promise<string> => {
  const page = built.get(name) ?? build(name);
  built.set(name, page);
  return page;
};

/** A profile on disk, because a private window would keep IndexedDB in memory. */
export const openChromium = (profile: string): Promise<BrowserContext> =>
  chromium.launchPersistentContext(profile, {
    executablePath: findChromium() ?? '',
    headless: true,
    viewport: { width: 1280, height: 860 },
    args: [...chromiumFlags(), '--enable-precise-memory-info', '--js-flags=--expose-gc'],
    chromiumSandbox: process.getuid?.() !== 0,
  });
