/**
 * Runs the commands of resources/server/first-hour.md in their order, in a folder that stands in for the machine's root. The
 * service, its commands, PostgreSQL with `pg_dump` and `pg_restore`, and the two scripts are real. Stand-ins: systemd (it starts
 * and restarts processes with the unit's environment), `runuser`, `chown` and `chgrp`. Blocks marked "By hand" are not run; the
 * first test lists them (decisions §10).
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { startPostgres } from '../../support/postgres-server.ts';
import { tempDir } from '../../support/service.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = readFileSync(join(root, 'resources/server/first-hour.md'), 'utf8');

interface Block {
  readonly text: string;
  /** The reason for not running it; null: it is run. */
  readonly by_hand: string | null;
}

const blocks: readonly Block[] = [
  ...page.matchAll(/(?:^_By hand([^\n]*(?:\n[^\n]+)*)_\n\n)?^```(?:sh|bat)\n([\s\S]*?)^```$/gm),
].map(([, reason, text = '']) => ({ text, by_hand: reason === undefined ? null : reason }));

it('decisions §10: the blocks of the page that no test runs are these, each with its reason', () => {
  const by_hand = blocks.flatMap(({ by_hand: reason }) =>
    reason === null ? [] : [reason.replace(/^[,:] */, '').replaceAll('\n', ' ')],
  );
  expect(by_hand).toEqual([
    "packages of Debian, and Node 24 from nodejs.org, because Debian's Node is older.",
    'the service, from the npm package that `npm pack` makes, and its user.',
    'Caddy, which gets a certificate for the public name.',
    'on Windows, as administrator:',
    'on Linux:',
    'the new package.',
    "Prometheus, with five alerts, and Grafana's dashboard (import `monitoring/grafana.json`).",
  ]);
  expect(blocks).toHaveLength(by_hand.length + 10);
});

/** Programs of the newest PostgreSQL that Debian has installed, with its client programs. */
const postgresPrograms = (): string | null => {
  const home = '/usr/lib/postgresql';
  if (!existsSync(home)) return null;
  const folders = readdirSync(home)
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(home, version, 'bin'));
  const all = ['postgres', 'initdb', 'pg_dump', 'pg_restore', 'createdb'];
  return folders.find((bin) => all.every((name) => existsSync(join(bin, name)))) ?? null;
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/** Programs on the PATH of the page's commands, by name. */
const standIns = (machine: string, socket: string): Readonly<Record<string, string>> => ({
  spotter: `shift; exec "${process.execPath}" "${join(root, 'src/service/cli.ts')}" "$@"`,
  node: `exec "${process.execPath}" "$@"`,
  npm: `[ "$*" = "root --global" ] && echo "${machine}/lib"`,
  runuser: `shift 3; PGHOST="${socket}" PGUSER=postgres exec "$@"`,
  setpriv: 'while [ "$1" != "--" ]; do shift; done; shift; exec "$@"',
  chown: 'exit 0',
  chgrp: 'exit 0',
  // What the unit says: its environment, its port, its restart.
  systemctl: `
    case $1 in daemon-reload) exit 0 ;; enable) name=$3 ;; restart) name=$2 ;; *) exit 1 ;; esac
    unit="${machine}/etc/systemd/system/spotter@.service"
    grep -q '^ExecStart=/usr/local/bin/spotter service$' "$unit"
    port=\${name#spotter@}; pid="${machine}/$port.pid"
    if [ -f "$pid" ]; then kill "$(cat "$pid")"; while kill -0 "$(cat "$pid")" 2>/dev/null; do sleep 0.1; done; fi
    set -a; . "${machine}/etc/spotter/spotter.env"; SPOTTER_PORT=$port; set +a
    spotter service >> "${machine}/$port.log" 2>&1 &
    echo $! > "$pid"`,
});

const bin = postgresPrograms();
const runs = bin !== null && spawnSync('curl', ['--version']).status === 0;

