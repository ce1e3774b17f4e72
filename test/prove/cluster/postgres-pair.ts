/**
 * Two of Debian's PostgreSQL, a primary and a synchronous streaming standby, and PgBouncer in transaction mode in front of the
 * current primary. All on Unix sockets in one folder, as a non-root user.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { databaseUrl } from '../../support/postgres-server.ts';

const NOBODY = 65_534;
const runner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
const PACKAGES = '/usr/lib/postgresql';
const BOUNCER = '/usr/sbin/pgbouncer';
/** The port is part of a Unix socket's name. */
const PORT = 5432;

const binFolder = (): string | null => {
  const [newest] = existsSync(PACKAGES) ? readdirSync(PACKAGES).sort().reverse() : [];
  const bin = newest === undefined ? null : join(PACKAGES, newest, 'bin');
  return bin !== null && existsSync(join(bin, 'pg_basebackup')) ? bin : null;
};

/** Names what this machine lacks for the proof; null if nothing. */
export const clusterMissing = (): string | null => {
  const missing = [
    ...(binFolder() === null ? ['postgresql'] : []),
    ...(existsSync(BOUNCER) ? [] : ['pgbouncer']),
  ];
  return missing.length === 0
    ? null
    : `needs Debian's packages: apt-get install ${missing.join(' ')}`;
};

export interface PostgresPair {
  /** The current primary, through the pooler. */
  readonly url: string;
  /** Runs a query directly on the primary. */
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  /** SIGKILLs the primary with its processes, promotes the standby, and repoints the pooler. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

interface Daemon {
  readonly child: ChildProcess;
  said(): string;
}

export const startPair = async (): Promise<PostgresPair> => {
  const bin = binFolder();
  if (bin === null) throw new Error(String(clusterMissing()));
  const home = mkdtempSync(join(tmpdir(), 'spotter-pair-'));
  chmodSync(home, 0o755);
  const folder = (name: string): string => {
    const path = join(home, name);
    mkdirSync(path, { mode: 0o700 });
    if (runner.uid !== undefined) chownSync(path, runner.uid, runner.gid);
    return path;
  };
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' };
  const tool = (name: string, ...argv: readonly string[]): void => {
    const done = spawnSync(join(bin, name), argv, { ...runner, env, cwd: home, encoding: 'utf8' });
    if (done.status !== 0) throw new Error(`${name} ended with ${done.status}: ${done.stderr}`);
  };
  const run = (program: string, ...argv: readonly string[]): Daemon => {
    const child = spawn(program, argv, {
      ...runner,
      env,
      cwd: home,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream
        .setEncoding('utf8')
        .on('data', (more: string) => (text = (text + more).slice(-20_000)));
    return { child, said: () => text };
  };
  const ask = async (socket: string, text: string, port = PORT) => {
    const url = databaseUrl(socket, 'postgres').replace('localhost', `localhost:${port}`);
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(text)).rows as Record<string, unknown>[];
    } finally {
      await client.end();
    }
  };
  const until = async (
    what: string,
    check: () => Promise<boolean>,
    daemon: Daemon,
  ): Promise<void> => {
    for (const end = Date.now() + 60_000; !(await check().catch(() => false)); await pause(50))
      if (Date.now() > end || daemon.child.exitCode !== null)
        throw new Error(`${what} did not happen: ${daemon.said().slice(-2000)}`);
  };
  const server = async (
    data: string,
    socket: string,
    ...settings: readonly string[]
  ): Promise<Daemon> => {
    const all = ['listen_addresses=', 'max_connections=100', ...settings];
    const daemon = run(
      join(bin, 'postgres'),
      '-D',
      data,
      '-k',
      socket,
      ...all.flatMap((one) => ['-c', one]),
    );
    await until(
      'a server answers',
      async () => (await ask(socket, 'select 1 as one')).length === 1,
      daemon,
    );
    return daemon;
  };

  const [first, second] = [folder('first'), folder('second')];
  const [primary_data, standby_data] = [folder('primary'), folder('standby')];
  tool('initdb', '-D', primary_data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C');
  // Given as a start option, so that the standby, a copy, waits for no standby once it is the primary.
  const primary = await server(
    primary_data,
    first,
    'wal_level=replica',
    'synchronous_standby_names=*',
  );
  tool('pg_basebackup', '-h', first, '-U', 'postgres', '-D', standby_data, '-R', '-X', 'stream');
  const standby = await server(standby_data, second, 'hot_standby=on');
  const inStep = async () =>
    (await ask(first, "select sync_state from pg_stat_replication where sync_state = 'sync'"))
      .length === 1;
  await until('the standby is in step', inStep, standby);

  const pooled = folder('pooler');
  const ini = join(pooled, 'pgbouncer.ini');
  const leadTo = (socket: string): void =>
    writeFileSync(
      ini,
      `[databases]
postgres = host=${socket} port=${PORT} user=postgres
[pgbouncer]
unix_socket_dir = ${pooled}
listen_port = ${PORT}
auth_type = any
pool_mode = transaction
default_pool_size = 20
max_client_conn = 300
server_login_retry = 1
admin_users = postgres
`,
    );
  leadTo(first);
  const bouncer = run(BOUNCER, ini);
  await until(
    'the pooler answers',
    async () => (await ask(pooled, 'select 1 as one')).length === 1,
    bouncer,
  );

  let lead = first;
  const end = async ({ child }: Daemon, signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const over = once(child, 'exit');
    child.kill(signal);
    await over;
  };
  return {
    url: databaseUrl(pooled, 'postgres'),
    query: (text) => ask(lead, text),
    failOver: async () => {
      await end(primary, 'SIGKILL');
      tool('pg_ctl', 'promote', '-D', standby_data, '-w');
      lead = second;
      leadTo(second);
      bouncer.child.kill('SIGHUP');
    },
    stop: async () => {
      await end(bouncer, 'SIGTERM');
      await end(standby, 'SIGQUIT');
      await end(primary, 'SIGQUIT');
      rmSync(home, { recursive: true, force: true });
    },
  };
};
