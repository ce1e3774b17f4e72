/** Limits set by an operator, and the clock: failures S9, S25; decisions §10. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { steadyClock } from '../../src/service/clocks.ts';
import { rawConnection, rawRequest } from '../support/raw-request.ts';
import { startTestService, testClock, type TestService } from '../support/service.ts';

const HOUR = 3_600_000;

let t: TestService;
beforeAll(async () => {
  t = await startTestService({
    'headers-timeout': 200,
    'body-timeout': 200,
    'idle-timeout': 400,
    'max-body': 500,
    'public-url': 'https://spotter.example/api/',
  });
});
afterAll(() => t.stop());

const head = (of = t) =>
  [
    `POST /rest/v1.0/projects/1/incidents HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${of.demo.token}`,
    'Service-Company-Id: 1',
    'Content-Type: application/json',
    'Content-Length: 100',
    '',
    '',
  ].join('\r\n');

describe('failures S9: slow clients', () => {
  it('failures S9: a body that never comes closes its connection, and others are served meanwhile', async () => {
    // Of short limits only this one: on a busy machine the head of the other client may come late.
    const own = await startTestService({ 'body-timeout': 200 });
    onTestFinished(() => own.stop());
    const slow = rawRequest(own.service.port, `${head(own)}{"inc`);
    expect((await own.demo.get('/rest/v1.0/me')).status).toBe(200);
    expect(await slow).not.toMatch(/ 5\d\d /);
  });

  it('failures S9: --headers-timeout is kept to the second', async () => {
    const own = await startTestService({ 'headers-timeout': 300 });
    onTestFinished(() => own.stop());
    const began = performance.now();
    await rawRequest(own.service.port, 'GET /healthz HT');
    expect(performance.now() - began).toBeLessThan(15_000);
  });

  it('failures S9: a client that keeps its half of the connection open after the time of its headers loses it', async () => {
    const own = await startTestService({ 'headers-timeout': 300 });
    onTestFinished(() => own.stop());
    const socket = connect({ port: own.service.port, host: '127.0.0.1', allowHalfOpen: true });
    const drip = setInterval(() => socket.write('x'), 50);
    onTestFinished(() => {
      clearInterval(drip);
      socket.destroy();
    });
    let closed = false;
    socket
      .resume()
      .on('error', () => undefined)
      .on('close', () => (closed = true));
    socket.write('GET /healthz HTTP/1.1\r\nX-Slow: ');
    await expect.poll(() => closed).toBe(true);
  });

  it('failures S9: a client that is refused and goes on with its body is cut off', async () => {
    const { socket, got, closed } = rawConnection(t.service.port);
    const drip = setInterval(() => socket.write('x'), 50);
    onTestFinished(() => {
      clearInterval(drip);
      socket.destroy();
    });
    socket.write(
      'POST /rest/v1.0/projects/1/incidents HTTP/1.1\r\nHost: 127.0.0.1\r\n' +
        'Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{',
    );
    await closed;
    expect(got()).toMatch(/^HTTP\/1.1 401 /);
  });

  it('failures S9: a connection that says nothing is closed', async () => {
    expect(await rawRequest(t.service.port, 'GET /healthz HT')).not.toMatch(/ 5\d\d /);
  });
});

describe('decisions §10: limits are flags', () => {
  it('decisions §1.2: --max-body is the limit that 413 speaks of', async () => {
    const incident = { title: 'x', description: 'y'.repeat(600) };
    expect((await t.demo.post('~/incidents', { incident })).status).toBe(413);
  });

  it('decisions §2.2: --public-url is what links start with', async () => {
    const link = (await t.demo.get('~/incidents?per_page=1')).headers.get('link') ?? '';
    expect(link).toContain(
      '<https://spotter.example/api/rest/v1.0/projects/1/incidents?per_page=1&page=2>',
    );
  });
});

describe('failures S25: the clock', () => {
  it('failures S25: when the clock is put back, created_at follows it and ids still rise', async () => {
    const clock = testClock();
    const own = await startTestService({}, clock);
    try {
      const create = async () =>
        (await own.demo.post('~/incidents', { incident: { title: 'clock' } })).json;
      const first = await create();
      clock.advance(-2 * HOUR);
      const second = await create();
      expect(Date.parse(second.created_at)).toBe(Date.parse(first.created_at) - 2 * HOUR);
      expect(second.id).toBeGreaterThan(first.id);
    } finally {
      await own.stop();
    }
  });

  it('failures S25: the steady clock goes on where the other is put back', () => {
    const clock = testClock(1000);
    const steady = steadyClock(clock.now);
    const seen = [steady()];
    for (const move of [10, -500, 10, 0, -1, 10, 2000, -3000, 5]) {
      clock.advance(move);
      seen.push(steady());
    }
    expect(seen).toEqual([1000, 1010, 1010, 1020, 1020, 1020, 1030, 3030, 3030, 3035]);
  });

  it('failures S25: what has expired stays so, and what is to expire does, by the time that passed', async () => {
    const clock = testClock();
    const own = await startTestService({ 'idempotency-window': HOUR }, clock);
    try {
      const upload = async () =>
        (await own.demo.post('/rest/v1.1/companies/1/uploads', { response_filename: 'a' })).json;
      const old = await upload();
      clock.advance(8 * 24 * HOUR);
      expect((await own.demo.get(`/rest/v1.1/companies/1/uploads/${old.uuid}`)).status).toBe(410);
      clock.advance(-2 * HOUR);
      expect((await own.demo.get(`/rest/v1.1/companies/1/uploads/${old.uuid}`)).status).toBe(410);
      const young = await upload();
      clock.advance(7 * 24 * HOUR + 1);
      expect((await own.demo.get(`/rest/v1.1/companies/1/uploads/${young.uuid}`)).status).toBe(410);
    } finally {
      await own.stop();
    }
  });

  it('failures S25: a minute of the rate limit ends, whatever the clock does', async () => {
    const clock = testClock();
    const own = await startTestService({ 'rate-limit': 1 }, clock);
    try {
      expect((await own.demo.get('/rest/v1.0/me')).status).toBe(200);
      clock.advance(-2 * HOUR);
      expect((await own.demo.get('/rest/v1.0/me')).status).toBe(429);
      clock.advance(60_000);
      expect((await own.demo.get('/rest/v1.0/me')).status).toBe(200);
    } finally {
      await own.stop();
    }
  });
});
