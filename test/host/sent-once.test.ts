/** Two windows of one host, or a window reopened during a write: the same write is sent once. */
import { expect, it, onTestFinished } from 'vitest';
import { ulid } from 'ulid';
import { ok } from '../../src/contract/problem.ts';
import { createSentOnce } from '../../src/host/http/in-flight-dedupe.ts';
import { startChaos } from '../support/chaos.ts';
import { startTestService } from '../support/service.ts';
import { until } from './fixtures/folder.ts';
import { startWorld } from './fixtures/world.ts';
import { slow } from '../support/slow.ts';

/** A server without idempotency keys. */
const plainWorld = async () => {
  const service = await startTestService({ plain: true });
  onTestFinished(() => service.stop());
  const chaos = await startChaos(service.url);
  onTestFinished(() => chaos.close());
  const { company_id, project_id, token } = service.demo;
  const world = await startWorld();
  const connect = { kind: 'server' as const, address: chaos.url, company_id, project_id, token };
  await world.call('session.connect', connect);
  const ask = (endpoint: string, input: object) =>
    world.call('rest.request', { endpoint, input: { params: { project_id }, ...input } });
  const first = await ask('near_misses.list', {});
  const [{ incident_id }] = first.data as [{ incident_id: number }];
  const report = (description: string) => ({
    body: { near_miss: { incident_id, description } },
    idempotency_key: ulid(),
  });
  const countOf = async (description: string): Promise<number> => {
    const { data } = await ask('near_misses.list', { query: { per_page: 1000 } });
    const all = data as { readonly description_plain_text?: string; description?: string }[];
    return all.filter((one) => JSON.stringify(one).includes(description)).length;
  };
  return { ...world, chaos, ask, report, countOf };
};

it('outbox promise 2: a write that a second window sends while the first one’s is on its way leaves once', async () => {
  const { chaos, ask, report, countOf } = await plainWorld();
  const slow = Promise.withResolvers<void>();
  const posts = () => chaos.seen.filter(({ method }) => method === 'POST').length;
  chaos.plan = ({ method }) =>
    method === 'POST' ? { kind: 'hold_request', after: 10, until: slow.promise } : null;
  const one = report('slipped on the stairs');
  const before = ask('near_misses.create', one);
  await until(() => posts() === 1, 'the first');
  const after = ask('near_misses.create', one);
  slow.resolve();
  const [first, second] = await Promise.all([before, after]);
  expect((second.data as { id: number }).id).toBe((first.data as { id: number }).id);
  expect(await countOf('slipped on the stairs')).toBe(1);
});

it('A48: an answer that is doubted is not given again from memory: the server is asked', async () => {
  const { chaos, ask, report } = await plainWorld();
  const one = report('slipped on the ramp');
  const body = JSON.stringify({ id: 1, incident_id: 9, description: 'another' });
  const headers = { 'content-type': 'application/json' };
  chaos.plan = ({ method }) =>
    method === 'POST' ? { kind: 'answer', status: 201, headers, body } : null;
  const first = await ask('near_misses.create', one);
  chaos.plan = () => null;
  const again = await ask('near_misses.create', one);
  expect([first, again].map(({ data }) => (data as { id: number }).id)).toEqual([1, 1]);
  const asked = await ask('near_misses.create', { ...one, doubted_id: 1 });
  expect(asked.data).toMatchObject({ description: 'slipped on the ramp' });
});

slow(
  'outbox promise 2: and so where the first one’s was answered while the second looked for it',
  async () => {
    const { ask, report, countOf } = await plainWorld();
    const one = report('fell from a ladder');
    const first = await ask('near_misses.create', one);
    const second = await ask('near_misses.create', one);
    expect((second.data as { id: number }).id).toBe((first.data as { id: number }).id);
    expect(await countOf('fell from a ladder')).toBe(1);
    await ask('near_misses.create', { ...one, idempotency_key: ulid() });
    expect(await countOf('fell from a ladder')).toBe(2);
  },
);

it('an answer is kept for a write as long as a near miss can be, and for none that is longer: memory has an end', async () => {
  const once = createSentOnce<null>();
  const timesSent = async (length: number): Promise<number> => {
    let sent = 0;
    for (let n = 0; n < 2; n += 1)
      await once.send(['key', 'x'.repeat(length)], () => {
        sent += 1;
        return Promise.resolve(ok(null));
      });
    return sent;
  };
  expect(await timesSent(70 * 1024)).toBe(1);
  expect(await timesSent(200 * 1024)).toBe(2);
});
