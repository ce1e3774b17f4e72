/** `/metrics`, `/healthz`, request ids, the access log, and that no other origin is allowed (decisions §10, §1). */
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDemo } from '../../src/service/demo/seats.ts';
import { startService } from '../../src/service/index.ts';
import type { Options } from '../../src/service/options.ts';
import { clientOf, tempDir } from '../support/service.ts';
import { makeHook, makeNearMiss, startEndpoint } from './webhooks/support.ts';

const start = async (options: Partial<Options> = {}) => {
  const dir = tempDir('metrics');
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const service = await startService({
    options: { 'data-dir': dir.path, port: 0, ...options },
    log,
  });
  onTestFinished(async () => {
    await service.stop();
    dir.remove();
  });
  const { other: _other, ...access } = await openDemo(
    service.app.store,
    Date.now(),
    service.app.uploads.files,
    false,
  );
  return { url: service.url, store: service.app.store, lines, demo: clientOf(service.url, access) };
};
const metricsOf = async (url: string): Promise<string> => (await fetch(`${url}/metrics`)).text();
const valueOf = (text: string, series: string): number => {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1));
};

describe('/metrics', () => {
  it('decisions §10: every metric of the dashboard and the alerts is served', async () => {
    const { url } = await start();
    const text = await metricsOf(url);
    expect(valueOf(text, 'spotter_part_healthy{part="database"}')).toBe(1);
    const monitoring = new URL('../../resources/server/monitoring/', import.meta.url);
    const named = ['grafana.json', 'alerts.yaml']
      .map((name) => readFileSync(new URL(name, monitoring), 'utf8'))
      .flatMap((page) => page.match(/\b(?:spotter|process|nodejs)_[a-z\d_]+\b/g) ?? []);
    expect(new Set(named).size).toBeGreaterThan(7);
    for (const name of new Set(named))
      expect(text).toMatch(new RegExp(`^# TYPE ${name.replace(/_bucket$/, '')} `, 'm'));
  });

  it('decisions §10: without a database the other metrics are still served', async () => {
    const { url, store } = await start();
    await store.read.destroy();
    const text = await metricsOf(url);
    expect(valueOf(text, 'spotter_part_healthy{part="database"}')).toBe(0);
    expect(valueOf(text, 'spotter_part_healthy{part="files"}')).toBe(1);
    expect(valueOf(text, 'spotter_webhook_paused_hooks')).toBeNaN();
    expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(0);
  });

  it('requests by route template and status, durations, upload bytes, uploads by status', async () => {
    const { url, demo } = await start();
    await demo.get('~/incidents/near_misses/1');
    await demo.get('~/incidents/near_misses/2');
    await demo.get('~/incidents/near_misses/999999');
    await fetch(`${url}/nowhere/${'x'.repeat(20)}`);
    const upload = (
      await demo.post(`/rest/v1.1/companies/${demo.company_id}/uploads`, { response_filename: 'a' })
    ).json;
    const form = new FormData();
    for (const [name, value] of Object.entries(upload.fields as Record<string, string>))
      form.append(name, value);
    form.append('file', new Blob([new Uint8Array(5000)]), 'a');
    expect((await fetch(upload.url, { method: 'POST', body: form })).status).toBe(204);

    const text = await metricsOf(url);
    const route = 'route="/rest/v1.0/projects/:project_id/incidents/near_misses/:id"';
    expect(valueOf(text, `spotter_requests_total{method="GET",${route},status="200"}`)).toBe(2);
    expect(valueOf(text, `spotter_requests_total{method="GET",${route},status="404"}`)).toBe(1);
    expect(valueOf(text, `spotter_requests_total{method="GET",route="none",status="404"}`)).toBe(1);
    expect(valueOf(text, `spotter_request_duration_seconds_count{method="GET",${route}}`)).toBe(3);
    expect(valueOf(text, 'spotter_upload_bytes_total')).toBeGreaterThan(5000);
    expect(valueOf(text, 'spotter_uploads{status="complete"}')).toBe(1);
    expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(0);
    for (const secret of [demo.token, 'xxxxxxxx', 'signature']) expect(text).not.toContain(secret);
  });

  it('decisions §9.5: deliveries that wait and hooks that are paused', async () => {
    const { url, demo } = await start({ 'webhook-interval': 20, 'allow-private-webhooks': true });
    const waiting = async (): Promise<number[]> => {
      const text = await metricsOf(url);
      return ['pending_deliveries', 'paused_hooks'].map((name) =>
        valueOf(text, `spotter_webhook_${name}`),
      );
    };
    expect(await waiting()).toEqual([0, 0]);
    const endpoint = await startEndpoint();
    await endpoint.close(); // nothing listens there now
    await makeHook(demo, endpoint.url);
    await makeNearMiss(demo);
    await makeNearMiss(demo);
    await expect.poll(waiting).toEqual([2, 1]);
  });

  it('not for others: a proxied request finds nothing, nor does anyone where it is off', async () => {
    const { url } = await start();
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
    for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip'])
      expect((await fetch(`${url}/metrics`, { headers: { [header]: '127.0.0.1' } })).status).toBe(
        404,
      );
    const off = await start({ metrics: 'off' });
    expect((await fetch(`${off.url}/metrics`)).status).toBe(404);
    const all = await start({ metrics: 'all' });
    const proxied = await fetch(`${all.url}/metrics`, {
      headers: { 'x-forwarded-for': '192.0.2.1' },
    });
    expect(proxied.status).toBe(200);
  });
});

