/**
 * Network settings of the system that Node ignores: the company proxy of a PAC script, and the trusted certificate authorities.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ok } from '../../src/contract/problem.ts';
import {
  noProxies,
  waysOfSystem,
  readProxies,
  type SystemProxy,
} from '../../src/host/http/proxy.ts';
import {
  createTransport,
  type Network,
  type Outgoing,
  usualLimits,
} from '../../src/host/http/http-client.ts';
import type { SystemSend } from '../../src/host/http/system-send.ts';
import { canMakeCertificates, makeCertificate } from '../support/certificate.ts';
import { startProxy } from '../support/proxy.ts';
import { temporaryFolder } from './fixtures/folder.ts';
import { SLOW } from '../support/slow.ts';

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return (server.address() as AddressInfo).port;
};
const answering = (_request: unknown, reply: http.ServerResponse): void =>
  void reply.writeHead(200, { connection: 'close' }).end('here');

it.each([
  ['DIRECT', ['']],
  ['', ['']],
  ['PROXY proxy.firm:3128; DIRECT', ['http://proxy.firm:3128/', '']],
  ['HTTPS proxy.firm:443;PROXY other:1', ['https://proxy.firm/', 'http://other:1/']],
  ['SOCKS5 proxy.firm:1080', ['socks5://proxy.firm:1080']],
  // Unusable entries are skipped.
  ['SOCKS4 old.firm:1080; QUIC new:1; PROXY ; PROXY [::1]:8080', ['http://[::1]:8080/']],
])('"%s" of the system are these ways', (said, ways) => {
  expect(waysOfSystem(said)).toEqual(ways);
});

const asker = (system_proxy: SystemProxy, proxies = noProxies) => {
  const transport = createTransport(usualLimits, { proxies, system_proxy });
  onTestFinished(() => transport.stop());
  return (url: string) =>
    transport.exchange({ method: 'GET', url, headers: {} }, async ({ status }) => ok(status));
};

it('failures A24: where the environment names no proxy, the one that the system names for an address is gone through', async () => {
  const port = await listening(http.createServer(answering));
  const proxy = await startProxy({ host: '127.0.0.1', port });
  onTestFinished(() => proxy.close());
  const asked: string[] = [];
  const way = `PROXY ${new URL(proxy.url).host}; DIRECT`;
  const ask = asker(async (address) => {
    asked.push(address);
    return way;
  });
  expect(await ask('http://site.internal:8080/a')).toEqual(ok(200));
  expect(await ask('http://site.internal:8080/b')).toEqual(ok(200));
  const both = ['http://site.internal:8080/a', 'http://site.internal:8080/b'];
  // The system is asked once for several requests to one server within a moment.
  expect(asked).toEqual(both.slice(0, 1));
  expect(proxy.asked).toEqual(both.map((url) => `GET ${url}`));
  // Loopback needs no proxy, and the system is not asked about it.
  expect(await ask(`http://127.0.0.1:${port}/own`)).toEqual(ok(200));
  expect([asked, proxy.asked]).toEqual([both.slice(0, 1), both.map((url) => `GET ${url}`)]);
});

it('failures A24: the system is asked once for many requests at once, and by itself for each server', async () => {
  const port = await listening(http.createServer(answering));
  const proxy = await startProxy({ host: '127.0.0.1', port });
  onTestFinished(() => proxy.close());
  const asked: string[] = [];
  const ask = asker(async (address) => {
    asked.push(new URL(address).host);
    return `PROXY ${new URL(proxy.url).host}`;
  });
  const many = Array.from({ length: 20 }, (_, i) => ask(`http://a.internal/${i}`));
  expect(new Set((await Promise.all(many)).map((one) => one.ok))).toEqual(new Set([true]));
  expect(await ask('http://b.internal/')).toEqual(ok(200));
  expect(asked).toEqual(['a.internal', 'b.internal']);
});

it('failures A24: a proxy of the system that is not there is passed by, where the system names another way', async () => {
  const port = await listening(http.createServer(answering));
  const proxy = await startProxy({ host: '127.0.0.1', port });
  onTestFinished(() => proxy.close());
  const gone = http.createServer();
  const dead = await new Promise<number>((resolve) =>
    gone.listen(0, '127.0.0.1', () => resolve((gone.address() as AddressInfo).port)),
  );
  await new Promise((resolve) => gone.close(resolve));
  const away = `PROXY 127.0.0.1:${dead}`;
  const next = async () => `${away}; PROXY ${new URL(proxy.url).host}`;
  expect(await asker(next)('http://site.internal:8080/a')).toEqual(ok(200));
  expect(await asker(async () => away)('http://site.internal/a')).toMatchObject({
    problem: { kind: 'offline', reason: 'proxy_away' },
  });
  // A proxy that refuses is reachable, so DIRECT is not tried.
  proxy.refuse = { status: 407, body: 'who are you' };
  const both = async () => `PROXY ${new URL(proxy.url).host}; DIRECT`;
  expect(await asker(both)('http://site.internal/a')).toMatchObject({
    problem: { kind: 'offline', reason: 'proxy_sign_in' },
  });
});

describe('the shell’s own network stack', () => {
  /** A stack that signs in at the proxy as the system's user. */
  const signingIn = (proxy: string, signIn: string) => {
    const urls: string[] = [];
    const send: SystemSend = async ({ method, url, headers, body, signal }) => {
      urls.push(url);
      const request = http.request(proxy, {
        method,
        path: url,
        agent: false,
        signal,
        headers: { ...headers, 'proxy-authorization': signIn, host: new URL(url).host },
      });
      const given = body();
      if (typeof given === 'string') request.write(given);
      else if (given !== null) for await (const chunk of given) request.write(chunk);
      request.end();
      const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
      return { statusCode: answer.statusCode ?? 0, headers: answer.headers, body: answer };
    };
    return { urls, send };
  };
  const echo = (request: http.IncomingMessage, reply: http.ServerResponse): void =>
    void request.pipe(reply);
  const behindProxy = async () => {
    const port = await listening(http.createServer(echo));
    const proxy = await startProxy({ host: '127.0.0.1', port });
    onTestFinished(() => proxy.close());
    return proxy;
  };
  const transportWith = (network: Network) => {
    const transport = createTransport(usualLimits, network);
    onTestFinished(() => transport.stop());
    return (url: string, body?: Outgoing['body']) =>
      transport.exchange(
        { method: 'POST', url, headers: {}, ...(body === undefined ? {} : { body }) },
        async ({ status, read }) => {
          const chunks: Uint8Array[] = [];
          const all = await read(1000, (chunk) => chunks.push(chunk));
          return all.ok ? ok([status, Buffer.concat(chunks).toString()] as const) : all;
        },
      );
  };
  const url = 'http://site.internal:8080/a';

  it('failures A24: it is used after a 407 of the system’s proxy, then at once, and gets the body anew', async () => {
    const proxy = await behindProxy();
    proxy.sign_in = 'Negotiate a-ticket';
    const { urls, send } = signingIn(proxy.url, 'Negotiate a-ticket');
    const system_proxy = async () => `PROXY ${new URL(proxy.url).host}`;
    const ask = transportWith({ system_proxy, system_send: send });
    const body = async function* () {
      yield new TextEncoder().encode('sent ');
      yield new TextEncoder().encode('once');
    };
    expect(await ask(url, body)).toEqual(ok([200, 'sent once']));
    expect(proxy.asked).toHaveLength(2);
    expect(await ask(url, 'again')).toEqual(ok([200, 'again']));
    expect(proxy.asked).toHaveLength(3);
    expect(urls).toEqual([url, url]);
  });

  it('failures A24: a user whom the proxy does not take is told so; without such a stack too', async () => {
    const proxy = await behindProxy();
    proxy.sign_in = 'Negotiate a-ticket';
    const system_proxy = async () => `PROXY ${new URL(proxy.url).host}`;
    const { send } = signingIn(proxy.url, 'Negotiate another');
    const refused = { problem: { kind: 'offline', reason: 'proxy_sign_in' } };
    expect(await transportWith({ system_proxy, system_send: send })(url, 'x')).toMatchObject(
      refused,
    );
    expect(await transportWith({ system_proxy })(url, 'x')).toMatchObject(refused);
  });

  it('is not used where the environment names the proxy, nor for anything but such a refusal', async () => {
    const proxy = await behindProxy();
    const { urls, send } = signingIn(proxy.url, 'Negotiate a-ticket');
    const system_proxy = async () => `PROXY ${new URL(proxy.url).host}`;
    proxy.refuse = { status: 403, body: 'no' };
    expect((await transportWith({ system_proxy, system_send: send })(url, 'x')).ok).toBe(true);
    proxy.sign_in = 'Negotiate a-ticket';
    const { proxies } = readProxies({ HTTP_PROXY: proxy.url });
    expect(await transportWith({ proxies, system_send: send })(url, 'x')).toMatchObject({
      ok: false,
    });
    expect(urls).toEqual([]);
  });

  it('the company’s policy sends everything through it that leaves this machine', async () => {
    const proxy = await behindProxy();
    const { urls, send } = signingIn(proxy.url, 'Negotiate a-ticket');
    const ask = transportWith({ system_send: send, always_system: true });
    expect(await ask(url, 'x')).toEqual(ok([200, 'x']));
    const port = await listening(http.createServer(echo));
    expect(await ask(`http://127.0.0.1:${port}/own`, 'own')).toEqual(ok([200, 'own']));
    expect(urls).toEqual([url]);
  });

  it.each([
    ['net::ERR_NAME_NOT_RESOLVED', 'dns'],
    ['net::ERR_CONNECTION_REFUSED', 'refused'],
    ['net::ERR_CONNECTION_RESET', 'reset'],
    ['net::ERR_CERT_AUTHORITY_INVALID', 'tls'],
    ['net::ERR_SSL_PROTOCOL_ERROR', 'tls'],
    ['net::ERR_PROXY_CONNECTION_FAILED', 'proxy_away'],
    ['net::ERR_TUNNEL_CONNECTION_FAILED', 'unreachable'],
    ['net::ERR_INTERNET_DISCONNECTED', 'unreachable'],
  ])('%s is told as %s', async (message, reason) => {
    const system_send: SystemSend = () => Promise.reject(new Error(message));
    const ask = transportWith({ system_send, always_system: true });
    expect(await ask(url)).toMatchObject({ problem: { kind: 'offline', reason } });
  });
});

