/**
 * Two service processes on one PostgreSQL behind a TLS proxy, as resources/server describes them. The proxy listens on a Unix
 * socket, so that no port is taken, and clients reach it by the service's public name.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, fetch as send } from 'undici';
import { expect } from 'vitest';
import { makeCertificate } from './certificate.ts';
import { eventually } from './eventually.ts';
import { databaseUrl, startPostgres } from './postgres-server.ts';
import { bareDemo, spawnService, tempDir, type ServiceProcess } from './service.ts';

export const NAME = 'spotter.example.com';

const read = (name: string): string =>
  readFileSync(new URL(`../../resources/server/${name}`, import.meta.url), 'utf8');

/** Replaces each text, which must occur in the example. */
const replaced = (text: string, pairs: readonly (readonly [from: string, to: string])[]): string =>
  pairs.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`the example has no ${from}`);
    return result.replaceAll(from, to);
  }, text);

interface Place {
  readonly program: string;
  readonly folder: string;
  readonly socket: string;
  readonly cert: string;
  readonly key: string;
  /** Ports of the services. */
  readonly ports: readonly [string, string];
}

type StartProxy = (place: Place) => ChildProcess;

/** Caddy with resources/server/Caddyfile as it is; only the environment differs. */
export const caddy: StartProxy = ({ program, folder, socket, cert, key, ports }) => {
  writeFileSync(join(folder, 'Caddyfile'), read('Caddyfile'));
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    SPOTTER_NAME: NAME,
    SPOTTER_UPSTREAMS: ports.map((port) => `127.0.0.1:${port}`).join(' '),
    SPOTTER_TLS: `tls ${cert} ${key}\nbind unix/${socket}`,
    SPOTTER_CADDY_OPTIONS: 'admin off\nauto_https disable_redirects',
  };
  const args = ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
  return spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
};

/** nginx with resources/server/nginx.conf, after the changes that its first line asks for. */
export const nginx: StartProxy = ({ program, folder, socket, cert, key, ports }) => {
  const site = replaced(read('nginx.conf'), [
    ['listen 80;', `listen unix:${socket}.plain;`],
    ['listen 443 ssl http2;', `listen unix:${socket} ssl http2;`],
    ['/etc/ssl/spotter/cert.pem', cert],
    ['/etc/ssl/spotter/key.pem', key],
    ['127.0.0.1:3210', `127.0.0.1:${ports[0]}`],
    ['127.0.0.1:3211', `127.0.0.1:${ports[1]}`],
  ]);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const config = `daemon off; ${user} pid ${join(folder, 'nginx.pid')}; error_log stderr;
    events {} http { access_log off; ${temporary.join(' ')} ${site} }`;
  writeFileSync(join(folder, 'nginx.conf'), config);
  return spawn(program, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
};

export interface Proxied {
  readonly services: readonly [ServiceProcess, ServiceProcess];
  /** The folder of both services, and the folder of the proxy. */
  readonly data: string;
  readonly folder: string;
  readonly socket: string;
  readonly cert: string;
  /** `fetch` through the proxy. */
  readonly send: (url: string, init?: Parameters<typeof send>[1]) => ReturnType<typeof send>;
  /** curl's options for the way through the proxy. */
  readonly curl: string;
  stop(): Promise<void>;
}

const startServices = async (data: string, url: string) => {
  mkdirSync(data);
  const argv = [...bareDemo(data), '--stop-delay=5s', `--database-url=${url}`, '--database-pool=4'];
  const start = () => spawnService([...argv, `--public-url=https://${NAME}`]);
  // One after the other: a database without tables is migrated by the first.
  return [await start(), await start()] as const;
};

export const startProxied = async (startProxy: StartProxy, program: string): Promise<Proxied> => {
  const dir = tempDir('proxied');
  const folder = join(dir.path, 'proxy');
  mkdirSync(folder);
  const [cert, key, socket] = [
    join(folder, 'cert.pem'),
    join(folder, 'key.pem'),
    join(folder, 's'),
  ];
  const made = makeCertificate(NAME);
  writeFileSync(cert, made.cert);
  writeFileSync(key, made.key, { mode: 0o600 });
  const postgres = await startPostgres();
  const data = join(dir.path, 'data');
  const services = await startServices(data, databaseUrl(postgres.socket, 'postgres'));
  const ports = services.map(({ first }) => new URL(first.url).port) as [string, string];
  const proxy = startProxy({ program, folder, socket, cert, key, ports });
  const ended = once(proxy, 'close');
  let said = '';
  proxy.stderr?.on('data', (part) => (said += String(part)));
  const dispatcher = new Agent({ connect: { ca: made.cert, socketPath: socket } });
  const ask: Proxied['send'] = (url, init) => send(url, { ...init, dispatcher });
  const stop = async (): Promise<void> => {
    await dispatcher.destroy();
    if (proxy.exitCode === null) proxy.kill('SIGTERM');
    await ended;
    await Promise.all(services.map((one) => one.end()));
    await postgres.stop();
    dir.remove();
  };
  try {
    const answers = eventually(async () => {
      // An endpoint's 401 shows that the proxy reached a service.
      const { status } = await ask(`https://${NAME}/rest/v1.0/me`);
      expect(status).toBe(401);
    });
    answers.catch(() => undefined);
    await Promise.race([answers, ended.then(() => Promise.reject(new Error('the proxy ended')))]);
  } catch (error) {
    await stop();
    throw new Error(`the proxy does not answer: ${said}`, { cause: error });
  }
  const curl = `--unix-socket '${socket}' --cacert '${cert}'`;
  return { services, data, folder, socket, cert, send: ask, curl, stop };
};
