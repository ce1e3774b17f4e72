/** Limits that an operator sets, and the clock: failures S9, S25; decisions §10. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawRequest } from '../support/raw-request.ts';
import { startTestService, testClock, type TestService } from '../support/service.ts';

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

const head = () =>
  [
    `POST /rest/v1.0/projects/1/incidents HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${t.demo.token}`,
    'Service-Company-Id: 1',
    'Content-Type: application/json',
    'Content-Length: 100',
    '',
    '',
  ].join('\r\n');

describe('failures S9: slow clients', () => {
  it('failures S9: a body that never comes closes its connection, and others are served meanwhile', async () => {
    const slow = rawRequest(t.service.port, `${head()}{"inc`);
    expect((await t.demo.get('/rest/v1.0/me')).status).toBe(200);
    expect(await slow).not.toMatch(/ 5\d\d /);
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
  it('failures S25: when the clock goes back, created_at and ids do not', async () => {
    const clock = testClock();
    const own = await startTestService({}, clock);
    try {
      const create = async () =>
        (await own.demo.post('~/incidents', { incident: { title: 'clock' } })).json;
      const first = await create();
      clock.advance(-3_600_000);
      const second = await create();
      expect(second.created_at).toBe(first.created_at);
      expect(second.id).toBeGreaterThan(first.id);
      expect((await own.demo.get('~/incidents')).json[0].id).toBe(second.id);
    } finally {
      await own.stop();
    }
  });
});
