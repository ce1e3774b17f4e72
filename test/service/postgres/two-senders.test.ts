/**
 * Two service processes on one PostgreSQL both send webhooks. Only one at a time serves a hook, so nothing is sent twice or out
 * of order; when one is killed the other continues (failures S17).
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { TOGETHER } from '../../../src/service/webhooks/dispatcher.ts';
import { databaseOf } from '../../support/database.ts';
import {
  bareDemo,
  clientOf,
  spawnService,
  tempDir,
  type Client,
  type ServiceProcess,
} from '../../support/service.ts';
import { endpoint, makeHook, until, type Answering, type Endpoint } from '../webhooks/support.ts';

/** Longer than a starved endpoint pauses: an answer after the timeout would cause a second delivery. */
const TIMEOUT_MS = 2_000;
const HOOKS = 3;
/** Writers per process, and the minimum and maximum of turns of each. */
const WRITERS = 2;
const TURNS = 20;
const MOST_TURNS = 500;

const folder = (): string => {
  const dir = tempDir('two-senders');
  onTestFinished(() => dir.remove());
  return dir.path;
};

const sender = async (path: string): Promise<ServiceProcess> => {
  const service = await spawnService(
    bareDemo(
      path,
      '--allow-private-webhooks',
      '--webhook-first-retry=20ms',
      '--webhook-longest-retry=50ms',
      `--webhook-timeout=${TIMEOUT_MS}ms`,
      '--webhook-interval=20ms',
      '--log-level=warn',
    ),
  );
  onTestFinished(() => service.end('SIGKILL').then(() => undefined));
  return service;
};

const clientFor = ({ first }: ServiceProcess): Client => clientOf(first.url, first);

/** Takes as long as a real endpoint, so that both processes always have work. */
const slowly: Answering = (response) =>
  void setTimeout(() => response.end(), 3 + Math.random() * 12);

const post = async (client: Client, description: string): Promise<number | null> => {
  const near_miss = { incident_id: 1, description };
  const made = await client.post('~/incidents/near_misses', { near_miss }).catch(() => null);
  return made?.status === 201 ? (made.json.id as number) : null;
};

const idsTold = (e: Endpoint): number[] => e.received.map(({ body }) => body.resource_id as number);

const expectTold = (e: Endpoint, acknowledged: readonly number[]): void => {
  const told = new Set(idsTold(e));
  expect(acknowledged.filter((id) => !told.has(id))).toEqual([]);
  // One event has one webhook-id, however often it is sent.
  const ids = new Map(e.received.map(({ body, headers }) => [headers['webhook-id'], body.id]));
  expect(ids.size).toBe(new Set(e.received.map(({ body }) => body.id)).size);
  // First deliveries are in the order of the events.
  const firsts = [...new Set(e.received.map(({ body }) => body.id))];
  expect(firsts).toEqual([...firsts].sort((a, b) => a - b));
};

describe('two processes send webhooks', () => {
  it('decisions §9.5: every event reaches every endpoint once and in order, and both processes take part', async () => {
    const path = folder();
    const both = await Promise.all([sender(path), sender(path)]);
    const clients = both.map(clientFor);
    const [first] = clients as [Client];
    const endpoints = await Promise.all(Array.from({ length: HOOKS }, () => endpoint(slowly)));
    for (const e of endpoints) await makeHook(first, e.url);

    const { query } = await databaseOf(path);
    const owners = new Set<unknown>();
    const acknowledged: number[] = [];
    const writer = async (client: Client, name: string): Promise<void> => {
      // Chance decides which process takes a released hook, so keep writing until both have had one.
      for (let turn = 0; turn < TURNS || (owners.size < 2 && turn < MOST_TURNS); turn += 1) {
        const id = await post(client, `${name} ${turn}`);
        if (id === null) throw new Error(`${name} ${turn} was not taken`);
        acknowledged.push(id);
      }
    };
    let written = false;
    const watch = async (): Promise<void> => {
      await until(async () => {
        for (const row of await query('select lease_owner from webhook_hooks'))
          if (row['lease_owner'] !== null) owners.add(row['lease_owner']);
        return written && endpoints.every((e) => e.received.length >= acknowledged.length);
      }, 'everything told');
    };
    const writers = clients.flatMap((client, at) =>
      Array.from({ length: WRITERS }, (_, n) => writer(client, `${at}-${n}`)),
    );
    const all = Promise.all(writers).finally(() => (written = true));
    await Promise.all([watch(), all]);
    // Nothing is pending any more, so every duplicate has arrived.
    await until(
      async () => (await query('select event_id from webhook_pending')).length === 0,
      'an empty outbox',
    );
    for (const one of both) expect((await one.end()).code).toBe(0);
    for (const e of endpoints) {
      expectTold(e, acknowledged);
      expect(e.received, 'nothing twice').toHaveLength(acknowledged.length);
    }
    expect(owners.size, 'both processes had a hook').toBe(2);
  });

  it('failures S17: one is killed while both send: everything arrives, a repetition carries the same webhook-id', async () => {
    const path = folder();
    const [one, two] = (await Promise.all([sender(path), sender(path)])) as [
      ServiceProcess,
      ServiceProcess,
    ];
    const endpoints = await Promise.all(Array.from({ length: HOOKS }, () => endpoint(slowly)));
    for (const e of endpoints) await makeHook(clientFor(two), e.url);
    const acknowledged: number[] = [];
    let killed: Promise<unknown> | undefined;
    const writer = async (service: ServiceProcess): Promise<void> => {
      for (let turn = 0; turn < 60; turn += 1) {
        const id = await post(clientFor(service), `killed ${turn}`);
        if (id !== null) acknowledged.push(id);
        if (acknowledged.length === 60) killed ??= one.end('SIGKILL');
      }
    };
    await Promise.all([one, one, two, two].map(writer));
    await killed;
    expect(acknowledged.length).toBeGreaterThanOrEqual(120);
    await until(
      () => endpoints.every((e) => acknowledged.every((id) => idsTold(e).includes(id))),
      'everything told',
    );
    expect((await two.end()).code).toBe(0);
    for (const e of endpoints) {
      expectTold(e, acknowledged);
      // Only events that the killed process sent and had not yet recorded can be repeated.
      const repeated = e.received.length - new Set(idsTold(e)).size;
      expect(repeated).toBeLessThanOrEqual(TOGETHER);
    }
  }, 300_000);

  it('failures S17: killed between sending and recording: the other tells the same event, same id, when the lease runs out', async () => {
    const path = folder();
    const one = await sender(path);
    let held: (() => void) | undefined;
    const e = await endpoint((response, count) => {
      if (count === 0) held = () => response.end();
      else response.end();
    });
    await makeHook(clientFor(one), e.url);
    const first = await post(clientFor(one), 'in flight');
    await until(() => held !== undefined, 'an attempt under way');
    const killed = one.end('SIGKILL');
    const two = await sender(path);
    await killed;
    held?.();
    const second = await post(clientFor(two), 'behind it');
    await until(() => e.received.length >= 3, 'the same again, and the next');
    expect(idsTold(e)).toEqual([first, first, second]);
    expect(e.received[1]?.headers['webhook-id']).toBe(e.received[0]?.headers['webhook-id']);
    expect(e.received[1]?.text).toBe(e.received[0]?.text);
    expect((await two.end()).code).toBe(0);
  });
});
