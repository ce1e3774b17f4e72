/** Failures of the service itself: the content of a 5xx, and its side effects (decisions §1.2, §1.5, §10). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';

let t: TestService;
beforeAll(async () => {
  t = await startTestService();
});
afterAll(() => t.stop());

const list = '~/incidents/near_misses';

/** Makes every write with an event fail while `work` runs. */
const withoutEvents = async (work: () => Promise<void>): Promise<void> => {
  await t.database.query('alter table events rename to events_away');
  try {
    await work();
  } finally {
    await t.database.query('alter table events_away rename to events');
  }
};

describe('decisions §1.2, §1.5: a 5xx', () => {
  it('decisions §1.2, §1.5: shows no stack, SQL or path, is not stored, and leaves nothing half done', async () => {
    const before = (await t.demo.get(`${list}?per_page=1`)).headers.get('total');
    const body = { near_miss: { incident_id: 1, description: 'broken' } };
    const key = { 'idempotency-key': 'five-hundred' };
    await withoutEvents(async () => {
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => t.demo.post(list, body, key)),
      );
      for (const answer of answers) {
        expect(answer.status).toBe(500);
        expect(answer.json).toEqual({ errors: ['The service failed. Nothing was stored.'] });
        expect(answer.headers.get('x-request-id')).toBeTruthy();
      }
      // Reads still work, and so do writes without an event.
      expect((await t.demo.get(list)).status).toBe(200);
    });
    expect((await t.demo.get(`${list}?per_page=1`)).headers.get('total')).toBe(before);
    const made = await t.demo.post(list, body, key);
    expect([made.status, made.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect((await t.demo.post(list, body, key)).json.id).toBe(made.json.id);
  });

  it('of writes that share a commit, one that is refused does not undo the others', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        t.demo.post(list, {
          near_miss: { incident_id: index % 4 === 0 ? 4711 : 1, description: `group ${index}` },
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(
      answers.map((_, index) => (index % 4 === 0 ? 422 : 201)),
    );
    const found = await t.demo.get(`${list}?filters[query]=group%20&per_page=1`);
    expect(found.headers.get('total')).toBe('30');
  });

  it('decisions §10: /healthz is not 200 when the database does not answer', async () => {
    const own = await startTestService();
    await own.service.app.store.read.destroy();
    const health = await own.demo.get('/healthz');
    expect([health.status, health.json]).toEqual([
      503,
      { status: 'failing', failing: ['database'], detail: 'The database does not answer.' },
    ]);
    expect((await own.demo.get('/readyz')).status).toBe(503);
    const answer = await own.demo.get('/rest/v1.0/me');
    expect([answer.status, answer.json.errors]).toEqual([500, [expect.any(String)]]);
    await own.stop();
  });
});
