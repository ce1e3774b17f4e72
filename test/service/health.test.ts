/** `/healthz` names each part that fails; `/readyz` answers for load balancers (decisions §10). */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { Options } from '../../src/service/options.ts';
import { startTestService } from '../support/service.ts';

const start = async (options: Partial<Options> = {}) => {
  const t = await startTestService(options);
  onTestFinished(() => t.stop());
  return t;
};

it('decisions §10: all is well', async () => {
  const { demo } = await start();
  const [health, ready] = [await demo.get('/healthz'), await demo.get('/readyz')];
  expect([health.status, health.json]).toEqual([200, { status: 'ok' }]);
  expect([ready.status, ready.json]).toEqual([200, { status: 'ready' }]);
});

it('decisions §10: too little disk space fails /healthz with a sentence, and requests go on', async () => {
  const { demo } = await start({ 'free-space': 2 ** 60 });
  const health = await demo.get('/healthz');
  expect([health.status, health.json]).toEqual([
    503,
    {
      status: 'failing',
      failing: ['disk_space'],
      detail: expect.stringMatching(/^The data folder has \d+ MiB left, less than --free-space\.$/),
    },
  ]);
  expect((await demo.get('/readyz')).status).toBe(200);
});

it('decisions §10, failures S25: a clock that was set back fails /healthz, and is ready all the same', async () => {
  const t = await start();
  t.clock.advance(3_600_000);
  await t.demo.get('/healthz');
  t.clock.advance(-3_600_000);
  const health = await t.demo.get('/healthz');
  expect(health.json).toMatchObject({ failing: ['clock'], status: 'failing' });
  expect(health.json.detail).toMatch(/^This machine's clock is 3600 s /);
  expect((await t.demo.get('/readyz')).status).toBe(200);
  t.clock.advance(3_600_000 - 60_000);
  expect((await t.demo.get('/healthz')).status).toBe(200);
});

it('decisions §10, failures S51: a service that stops tells load balancers, and answers for --stop-delay', async () => {
  const t = await start({ 'stop-delay': 500 });
  const stopped = t.service.stop();
  const ready = await t.demo.get('/readyz');
  expect(ready.headers.get('connection')).toBe('close');
  expect([ready.status, ready.json]).toEqual([
    503,
    { status: 'not ready', detail: 'The service is stopping.' },
  ]);
  expect((await t.demo.post('~/incidents', { incident: { title: 'Late' } })).status).toBe(201);
  await stopped;
  await expect(fetch(`${t.url}/readyz`)).rejects.toThrow();
});

it('decisions §10, failures S51: what has begun to arrive is answered by the API, and no connection is kept', async () => {
  const t = await start();
  const { token, company_id, project_id } = t.demo;
  const socket = connect(Number(new URL(t.url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let answer = '';
  socket.setEncoding('utf8').on('data', (part) => (answer += String(part)));
  const closed = once(socket, 'close');
  const body = JSON.stringify({ incident: { title: 'Late' } });
  const head = [
    `POST /rest/v1.0/projects/${project_id}/incidents HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    `Service-Company-Id: ${company_id}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  // The service has read the head, so this connection is busy.
  await expect.poll(() => answer).toContain('100 Continue');
  const stopped = t.service.stop();
  socket.write(`${body}GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  await closed;
  await stopped;
  expect(answer).toContain('HTTP/1.1 201 Created');
  expect(answer).toContain('The service is stopping.');
  expect(answer).toMatch(/^connection: close/imu);
});

it('decisions §10: two parts that fail are both named', async () => {
  const t = await start({ 'free-space': 2 ** 60 });
  await t.service.app.store.read.destroy();
  expect((await t.demo.get('/healthz')).json).toMatchObject({
    failing: ['database', 'disk_space'],
    detail: expect.stringMatching(/^The database does not answer\. The data folder has /),
  });
});