describe('the access log', () => {
  it('a line per request with its id, route and status; never a token, a signature or a query', async () => {
    const { url, lines, demo } = await start();
    await demo.ask('GET', '~/incidents/near_misses?filters[query]=Smith', {
      headers: { 'x-request-id': 'abc-123' },
    });
    const upload = (
      await demo.post(`/rest/v1.1/companies/${demo.company_id}/uploads`, {
        response_filename: 'secret-name.jpg',
        segments: [{ size: 3, sha256: 'a'.repeat(64) }],
      })
    ).json;
    const address = upload.segments[0].url as string;
    await fetch(address, { method: 'PUT', headers: upload.segments[0].headers, body: 'abc' });
    await fetch(`${url}/rest/v1.0/me`, { headers: { authorization: 'Bearer stolen-token' } });
    await expect.poll(() => lines.filter((line) => line.includes('answered')).length).toBe(4);
    const all = lines.join('');
    const signature = new URL(address).searchParams.get('signature') ?? 'none';
    for (const secret of [demo.token, 'stolen-token', signature, 'Smith', 'secret-name'])
      expect(all).not.toContain(secret);
    const [first] = lines
      .filter((line) => line.includes('answered'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(first).toMatchObject({
      reqId: 'abc-123',
      method: 'GET',
      route: '/rest/v1.0/projects/:project_id/incidents/near_misses',
      status: 200,
    });
  });
});

describe('request ids and other origins', () => {
  it('a request id is answered as it came, or made; one that could break a log is not taken', async () => {
    const { url } = await start();
    const ask = async (id?: string) =>
      (
        await fetch(`${url}/healthz`, id === undefined ? {} : { headers: { 'x-request-id': id } })
      ).headers.get('x-request-id');
    expect(await ask('mine.1')).toBe('mine.1');
    expect(await ask()).toMatch(/^[0-9a-f-]{36}$/);
    for (const bad of ['a b', 'x'.repeat(129), '"'])
      expect(await ask(bad)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('failures S24: CORS is off: no answer lets another origin read it', async () => {
    const { url, demo } = await start();
    const origin = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    for (const [method, path] of [
      ['OPTIONS', '/rest/v1.0/me'],
      ['GET', '/rest/v1.0/me'],
      ['GET', '/healthz'],
      ['GET', '/openapi.json'],
    ] as const) {
      const answer = await demo.ask(method, path, { headers: origin });
      const allows = [...answer.headers.keys()].filter((name) => name.startsWith('access-control'));
      expect(allows, `${method} ${url}${path}`).toEqual([]);
    }
  });
});
