/**
 * B10: 10,000 pending events for one healthy endpoint, from the first delivery to the last: signed, in order, each with a
 * durable delivery record, on SQLite and PostgreSQL. The peer is a loop that posts the same body as often over a persistent
 * connection and records nothing.
 */
import { withDefaults } from '../../src/service/options.ts';
import { insertEvent } from '../../src/service/store/events.ts';
import { openStore } from '../../src/service/store/engine/open.ts';
import { headersOf, listOf, openDatabases, type Engine } from './databases.ts';
import { compare, type Side } from './machine.ts';
import {
  type Running,
  type ServiceLine,
  startEndpoint,
  startPeer,
  startService,
} from './processes.ts';

const COUNT = Number(process.env['BENCH_COUNT'] ?? 10_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const TOGETHER = 100;

const asked = async (service: ServiceLine, path: string, body?: object): Promise<unknown> => {
  const answer = await fetch(service.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { ...headersOf(service), 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
};

const hear = async (service: ServiceLine, destination_url: string): Promise<void> => {
  const { company_id } = service;
  const hooks = '/rest/v1.0/webhooks/hooks';
  const hook = { api_version: 'v2', destination_url };
  const { id } = (await asked(service, hooks, { company_id, hook })) as { id: number };
  const trigger = { resource_name: 'Near Misses', event_type: 'update' };
  await asked(service, `${hooks}/${id}/triggers`, { company_id, api_version: 'v2', trigger });
};

export const webhooks = async (): Promise<void> => {
  const databases = await openDatabases();
  const endpoint = await startEndpoint();
  const loop = await startPeer(1, 'loop.js', []);
  const more = ['--allow-private-webhooks'];

  const sideOf = async (engine: Engine): Promise<Side> => {
    const data_dir = databases.folder();
    const url = engine === 'SQLite' ? '' : await databases.empty();
    const options = [...more, ...(url === '' ? [] : ['--database-url', url])];
    const open = (): Promise<Running<ServiceLine>> => startService(data_dir, 0, options);
    const service = await open();
    await hear(service.first, endpoint.first.url);
    const [record] = (await asked(service.first, listOf(service.first))) as { id: number }[];
    await service.end();
    const { company_id, project_id } = service.first;
    const event = {
      company_id,
      project_id,
      user_id: 1,
      event_type: 'update',
      resource_name: 'Near Misses',
      resource_id: record?.id ?? 0,
    } as const;
    return {
      name: `Spotter on ${engine}`,
      round: async () => {
        const store = await openStore(withDefaults({ 'data-dir': data_dir, 'database-url': url }));
        for (let made = 0; made < COUNT; made += TOGETHER)
          await store.write(async (tx) => {
            for (let n = made; n < Math.min(made + TOGETHER, COUNT); n += 1)
              await insertEvent(tx, { ...event, created_at: Date.now() });
          }, company_id);
        await store.close();
        const told = endpoint.next(String(COUNT));
        const running = await open();
        const { ms } = await told;
        await running.end();
        return COUNT / (ms / 1000);
      },
    };
  };
  try {
    await compare('webhooks', 'events/s', ROUNDS, [
      await sideOf('SQLite'),
      await sideOf('PostgreSQL'),
      {
        name: 'a loop over a kept connection',
        round: async () => {
          const told = endpoint.next(String(COUNT));
          const body = JSON.stringify({ id: 1, event_type: 'update', metadata: {}, of: 'a loop' });
          await loop.next(JSON.stringify({ url: endpoint.first.url, body, count: COUNT }));
          return COUNT / ((await told).ms / 1000);
        },
      },
    ]);
  } finally {
    await endpoint.end();
    await loop.end();
    await databases.end();
  }
};
