/**
 * `npm run -s service -- …`: reads options, starts the service, prints one JSON line, and stops in order on SIGTERM, SIGINT,
 * (embedded) when stdin ends, or when the Electron app that started it sends `stop`: on Windows a signal is a kill. Nothing
 * else ever goes to stdout; logs go to stderr (decisions §10).
 */
import { writeSync } from 'node:fs';
import { pino, type DestinationStream } from 'pino';
import type { App } from './app.ts';
import { endDemo, NoDemo, openDemo, openLocal } from './demo/seats.ts';
import type { Service } from './index.ts';
import { outageLog } from './outage-log.ts';
import { helpText, OptionError, parseOptions, type Options } from './options.ts';
import { giveBackStart } from '../disk/after-start.ts';
import { UnusableFolder } from '../disk/private-folder.ts';
import { DataDirBusy } from './store/lock.ts';

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

const fail = (sentence: string, code: number): never => {
  process.stderr.write(`${sentence}\n`);
  process.exit(code);
};

const readOptions = (): Options & { readonly help: boolean } => {
  try {
    const options = parseOptions(process.argv.slice(2), process.env);
    if (!LEVELS.includes(options['log-level']))
      throw new OptionError(`--log-level must be one of ${LEVELS.join(', ')}.`);
    if (!['off', 'loopback', 'all'].includes(options.metrics))
      throw new OptionError('--metrics must be off, loopback or all.');
    return options;
  } catch (error) {
    if (error instanceof OptionError) return fail(error.message, 2);
    throw error;
  }
};

/** What signs in to this service, when it is asked to say so. @throws {NoDemo} */
const openSeats = async (app: App): Promise<object> => {
  const { options } = app;
  if (options.demo) return openDemo(app.store, app.now(), app.uploads.files, !options['demo-bare']);
  await endDemo(app.store);
  return options.embedded || options.laptop ? openLocal(app.store, app.now()) : {};
};

/** A line of the log that cannot be written (its disk is full, nobody reads it) is lost, and stops nobody. */
const logTo = (fd: number): DestinationStream => ({
  write: (line) => {
    try {
      writeSync(fd, line);
    } catch {
      // There is nowhere left to say it.
    }
  },
});

const start = async (
  options: Options,
): Promise<{ readonly service: Service; readonly seats: object }> => {
  // Only now: `--help` and a mistyped flag need not wait for the whole service to load.
  const { startService } = await import('./index.ts');
  const outage = outageLog();
  const log = pino({ level: options['log-level'], hooks: outage }, logTo(2));
  try {
    let seats = {};
    const prepare = async (app: App): Promise<void> => {
      seats = await openSeats(app);
    };
    const service = await startService({ options, log, prepare });
    outage.watch(() => service.app.store.ping());
    return { service, seats };
  } catch (error) {
    const { code } = error as { code?: string };
    if (error instanceof OptionError) return fail(error.message, 2);
    if (error instanceof DataDirBusy || error instanceof NoDemo || error instanceof UnusableFolder)
      return fail(error.message, 1);
    if (code === 'EADDRINUSE')
      return fail(
        `Port ${options.port} on ${options.host} is taken. Choose another with --port, or 0 for a free one.`,
        1,
      );
    // From the operating system: the text says what and where, the stack would only hide it.
    if (code !== undefined)
      return fail(`The service could not start: ${(error as Error).message}.`, 1);
    throw error;
  }
};

/** Of Electron, where this file runs as one of its utility processes. */
interface ParentPort {
  postMessage(message: unknown): void;
  on(name: 'message', hear: (message: { readonly data: unknown }) => void): void;
}

const { parentPort } = process as { readonly parentPort?: ParentPort };

const hearParent = (stop: () => void): void =>
  parentPort?.on('message', ({ data }) => {
    if (data === 'stop') stop();
  });

/** One line to whoever started this process, and to nobody else: where the service is and who may sign in, a command's answer. */
const sayToStarter = (line: unknown): void => {
  if (parentPort === undefined) process.stdout.write(`${JSON.stringify(line)}\n`);
  else parentPort.postMessage(line);
};

/** Commands: each in a file of its own, loaded when asked for. */
const runCommand = async (name: string, argv: readonly string[]): Promise<unknown> => {
  if (name === 'token') return (await import('./commands/token.ts')).runToken(argv, process.env);
  if (name === 'backup') return (await import('./commands/backup.ts')).runBackup(argv, process.env);
  if (name === 'restore')
    return (await import('./commands/restore.ts')).runRestore(argv, process.env);
  if (name === 'copies') return (await import('./commands/copies.ts')).runCopies(argv, process.env);
  if (name === 'import') return (await import('./commands/import.ts')).runImport(argv, process.env);
  throw new OptionError(`There is no command "${name}". See --help.`);
};

const command = async (name: string, argv: readonly string[]): Promise<void> => {
  try {
    sayToStarter(await runCommand(name, argv));
  } catch (error) {
    if (error instanceof OptionError) return fail(error.message, 2);
    if (error instanceof DataDirBusy || error instanceof UnusableFolder)
      return fail(error.message, 1);
    const { code } = error as { code?: string };
    if (code !== undefined) return fail(`${name} failed: ${(error as Error).message}.`, 1);
    throw error;
  }
};

const main = async (): Promise<void> => {
  const [first, ...rest] = process.argv.slice(2);
  if (first !== undefined && !first.startsWith('-')) return command(first, rest);
  const options = readOptions();
  if (options.help) {
    process.stdout.write(helpText());
    return;
  }
  const { service, seats } = await start(options);
  // Not in Electron, where nobody has seen whether its engine allows that while it runs.
  if (parentPort === undefined) giveBackStart();
  const stop = (): void => {
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(`The service did not stop cleanly: ${String(error)}`, 1),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  hearParent(stop);
  const line = { url: service.url, docs: `${service.url}/docs`, ...seats };
  sayToStarter(line);
  if (options.embedded) process.stdin.resume().on('end', stop).on('error', stop).on('close', stop);
};

await main();
