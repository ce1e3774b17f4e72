/**
 * A demo service that a test stops and starts again on the same address and data: as a process of its own, which can be killed
 * too, or in the process of the test, which spares each test the second of processor time that a process takes to load.
 */
import { openDemo } from '../../src/service/demo/seats.ts';
import { startService, type Service } from '../../src/service/index.ts';
import { parseOptions } from '../../src/service/options.ts';
import { migratedInto } from './database.ts';
import { spawnService, tempDir, type ServiceProcess } from './service.ts';

export interface Server {
  readonly url: string;
  /** The first line it printed: token, company, project. A token stays good over restarts. */
  readonly first: ServiceProcess['first'];
  /** Its data folder, for a test that looks beside it. */
  readonly data_dir: string;
  /** SIGTERM where no signal is given. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
  /** As SIGSTOP and SIGCONT: it lives on. Nothing where it does not run. */
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

/** @param argv more options of the service, such as `--plain`. The demo's near misses have no photos unless `furnished`. */
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

/** As cli.ts does with these flags: the same options, the same demo, fresh tokens at each start. */
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

/** The same in this process, where the test kills nothing and opens no database beside it. */
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
