/** Namespaces of webhooks (reference: Events 2 and 3): hooks that are independent of each other. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client, TestService } from '../../support/service.ts';
import {
  deliveriesOf,
  HOOKS,
  makeNearMiss,
  startEndpoint,
  startSender,
  until,
  type Endpoint,
} from '../webhooks/support.ts';

let t: TestService;
const undo: (() => Promise<void>)[] = [];
beforeAll(async () => {
  t = await startSender();
  undo.push(() => t.stop());
});
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});
const endpoint = async (): Promise<Endpoint> => {
  const made = await startEndpoint();
  undo.push(() => made.close());
  return made;
};

const scopeOf = (client: Client, by: 'company_id' | 'project_id') => ({ [by]: client[by] });
const makeIn = async (
  namespace: string,
  destination_url: string,
  by: 'company_id' | 'project_id' = 'company_id',
  client: Client = t.demo,
): Promise<number> => {
  const hook = { namespace, destination_url, api_version: 'v2' };
  const made = await client.post(HOOKS, { ...scopeOf(client, by), hook });
  expect(made.status, made.text).toBe(201);
  return made.json.id as number;
};
const addTrigger = (
  id: number,
  namespace: string,
  by: 'company_id' | 'project_id' = 'company_id',
  client: Client = t.demo,
) =>
  client.post(`${HOOKS}/${id}/triggers?namespace=${namespace}`, {
    ...scopeOf(client, by),
    api_version: 'v2',
    trigger: { resource_name: 'Near Misses', event_type: 'create' },
  });
const found = async (
  namespace: string,
  by: 'company_id' | 'project_id' = 'company_id',
  client: Client = t.demo,
): Promise<number[]> =>
  (await client.get(`${HOOKS}?${by}=${client[by]}&namespace=${namespace}`)).json.map(
    ({ id }: { id: number }) => id,
  ) as number[];

describe('reference, Events 3', () => {
  it('reference, Events 3: hooks in several namespaces: what is done in one leaves the others, and all are told (reference R-events-6, R-events-7, R-webhooks-10)', async () => {
    const endpoints = [await endpoint(), await endpoint(), await endpoint(), await endpoint()];
    const places = [
      ['acme-portal', 'company_id'],
      ['other-portal', 'company_id'],
      ['acme-portal', 'project_id'],
      ['other-portal', 'project_id'],
    ] as const;
    const ids: number[] = [];
    for (const [index, [namespace, by]] of places.entries()) {
      const id = await makeIn(namespace, endpoints[index]?.url ?? '', by);
      expect((await addTrigger(id, namespace, by)).status).toBe(201);
      ids.push(id);
    }
    for (const [index, [namespace, by]] of places.entries())
      expect(await found(namespace, by)).toEqual([ids[index]]);
    const [first = 0] = ids;
    const state = async (index: number): Promise<string> => {
      const [namespace] = places[index] ?? [''];
      const path = `${HOOKS}/${ids[index]}`;
      const hook = await t.demo.get(`${path}?namespace=${namespace}`);
      const triggers = await t.demo.get(`${path}/triggers?namespace=${namespace}`);
      return hook.text + triggers.text;
    };
    const others = async () => [await state(1), await state(2), await state(3)];
    const before = await others();
    // Every operation on a hook and its triggers, in the first namespace only.
    const mine = `${HOOKS}/${first}?namespace=acme-portal`;
    const changed = await t.demo.patch(mine, { hook: { api_version: 'v9' } });
    expect(changed.status).toBe(200);
    await makeNearMiss(t.demo);
    for (const e of endpoints) await until(() => e.received.length === 1);
    const [trigger] = (await t.demo.get(`${HOOKS}/${first}/triggers?namespace=acme-portal`)).json;
    const gone = `/rest/v1.0/webhooks/triggers/${trigger.id}?namespace=acme-portal`;
    expect((await t.demo.delete(gone)).status).toBe(204);
    expect(await others()).toEqual(before);
    expect((await t.demo.delete(mine)).status).toBe(204);
    expect(await others()).toEqual(before);
    expect(await found('acme-portal')).toEqual([]);
    await makeNearMiss(t.demo);
    for (const e of endpoints.slice(1)) await until(() => e.received.length === 2);
    expect(endpoints[0]?.received).toHaveLength(1);
  });

  it('reference, Events 3: <publisher>-<application> is a namespace, the same in every company and project (reference R-events-8)', async () => {
    const [one, two] = [await endpoint(), await endpoint()];
    const mine = await makeIn('northline-safety', one.url);
    const theirs = await makeIn('northline-safety', two.url, 'company_id', t.other);
    await addTrigger(mine, 'northline-safety');
    await addTrigger(theirs, 'northline-safety', 'company_id', t.other);
    expect(await found('northline-safety')).toEqual([mine]);
    expect(await found('northline-safety', 'company_id', t.other)).toEqual([theirs]);
    await makeNearMiss(t.demo);
    await until(() => one.received.length === 1);
    await until(
      async () => (await deliveriesOf(t.demo, mine, '?namespace=northline-safety')).length === 1,
    );
    expect(await deliveriesOf(t.other, theirs, '?namespace=northline-safety')).toEqual([]);
    expect(two.received).toHaveLength(0);
  });
});

describe('reference, Webhooks management', () => {
  it('reference, Webhooks management: a hook holds api_version, namespace, destination_url and destination_headers (reference R-webhooks-2, R-webhooks-3)', async () => {
    const hook = {
      api_version: 'v2',
      namespace: 'body-shape',
      destination_url: 'http://127.0.0.1:8080/hook',
      destination_headers: {},
    };
    for (const by of ['company_id', 'project_id'] as const) {
      const made = await t.demo.post(HOOKS, { ...scopeOf(t.demo, by), hook });
      expect([made.status, made.json[by]]).toEqual([201, t.demo[by]]);
      expect(made.json).toMatchObject(hook);
      const path = `${HOOKS}/${made.json.id}?namespace=body-shape`;
      expect((await t.demo.get(path)).json).toMatchObject(hook);
    }
    for (const [name, value] of [
      ['api_version', 2],
      ['destination_url', undefined],
      ['destination_url', 5],
      ['destination_headers', 'Authorization: x'],
    ] as const) {
      const body = { company_id: t.demo.company_id, hook: { ...hook, [name]: value } };
      const answer = await t.demo.post(HOOKS, body);
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, [`hook.${name}`]]);
    }
  });

  it('reference, Webhooks management: a trigger requires api_version, a text, and trigger with resource_name and event_type (reference R-webhooks-7, R-webhooks-8, R-webhooks-9)', async () => {
    for (const by of ['company_id', 'project_id'] as const) {
      const id = await makeIn(`trigger-${by.replace('_', '-')}`, 'http://127.0.0.1:8080/hook', by);
      const path = `${HOOKS}/${id}/triggers?namespace=trigger-${by.replace('_', '-')}`;
      const good = {
        ...scopeOf(t.demo, by),
        api_version: 'v2',
        trigger: { resource_name: 'Near Misses', event_type: 'update' },
      };
      const made = await t.demo.post(path, good);
      expect(made.status).toBe(201);
      expect(made.json).toMatchObject({
        webhook_hook_id: id,
        api_version: 'v2',
        ...good.trigger,
        ...scopeOf(t.demo, by),
      });
      expect((await t.demo.get(path)).json).toEqual([made.json]);
      for (const [change, field] of [
        [{ api_version: undefined }, 'api_version'],
        [{ api_version: 2 }, 'api_version'],
        [{ trigger: undefined }, 'trigger'],
        [{ trigger: { event_type: 'update' } }, 'trigger.resource_name'],
        [{ trigger: { resource_name: 'Near Misses' } }, 'trigger.event_type'],
        [{ trigger: { resource_name: 5, event_type: 'update' } }, 'trigger.resource_name'],
      ] as const) {
        const answer = await t.demo.post(path, { ...good, ...change });
        expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, [field]]);
      }
    }
    const nowhere = await t.demo.post(`${HOOKS}/4711/triggers`, {
      company_id: t.demo.company_id,
      api_version: 'v2',
      trigger: { resource_name: 'Near Misses', event_type: 'update' },
    });
    expect(nowhere.status).toBe(404);
  });
});
