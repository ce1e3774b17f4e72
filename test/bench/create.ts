/**
 * B4: near misses created over 32 connections: with a token, all rules, six foreign ids, an idempotency key and its event's
 * row, durable when answered, on SQLite and PostgreSQL. Ours also in batches of 50, as a laptop sends its queue. Peers: Fastify
 * that stores in memory, and Fastify that writes one durable jsonb row of PostgreSQL. Neither validates, numbers, joins or
 * remembers anything. `BENCH_DELAY`: round-trip time to PostgreSQL in milliseconds, for ours and the peer.
 */
import { ulid } from 'ulid';
import { compare, type Side } from './machine.ts';
import { headersOf, listOf, openDatabases, type Engine } from './databases.ts';
import { load, type Request } from './load.ts';
import { startRecords, type Running, type ServiceLine } from './processes.ts';

const COUNT = Number(process.env['BENCH_COUNT'] ?? 3000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const CONNECTIONS = Number(process.env['BENCH_CONNECTIONS'] ?? 32);
const DELAY = Number(process.env['BENCH_DELAY'] ?? 0);
const AWAY = 3;
/** Records of one batch, and batches in flight: what one laptop sends. */
const BATCH = 50;
const BATCHES = 2;
const OURS_ONLY = process.env['BENCH_OURS'] === '1';

interface Catalog {
  readonly [list: string]: readonly { readonly id: number }[];
}

/** A record that references one of everything, as a form sends it. */
const recordOf = async (service: ServiceLine): Promise<object> => {
  const answer = await fetch(`${service.url}/rest/v1.0/projects/${service.project_id}/catalog`, {
    headers: headersOf(service),
  });
  const catalog = (await answer.json()) as Catalog;
  const first = (list: string) => catalog[list]?.[0]?.id;
  return {
    incident_id: first('incidents'),
    description: '<p>Sling of the formwork panel slipped while it was lifted.</p>',
    affected_company_id: first('companies'),
    affected_party_id: first('parties'),
    affected_person_id: first('people'),
    harm_source_id: first('harm_sources'),
    work_activity_id: first('work_activities'),
    managed_equipment_id: first('managed_equipment'),
  };
};

const side = (
  name: string,
  url: string,
  path: string,
  headers: Record<string, string>,
  record: object,
): Side => {
  const body = JSON.stringify(record);
  const next = (): Request => ({
    method: 'POST',
    path,
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': ulid() },
    body,
  });
  return {
    name,
    round: async () => {
      const { rate, p50, p99 } = await load(url, CONNECTIONS, COUNT, 201, next);
      console.log(
        `    ${name}: half within ${p50.toFixed(1)} ms, 99 of 100 within ${p99.toFixed(1)} ms`,
      );
      return rate;
    },
  };
};

/** The same records in batches; the rate counts records. */
const batchSide = (
  name: string,
  url: string,
  path: string,
  headers: Record<string, string>,
  body: object,
): Side => {
  const next = (): Request => ({
    method: 'POST',
    path: '/rest/v1.0/batch',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      operations: Array.from({ length: BATCH }, () => ({
        method: 'POST',
        path,
        idempotency_key: ulid(),
        body,
      })),
    }),
  });
  return {
    name,
    round: async () => BATCH * (await load(url, BATCHES, Math.ceil(COUNT / BATCH), 207, next)).rate,
  };
};

const createAt = async (delay: number): Promise<void> => {
  const databases = await openDatabases(delay);
  const running: Running<unknown>[] = [];
  const kept = async <T>(starting: Promise<Running<T>>): Promise<T> => {
    const one = await starting;
    running.push(one);
    return one.first;
  };
  const ours = async (engine: Engine): Promise<readonly [readonly Side[], object]> => {
    const service = await kept(databases.ours(engine, 0));
    const near_miss = await recordOf(service);
    const headers = headersOf(service);
    const name = `Spotter on ${engine}`;
    const path = listOf(service);
    return [
      [
        side(name, service.url, path, headers, { near_miss }),
        batchSide(`${name}, batches of ${BATCH}`, service.url, path, headers, { near_miss }),
      ],
      near_miss,
    ];
  };
  const peer = async (name: string, near_miss: object, address?: string): Promise<Side> => {
    const { url } = await kept(startRecords(address));
    return side(name, url, '/near_misses', {}, { near_miss });
  };
  try {
    const engines: readonly Engine[] = delay === 0 ? ['SQLite', 'PostgreSQL'] : ['PostgreSQL'];
    const sides: Side[] = [];
    let near_miss = {};
    for (const engine of engines) {
      const [some, record] = await ours(engine);
      sides.push(...some);
      near_miss = record;
    }
    if (!OURS_ONLY) {
      if (delay === 0) sides.push(await peer('Fastify in memory', near_miss));
      sides.push(await peer('Fastify, one jsonb row', near_miss, await databases.empty()));
    }
    await compare(delay === 0 ? 'create' : `create-${delay}ms`, 'req/s', ROUNDS, sides);
  } finally {
    for (const one of running) await one.end();
    await databases.end();
  }
};

export const create = (): Promise<void> => createAt(DELAY);

/** With PostgreSQL at the distance of another machine on the same site. */
export const createAway = (): Promise<void> => createAt(AWAY);
