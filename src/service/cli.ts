/**
 * `npm run -s service -- …`: reads options, starts the service and prints one JSON line. It stops in order on SIGTERM
 * or SIGINT, when stdin ends (embedded), or when the Electron app that started it sends `stop`, because a signal on
 * Windows is a kill. Nothing else goes to stdout; logs go to stderr (decisions §10).
 */
import { writeSync } from 'node:fs';
import { pino, type DestinationStream } from 'pino';
import type { App } from './app.ts';
import { endDemo, NoDemo, openDemo, openLocal } from './demo/seats.ts';
import type { Service } from './index.ts';
import { outageLog } from './outage-log.ts';
import { commandHelpText, helpText } from './help.ts';
import { OptionError, parseOptions, type Options } from './options.ts';
import { giveBackStart } from '../disk/after-start.ts';
import { UnusableFolder } from '../disk/private-folder.ts';
import { describeStart } from './start-line.ts';
import { DataDirBusy } from './store/engine/lock.ts';
import { version } from './version.ts';

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

const fail = (sentence: string, code: number): never => {
  process.stderr.write(`${sentence}\n`);
  process.exit(code);
};

const readOptions = (): ReturnType<typeof parseOptions> => {
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

/** Creates the access for the first line, if the options ask for it. @throws {NoDemo} */
const openSeats = async (app: App): Promise<object> => {
  const { options } = app;
  if (options.demo) return openDemo(app.store, app.now(), app.uploads.files, !options['demo-bare']);
  await endDemo(app.store);
  return options.embedded || options.laptop ? openLocal(app.store, app.now()) : {};
};

/** Drops a log line that cannot be written (full disk, closed pipe) instead of failing. */
const logTo = (fd: number): DestinationStream => ({
  write: (line) => {
    try {
      writeSync(fd, line);
    } catch {
      // No other place to report it.
    }
  },
});

const start = async (
  options: Options,
): Promise<{ readonly service: Service; readonly seats: object }> => {
  // Imported late, so that `--help` and a mistyped flag do not load the whole service.
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
    // An error of the operating system: its text is enough, and a stack would hide it.
    if (code !== undefined)
      return fail(`The service could not start: ${(error as Error).message}.`, 1);
    throw error;
  }
};

/** The Electron API of a utility process. */
interface ParentPort {
  postMessage(message: unknown): void;
  on(name: 'message', hear: (message: { readonly data: unknown }) => void): void;
}

const { parentPort } = process as { readonly parentPort?: ParentPort };

const hearParent = (stop: () => void): void =>
  parentPort?.on('message', ({ data }) => {
    if (data === 'stop') stop();
  });

/** Sends one line to the process that started this one: the service's URL and access, or a command's result. */
const sayToStarter = (line: unknown): void => {
  if (parentPort === undefined) process.stdout.write(`${JSON.stringify(line)}\n`);
  else parentPort.postMessage(line);
};

/** Loads each command only when it is requested. */
const runCommand = async (name: string, argv: readonly string[]): Promise<unknown> => {
  if (name === 'token') return (await import('./commands/token.ts')).runToken(argv, process.env);
  if (name === 'user') return (await import('./commands/user.ts')).runUser(argv, process.env);
  if (name === 'account')
    return (await import('./commands/account.ts')).runAccount(argv, process.env);
  if (name === 'backup') return (await import('./commands/backup.ts')).runBackup(argv, process.env);
  if (name === 'restore')
    return (await import('./commands/restore.ts')).runRestore(argv, process.env);
  if (name === 'copies') return (await import('./commands/copies.ts')).runCopies(argv, process.env);
  if (name === 'import') return (await import('./commands/import.ts')).runImport(argv, process.env);
  if (name === 'mail') return (await import('./commands/mail.ts')).runMail(argv, process.env);
  if (name === 'signing-key')
    return (await import('./commands/signing-key.ts')).runSigningKey(argv, process.env);
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
  const isCommand = first !== undefined && !first.startsWith('-');
  if (isCommand && !rest.includes('--help')) return command(first, rest);
  if (isCommand) return void process.stdout.write(commandHelpText(first));
  const options = readOptions();
  if (options.help) return void process.stdout.write(helpText());
  if (options.version)
    return void process.stdout.write(`spotter ${version} (Node ${process.versions.node})\n`);
  const { service, seats } = await start(options);
  // Not under Electron, where it is untested whether the engine allows this while running.
  if (parentPort === undefined) giveBackStart();
  const { log } = service.app;
  log.info({ ...describeStart(service.app), url: service.url }, 'started');
  const stop = (): void => {
    log.info({ version }, 'stopping: what is running is finished first');
    service.stop().then(
      () => {
        log.info({ version, seconds: Math.round(process.uptime()) }, 'stopped');
        process.exit(0);
      },
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
