/**
 * Site and office networks: names that resolve to a dead address first, and company proxies. The host's transport and client on
 * real sockets; only name resolution is replaced.
 */
import http from 'node:http';
import https from 'node:https';
import { createServer, type AddressInfo, type LookupFunction, type Server } from 'node:net';
import tls from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/host/lib/clock.ts';
import { noProxies, readProxies, type Proxies } from '../../src/host/http/proxy.ts';
import { createLargeReplies } from '../../src/host/http/parse-in-worker.ts';
import { createApi } from '../../src/host/http/request.ts';
import { createTransport, usualLimits } from '../../src/host/http/http-client.ts';
import { blackHole } from '../support/black-hole.ts';
import { canMakeCertificates, makeCertificate } from '../support/certificate.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { startProxy, type TestProxy } from '../support/proxy.ts';
import { REPLY_WORKER } from '../../src/host/http/reply-worker-source.ts';
import { SLOW } from '../support/slow.ts';

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return (server.address() as AddressInfo).port;
};

const record = JSON.stringify({ id: 7, description: 'slipped' });
const answering = (_request: unknown, reply: http.ServerResponse): void =>
  void reply
    .writeHead(200, { 'content-type': 'application/json', connection: 'close' })
    .end(record);

const asker = (proxies: Proxies, lookup?: LookupFunction, connect_ms = usualLimits.connect_ms) => {
  const transport = createTransport(
    { ...usualLimits, connect_ms },
    { proxies, ...(lookup && { lookup }) },
  );
  onTestFinished(() => transport.stop());
  const large = createLargeReplies(REPLY_WORKER);
  onTestFinished(() => large.stop());
  const api = createApi(transport, systemClock, large);
  return async (base: string) =>
    api.request({ base, token: 'secret-token', company_id: 3 }, 'near_misses.show', {
      params: { project_id: 5, id: 7 },
    });
};

/** Resolves every name to these addresses, in this order. */
const names =
  (...addresses: { address: string; family: number }[]): LookupFunction =>
  (_name, options, done) =>
    options.all
      ? (done as (error: null, all: typeof addresses) => void)(null, addresses)
      : done(null, addresses[0]?.address ?? '', addresses[0]?.family);

const proxyBefore = async (port: number): Promise<TestProxy> => {
  const proxy = await startProxy({ host: '127.0.0.1', port });
  onTestFinished(() => proxy.close());
  return proxy;
};
const through = ({ url }: Pick<TestProxy, 'url'>, no_proxy = ''): Proxies => ({
  http: url,
  https: url,
  no_proxy,
});
const deadPort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

// The black hole is a listener stopped by SIGSTOP, which Windows lacks.
it.skipIf(process.platform === 'win32')(
  'failures A24: a name whose IPv6 address is a black hole is reached by IPv4 while that one is silent',
  SLOW,
  async () => {
    const port = await listening(http.createServer(answering));
    onTestFinished(await blackHole(port));
    const v6 = { address: '::1', family: 6 };
    // The connection timeout exceeds the test's limit, so an answer did not wait for it.
    const both = names(v6, { address: '127.0.0.1', family: 4 });
    const ask = asker(noProxies, both, 10 * PATIENCE_MS);
    expect(await ask(`http://site.internal:${port}`)).toMatchObject({ ok: true });
    // It was a black hole: alone it fails at the connection timeout, with a retryable problem.
    expect(await asker(noProxies, names(v6), 600)(`http://site.internal:${port}`)).toMatchObject({
      ok: false,
      problem: { kind: 'offline', reason: 'unreachable' },
    });
  },
);

it('failures A24: requests go through the proxy of the firm, with its user and password and never with ours', async () => {
  const port = await listening(http.createServer(answering));
  const proxy = await proxyBefore(port);
  const { proxies } = readProxies({ HTTP_PROXY: proxy.url.replace('//', '//ana:p%40ss@') });
  expect(await asker(proxies)('http://site.internal:8080/base')).toMatchObject({ ok: true });
  expect(proxy.asked).toEqual([
    'GET http://site.internal:8080/base/rest/v1.0/projects/5/incidents/near_misses/7',
  ]);
  expect(proxy.authorization).toBe(`Basic ${Buffer.from('ana:p@ss').toString('base64')}`);
});

