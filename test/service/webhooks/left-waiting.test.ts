/** Pending events of a hook when its endpoint is gone for good, or when another user redirects it. */
import { expect, it } from 'vitest';
import { mintToken } from '../../../src/service/domain/tokens.ts';
import { insertUser } from '../../../src/service/store/users.ts';
import { clientOf, type Client, type TestService } from '../../support/service.ts';
import {
  answering,
  deliveriesOf,
  endpoint,
  HOOKS,
  makeHook,
  makeNearMiss,
  sender,
  until,
} from './support.ts';

const HOUR = 3_600_000;
const MANY = 1_200;
/** Beyond every id that the service has given out. */
const FAR = 100_000;

const waitingFor = async (t: TestService): Promise<number> => {
  const [row] = await t.database.query('select count(*) as n from webhook_pending');
  return Number(row?.['n']);
};

/** Copies the pending event many times, because creating so many records would take a minute. */
const multiply = async (t: TestService): Promise<void> => {
  await t.database.query(
    `with recursive c(n) as (select 1 union all select n + 1 from c where n < ${MANY})
     insert into events (company_id, id, project_id, user_id, event_type, resource_name, resource_id, ulid, created_at)
     select e.company_id, ${FAR} + c.n, e.project_id, e.user_id, e.event_type, e.resource_name, e.resource_id, e.ulid, e.created_at
     from webhook_pending p join events e on e.company_id = p.company_id and e.id = p.event_id
     cross join c`,
  );
  await t.database.query(
    `insert into webhook_pending (company_id, hook_id, event_id, created_at)
     select p.company_id, p.hook_id, e.id, e.created_at
     from webhook_pending p join events e on e.company_id = p.company_id and e.id > ${FAR}`,
  );
};

it('decisions §9.5, failures S16: 410 gives up all that waits, however much it is', async () => {
  const t = await sender({ 'webhook-first-retry': HOUR });
  const e = await endpoint(answering(503));
  const { id } = await makeHook(t.demo, e.url);
  await makeNearMiss(t.demo);
  await until(async () => (await deliveriesOf(t.demo, id)).length === 1, 'the first attempt');
  await multiply(t);
  expect(await waitingFor(t)).toBe(MANY + 1);
  e.answer(answering(410));
  t.clock.advance(2 * HOUR);
  await until(async () => (await t.demo.get(`${HOOKS}/${id}`)).json.disabled_at !== null);
  expect(await waitingFor(t)).toBe(0);
  expect(await deliveriesOf(t.demo, id, '?per_page=10000')).toHaveLength(MANY + 2);
});

const colleagueOf = async (t: TestService): Promise<Client> => {
  const company_id = t.demo.company_id;
  const token = await t.service.app.store.write(async (tx) => {
    const now = t.clock.now();
    const user = { login: 'colleague@example.com', name: 'Colleague', company_id, now };
    const admin = { level: 'admin' as const, project_ids: null, active: true };
    return mintToken(tx, await insertUser(tx, user, admin), now, { company_id });
  });
  return clientOf(t.url, { ...t.demo, token });
};

it('decisions §4.5: who leads a hook elsewhere is not told what waited of an incident that is hidden from them', async () => {
  const t = await sender({ 'webhook-first-retry': HOUR });
  const colleague = await colleagueOf(t);
  const [before, after] = [await endpoint(answering(503)), await endpoint()];
  const { id } = await makeHook(t.demo, before.url);
  const incident = { title: 'Between us', private: true };
  const hidden = (await t.demo.post('~/incidents', { incident })).json.id as number;
  const near_miss = { incident_id: hidden, description: 'nobody else' };
  expect((await t.demo.post('~/incidents/near_misses', { near_miss })).status).toBe(201);
  await until(() => before.received.length === 1, 'the first attempt');
  const open = await makeNearMiss(t.demo);
  await until(async () => (await deliveriesOf(t.demo, id)).length === 1, 'its delivery');
  const hook = { destination_url: after.url };
  expect((await colleague.patch(`${HOOKS}/${id}`, { hook })).status).toBe(200);
  await until(async () => (await waitingFor(t)) === 0, 'the rest');
  expect(after.received.map(({ body }) => body.resource_id)).toEqual([open]);
});

it('decisions §4.5: a hook is not told what waited of an incident that was made private meanwhile', async () => {
  const t = await sender({ 'webhook-first-retry': HOUR });
  const colleague = await colleagueOf(t);
  const e = await endpoint(answering(503));
  const { id } = await makeHook(t.demo, e.url, {
    triggers: [
      ['Near Misses', 'create'],
      ['Incidents', 'create'],
    ],
  });
  await makeNearMiss(t.demo, 'tried first, and again');
  await until(async () => (await deliveriesOf(t.demo, id)).length === 1, 'the first attempt');
  const made = await colleague.post('~/incidents', { incident: { title: 'Not for everybody' } });
  const incident_id = made.json.id as number;
  const near_miss = { incident_id, description: 'theirs' };
  expect((await colleague.post('~/incidents/near_misses', { near_miss })).status).toBe(201);
  const open = await makeNearMiss(t.demo);
  const hide = { incident: { private: true } };
  expect((await colleague.patch(`~/incidents/${incident_id}`, hide)).status).toBe(200);
  expect(await waitingFor(t)).toBe(4);
  e.answer(answering(200));
  t.clock.advance(2 * HOUR);
  await until(async () => (await waitingFor(t)) === 0, 'the rest');
  const told = e.received.slice(1).map(({ body }) => [body.resource_name, body.resource_id]);
  expect(told.map(([name]) => name)).toEqual(['Near Misses', 'Near Misses']);
  expect(told.at(-1)).toEqual(['Near Misses', open]);
});
