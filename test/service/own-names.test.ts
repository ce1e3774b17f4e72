/** Pages without a token answer only under the service's own host names (DNS rebinding); decisions §10, failures S24. */
import { request } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { startTestService } from '../support/service.ts';
import { slow } from '../support/slow.ts';

const statusOf = (port: number, path: string, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path, headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on('error', reject).end();
  });

const PAGES = ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs/'];

slow(
  'failures S24: a name that was pointed at this machine reads no page that needs no token',
  async () => {
    const t = await startTestService({
      'public-url': 'https://spotter.example/api',
      'allowed-hosts': 'spotter, health.internal',
    });
    onTestFinished(() => t.stop());
    const { port } = t.service;
    for (const page of PAGES) {
      for (const host of ['rebound.example', `rebound.example:${port}`, 'localhost.evil.example'])
        expect(await statusOf(port, page, host), `${page} ${host}`).toBe(421);
      for (const host of [`127.0.0.1:${port}`, 'localhost', 'LOCALHOST.', '[::1]', '10.0.0.9:80'])
        expect(await statusOf(port, page, host), `${page} ${host}`).toBe(200);
      for (const host of ['spotter.example', 'spotter:3210', 'health.internal'])
        expect(await statusOf(port, page, host), `${page} ${host}`).toBe(200);
    }
  },
);

it('decisions §10: --allowed-hosts * asks for no name', async () => {
  const t = await startTestService({ 'allowed-hosts': '*' });
  onTestFinished(() => t.stop());
  expect(await statusOf(t.service.port, '/healthz', 'any.example')).toBe(200);
});
