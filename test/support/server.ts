/**
 * A demo service that a test stops and restarts on the same address and data. It runs as a child process, which can also be
 * killed, or in the test's process, which saves a second of CPU per test.
 */
import { openDemo } from '../../src/service/demo/seats.ts';
import { startService, type Service } from '../../src/service/index.ts';
import { parseOptions } from '../../src/service/options.ts';
import { migratedInto } from './database.ts';
import { spawnService, tempDir, type ServiceProcess } from './service.ts';

export interface Server {
  readonly url: string;
  /** The first line of its output: token, company, project. Tokens survive restarts. */
  readonly first: ServiceProcess['first'];
  /** Its data folder, for tests that inspect it directly. */
  readonly data_dir: string;
  /** Sends SIGTERM by default. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
  /** Sends a signal that does not end it, such as SIGSTOP or SIGCONT. No-op if it does not run. */
  signal(signal: NodeJS.Signals): void;
  /** Ends it for good and removes its data. */
  remove(): Promise<void>;
}

const argvOf = (folder: string, port: string, more: readonly string[]): readonly string[] => [
  '--demo',
  '--rate-limit=0',
  `--port=${port}`,
  `--data-dir=${folder}`,
  ...more,
];

/** @param argv further options of the service, such as `--plain` @param furnished gives the demo's near misses photos */
export const startServer = async (
  argv: readonly string[] = [],
  furnished = false,
): Promise<Server> => {
  const folder = tempDir('server');
  const run = (port: string): Promise<ServiceProcess> =>
    spawnService(argvOf(folder.path, port, [...(furnished ? [] : ['--demo-bare']), ...argv]));
  let running = await run('0');
  const { first } = running;
  const { port } = new URL(first.url);
  return {
    url: first.url,
    first,
    data_dir: folder.path,
    stop: async (signal = 'SIGTERM') => void (await running.end(signal)),
    start: async () => {
      running = await run(port);
    },
    signal: (signal) => void running.child.kill(signal),
    remove: async () => {
      await running.end('SIGKILL');
      folder.remove();
    },
  };
};

/** Does what cli.ts does with these flags: the same options, the same demo, fresh tokens at each start. */
const runHere = async (argv: readonly string[]) => {
  const options = parseOptions(argv);
  const seats = Promise.withResolvers<Awaited<ReturnType<typeof openDemo>>>();
  const service = await startService({
    options,
    prepare: async ({ store, now, uploads }) =>
      seats.resolve(await openDemo(store, now(), uploads.files, false)),
  });
  return { service, seats: await seats.promise };
};

/** The same in this process, for tests that neither kill it nor open its database. */
export const startServerHere = async (argv: readonly string[] = []): Promise<Server> => {
  const folder = tempDir('server');
  await migratedInto(folder.path);
  const run = (port: string) => runHere(argvOf(folder.path, port, argv));
  const { service, seats } = await run('0');
  const { url } = service;
  let running: Service = service;
  return {
    url,
    first: { ...seats, url, docs: `${url}/docs` },
    data_dir: folder.path,
    stop: async (signal = 'SIGTERM') => {
      if (signal !== 'SIGTERM') throw new Error(`${signal} needs a process of its own`);
      await running.stop();
    },
    start: async () => {
      running = (await run(new URL(url).port)).service;
    },
    signal: (signal) => {
      throw new Error(`${signal} needs a process of its own`);
    },
    remove: async () => {
      await running.stop();
      folder.remove();
    },
  };
};
