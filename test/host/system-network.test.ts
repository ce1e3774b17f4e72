/** What the system says of the network, where Node would not ask it: the firm's proxy by a PAC script, and whom this computer trusts. */
import { execFile } from 'node:child_process';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { ok } from '../../src/contract/problem.ts';
import { noProxies, waysOfSystem, readProxies, type SystemProxy } from '../../src/host/proxy.ts';
import { createTransport, usualLimits } from '../../src/host/transport.ts';
import { canMakeCertificates, makeCertificate } from '../support/certificate.ts';
import { startProxy } from '../support/proxy.ts';
import { temporaryFolder } from './fixtures/folder.ts';

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
  // What cannot be gone is passed over.
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
  // The system is asked once for what goes to one server within a moment.
  expect(asked).toEqual(both.slice(0, 1));
  expect(proxy.asked).toEqual(both.map((url) => `GET ${url}`));
  // This machine is asked without one, and the system is not asked about it.
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
  // One that refuses is there.
  proxy.refuse = { status: 407, body: 'who are you' };
  const both = async () => `PROXY ${new URL(proxy.url).host}; DIRECT`;
  expect(await asker(both)('http://site.internal/a')).toMatchObject({
    problem: { kind: 'offline', reason: 'proxy_sign_in' },
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

// The store that a variable can name is the one of Linux.
it.skipIf(!canMakeCertificates || process.platform !== 'linux')(
  'a server that the firm’s own authority vouches for is believed where the system’s store has it, and only there',
  async () => {
    const { key, cert } = makeCertificate('safety.example.com');
    const port = await listening(https.createServer({ key, cert }, answering));
    const store = join(await temporaryFolder(), 'store.pem');
    writeFileSync(store, cert);
    const transport = join(import.meta.dirname, '../../src/host/transport.ts');
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