it.skipIf(!canMakeCertificates)(
  'failures A24: https goes through the proxy as a tunnel, so that it sees neither token nor text',
  async () => {
    const { key, cert } = makeCertificate('safety.example.com');
    const before = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...before, cert]);
    onTestFinished(() => tls.setDefaultCACertificates(before));
    const seen: (string | undefined)[] = [];
    const server = https.createServer({ key, cert }, (request, reply) => {
      seen.push(request.headers.authorization);
      answering(request, reply);
    });
    const proxy = await proxyBefore(await listening(server));
    const { proxies } = readProxies({ https_proxy: proxy.url.replace('//', '//ana:p%40ss@') });
    expect(await asker(proxies)('https://safety.example.com')).toMatchObject({ ok: true });
    expect(proxy.asked).toEqual(['CONNECT safety.example.com:443']);
    expect(proxy.authorization).toBe(`Basic ${Buffer.from('ana:p@ss').toString('base64')}`);
    expect(seen).toEqual(['Bearer secret-token']);
    // The certificate of another name is not trusted, even through a proxy.
    expect(await asker(proxies)('https://other.example.com')).toMatchObject({
      problem: { kind: 'offline', reason: 'tls' },
    });
  },
);

it('failures A24: this machine and what NO_PROXY names are asked without the proxy', async () => {
  const port = await listening(http.createServer(answering));
  const proxy = await proxyBefore(port);
  const here = names({ address: '127.0.0.1', family: 4 });
  const ask = asker(through(proxy, '.corp.internal, nas'), here);
  for (const host of ['127.0.0.1', 'localhost', 'a.corp.internal', 'nas'])
    expect(await ask(`http://${host}:${port}`), host).toMatchObject({ ok: true });
  expect(proxy.asked).toEqual([]);
  expect(await ask(`http://b.internal:${port}`)).toMatchObject({ ok: true });
  expect(proxy.asked).toHaveLength(1);
});

const page = '<!doctype html><title>Blocked</title><h1>Please sign in to the proxy</h1>';
it.each([
  ['http', 407, { kind: 'offline', reason: 'proxy_sign_in' }],
  ['https', 407, { kind: 'offline', reason: 'proxy_sign_in' }],
  ['https', 403, { kind: 'offline', reason: 'proxy' }],
  ['https', 503, { kind: 'offline', reason: 'unreachable' }],
  ['http', 403, { kind: 'broken_reply', looks_like: 'html' }],
  ['http', 200, { kind: 'broken_reply', looks_like: 'html' }],
])(
  'failures A24: a proxy that answers an %s request with %i and its own page is a problem that is waited for',
  async (scheme, status, problem) => {
    const proxy = await proxyBefore(await listening(http.createServer(answering)));
    proxy.refuse = { status, body: page };
    const ask = asker(through(proxy));
    expect(await ask(`${scheme}://site.internal`)).toMatchObject({ ok: false, problem });
    // After a sign-in to the proxy the refusal has no effect. (https fails later, because the target speaks no TLS.)
    proxy.refuse = null;
    expect(await ask(`${scheme}://site.internal`)).toMatchObject(
      scheme === 'http' ? { ok: true } : { problem: { kind: 'offline', reason: 'tls' } },
    );
  },
);

it('failures A24: a proxy that is away, or goes away, is told as the proxy', async () => {
  const gone = `http://127.0.0.1:${await deadPort()}`;
  for (const scheme of ['http', 'https'])
    expect(await asker(through({ url: gone }))(`${scheme}://site.internal`), scheme).toMatchObject({
      ok: false,
      problem: { kind: 'offline', reason: 'proxy_away' },
    });
  const server = createServer((socket) => void socket.destroy());
  const url = `http://127.0.0.1:${await listening(server)}`;
  for (const scheme of ['http', 'https'])
    expect(await asker(through({ url }))(`${scheme}://site.internal`), scheme).toMatchObject({
      ok: false,
      problem: { kind: 'offline' },
    });
});

it('failures A24: proxies are read from the environment; what is no address is named, never its password', () => {
  expect(readProxies({})).toEqual({ proxies: noProxies, unusable: [] });
  expect(
    readProxies({ HTTP_PROXY: 'proxy.corp:3128', https_proxy: 'https://p:8443', NO_PROXY: '*.x' }),
  ).toEqual({
    proxies: { http: 'http://proxy.corp:3128/', https: 'https://p:8443/', no_proxy: '*.x' },
    unusable: [],
  });
  expect(
    readProxies({ HTTP_PROXY: 'ftp://u:secret@p', HTTPS_PROXY: 'http://', http_proxy: '' }),
  ).toEqual({ proxies: noProxies, unusable: ['HTTP_PROXY', 'HTTPS_PROXY'] });
});
