/** A demo service as a process of its own that a test stops, kills and starts again on the same address and data. */
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

/** @param argv more options of the service, such as `--plain`. The demo's near misses have no photos unless `furnished`. */
export const startServer = async (
  argv: readonly string[] = [],
  furnished = false,
): Promise<Server> => {
  const folder = tempDir('server');
  const run = (port: string): Promise<ServiceProcess> =>
    spawnService([
      ...['--demo', '--rate-limit=0', `--port=${port}`, `--data-dir=${folder.path}`],
      ...(furnished ? [] : ['--demo-bare']),
      ...argv,
    ]);
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