it('failures A24: a proxy of the environment comes before the system, and a system that does not know is no proxy', async () => {
  const port = await listening(http.createServer(answering));
  const proxy = await startProxy({ host: '127.0.0.1', port });
  onTestFinished(() => proxy.close());
  const { proxies } = readProxies({ HTTP_PROXY: proxy.url });
  const never: SystemProxy = () => Promise.reject(new Error('asked'));
  expect(await asker(never, proxies)('http://site.internal:8080/a')).toEqual(ok(200));
  expect(proxy.asked).toEqual(['GET http://site.internal:8080/a']);
  const lost = await asker(never)('http://site.invalid/a');
  expect(lost).toMatchObject({ problem: { kind: 'offline', reason: 'dns' } });
});

// Only Linux has a system store that a variable can name.
it.skipIf(!canMakeCertificates || process.platform !== 'linux')(
  'a server that the firm’s own authority vouches for is believed where the system’s store has it, and only there',
  SLOW,
  async () => {
    const { key, cert } = makeCertificate('safety.example.com');
    const port = await listening(https.createServer({ key, cert }, answering));
    const store = join(await temporaryFolder(), 'store.pem');
    writeFileSync(store, cert);
    const transport = join(import.meta.dirname, '../../src/host/http/http-client.ts');
    const program = `
      const { createTransport, usualLimits } = await import(${JSON.stringify(transport)});
      const lookup = (name, options, done) =>
        options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);
      const transport = createTransport(usualLimits, { lookup });
      const body = async function* () { yield new TextEncoder().encode('sent once'); };
      const ask = (name) => transport.exchange(
        { method: 'POST', url: 'https://' + name + ':${port}/', headers: {}, body },
        async ({ status }) => ({ ok: true, value: status }));
      // Two at once: both find out, and both are asked again.
      const answers = await Promise.all([ask('safety.example.com'), ask('safety.example.com')]);
      answers.push(await ask('other.example.com'));
      console.log(JSON.stringify(answers.map((one) => one.value ?? one.problem.reason)));
      await transport.stop();`;
    const run = async (file: string): Promise<unknown> => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--input-type=module', '-e', program],
        { env: { ...process.env, SSL_CERT_FILE: file, SSL_CERT_DIR: '/nonexistent' } },
      );
      return JSON.parse(stdout);
    };
    expect(await run(store)).toEqual([200, 200, 'tls']);
    expect(await run('/nonexistent')).toEqual(['tls', 'tls', 'tls']);
  },
);