it.skipIf(!runs)(
  `decisions §10: an admin's first hour: install, users, backup, restore, upgrade${runs ? '' : ' (needs Debian’s postgresql, and curl)'}`,
  async () => {
    const machine = tempDir('first-hour');
    const postgres = await startPostgres(false, bin);
    const shims = join(machine.path, 'shims');
    mkdirSync(shims);
    mkdirSync(join(machine.path, 'lib/spotter'), { recursive: true });
    mkdirSync(join(machine.path, 'var/lib/spotter'), { recursive: true, mode: 0o700 });
    symlinkSync(join(root, 'resources'), join(machine.path, 'lib/spotter/resources'));
    for (const [name, text] of Object.entries(standIns(machine.path, postgres.socket)))
      writeFileSync(join(shims, name), `#!/bin/sh\nset -eu\n${text}\n`, { mode: 0o755 });
    const pids = () =>
      readdirSync(machine.path)
        .filter((name) => name.endsWith('.pid'))
        .map((name) => Number(readFileSync(join(machine.path, name), 'utf8')));
    const ports = { 3210: await freePort(), 3211: await freePort(), 3219: await freePort() };
    const onMachine = (text: string): string =>
      Object.entries(ports).reduce(
        (result, [printed, port]) => result.replaceAll(printed, String(port)),
        text
          .replaceAll(/(?<=[\s"'#=(]|^)\/(?=(?:etc|var|usr\/local)\/)/gm, `${machine.path}/`)
          // The page's reader stays in the folder of the first `cd`; a test must not write there.
          .replace(
            /^cd .*$/m,
            (line) => `${line} && cp -R . "${machine.path}/work" && cd "${machine.path}/work"`,
          )
          // The example's socket and folder, once it is installed.
          .replace(
            /^chgrp .*$/m,
            `sed -i 's#/var/run/postgresql#${postgres.socket}#; s#=/var/lib/spotter#=${machine.path}/var/lib/spotter#' ${machine.path}/etc/spotter/spotter.env\n$&`,
          ),
      );
    const script = blocks
      .filter(({ by_hand }) => by_hand === null)
      .map(({ text }) => onMachine(text))
      .join('\n');
    const env = {
      PATH: `${shims}:${join(machine.path, 'usr/local/sbin')}:${bin}:${process.env['PATH']}`,
      HOME: machine.path,
      SPOTTER_ENV_FILE: join(machine.path, 'etc/spotter/spotter.env'),
      // Free disk space is this machine's own.
      SPOTTER_FREE_SPACE: '0',
    };
    onTestFinished(async () => {
      for (const pid of pids()) {
        try {
          process.kill(pid);
        } catch {
          // It has ended.
        }
      }
      await postgres.stop();
      machine.remove();
    });
    const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: machine.path,
      env,
      // With a socket as its input, bash would read the start files of a remote shell.
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [shell.stdout, shell.stderr])
      stream.on('data', (part) => (said += String(part)));
    // The services keep the pipes of the shell only for their log files, so its end is the end of its output.
    const [status] = (await once(shell, 'exit')) as [number | null];
    expect([status, said]).toEqual([0, expect.any(String)]);
    expect(said).toContain('"status":"ok"');
    for (const level of ['admin', 'standard', 'reporter', 'read_only'])
      expect(said).toContain(`"level":"${level}"`);
    expect(said).toMatch(/"code":"[A-Z2-9]{5}-[A-Z2-9]{5}"/);
    // The restored copy knew Rita's token and her company.
    expect(said).toContain('Rita and Sons');
    expect(said).toMatch(/spotter_part_healthy\{part="clock"\} 1/);
    expect(said).toMatch(/spotter \d+\.\d+\.\d+ \(Node /);
    const backups = readdirSync(join(machine.path, 'var/backups/spotter'));
    expect(backups).toEqual([expect.stringMatching(/^spotter-\d{8}T\d{6}Z$/)]);
  },
  300_000,
);
