/**
 * Many laptops that were offline replay at once. Each sends its creates sequentially, each under its own key, and retries while
 * a service does not answer, as the app does. Real HTTP on loopback, bounded in number and time.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { clientOf, type Client } from '../support/service.ts';

/** A laptop's service and its token there. */
export interface Seat {
  readonly url: string;
  readonly token: string;
  readonly company_id: number;
  readonly project_id: number;
  readonly incident_id: number;
}

/** @throws if the project has no incident */
export const seatAt = async (
  url: string,
  access: Pick<Seat, 'token' | 'company_id' | 'project_id'>,
): Promise<Seat> => {
  const { json } = await clientOf(url, access).get('~/incidents');
  const [incident] = json as { readonly id: number }[];
  if (!incident) throw new Error('the project has no incident');
  const { token, company_id, project_id } = access;
  return { url, token, company_id, project_id, incident_id: incident.id };
};

export interface Fleet {
  /** Prefix of every description and key. */
  readonly name: string;
  /** One per laptop. */
  readonly seats: readonly Seat[];
  /** Creates per laptop. */
  readonly each: number;
  /** Time limit of one create, milliseconds. */
  readonly patience?: number;
}

export interface FleetReport {
  /** Acknowledged ids, by key. */
  readonly acknowledged: ReadonlyMap<string, number>;
  /** Milliseconds from the first attempt to the answer, sorted, by company. */
  readonly waits: ReadonlyMap<number, readonly number[]>;
  /** Attempts without an answer, or with one that asks to retry later. */
  readonly again: number;
  readonly failures: readonly string[];
  readonly seconds: number;
}

const listOf = ({ url, project_id }: Seat): string =>
  `${url}/rest/v1.0/projects/${project_id}/incidents/near_misses`;

const create = async (seat: Seat, key: string): Promise<number | 'later' | string> => {
  const answer = await fetch(listOf(seat), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${seat.token}`,
      'service-company-id': String(seat.company_id),
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ near_miss: { incident_id: seat.incident_id, description: key } }),
  }).catch(() => null);
  const text = await answer?.text().catch(() => null);
  if (answer === null || text === null || text === undefined) return 'later';
  if (answer.status === 201) return (JSON.parse(text) as { id: number }).id;
  return answer.status >= 500 || answer.status === 429 ? 'later' : `${answer.status} ${text}`;
};

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** Runs all laptops at once, until each create is answered or has exceeded its time limit. */
export const playFleet = async ({
  name,
  seats,
  each,
  patience = 120_000,
}: Fleet): Promise<FleetReport> => {
  const acknowledged = new Map<string, number>();
  const waits = new Map<number, number[]>();
  const failures: string[] = [];
  let again = 0;
  const send = async (seat: Seat, key: string): Promise<void> => {
    const began = performance.now();
    for (let tries = 0; ; tries += 1) {
      const answer = await create(seat, key);
      const ms = performance.now() - began;
      if (typeof answer === 'number') {
        acknowledged.set(key, answer);
        waits.set(seat.company_id, [...(waits.get(seat.company_id) ?? []), ms]);
        return;
      }
      if (answer !== 'later' || ms > patience)
        return void failures.push(`${key}: ${answer} after ${Math.round(ms)} ms`);
      again += 1;
      await pause(Math.min(1_000, 20 * 2 ** tries) * (0.5 + Math.random() / 2));
    }
  };
  const laptop = async (seat: Seat, at: number): Promise<void> => {
    for (let turn = 0; turn < each; turn += 1) await send(seat, `${name}-${at}-${turn}`);
  };
  const began = performance.now();
  await Promise.all(seats.map(laptop));
  const seconds = (performance.now() - began) / 1000;
  const sorted = [...waits].map(([id, all]) => [id, all.sort((a, b) => a - b)] as const);
  return { acknowledged, waits: new Map(sorted), again, failures, seconds };
};

/** Compares the services' records with the acknowledged ones. @param seats one per company */
export const compareFleet = async (
  { name }: Pick<Fleet, 'name'>,
  seats: readonly Seat[],
  { acknowledged }: FleetReport,
): Promise<readonly string[]> => {
  const kept: { readonly id: number; readonly description: string }[] = [];
  for (const seat of seats)
    for (let page = 1; ; page += 1) {
      const query = `~/incidents/near_misses?per_page=1000&page=${page}`;
      const { status, json } = await clientOf(seat.url, seat).get(query);
      if (status !== 200) return [`the list was answered ${status}`];
      const rows = json as typeof kept;
      kept.push(...rows.filter(({ description }) => description.startsWith(`${name}-`)));
      if (rows.length < 1000) break;
    }
  const ids = new Map(kept.map(({ description, id }) => [description, id]));
  const wrong = ids.size === kept.length ? [] : [`${kept.length - ids.size} records twice`];
  for (const [key, id] of acknowledged)
    if (ids.get(key) !== id) wrong.push(`${key}: answered ${id}, kept ${String(ids.get(key))}`);
  return wrong;
};

export interface Listener {
  readonly url: string;
  /** Deliveries of each event, by the record's id. */
  readonly told: ReadonlyMap<number, number>;
  /** Events that arrived again while they were still being answered. */
  readonly at_once: readonly string[];
  close(): Promise<void>;
}

/** A slow webhook endpoint, so that two senders of the same event would overlap here. */
export const startListener = async (): Promise<Listener> => {
  const told = new Map<number, number>();
  const at_once: string[] = [];
  const here = new Set<string>();
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id']);
    if (here.has(id)) at_once.push(id);
    here.add(id);
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { resource_id } = JSON.parse(Buffer.concat(parts).toString()) as {
        resource_id: number;
      };
      told.set(resource_id, (told.get(resource_id) ?? 0) + 1);
      setImmediate(() => response.end());
    });
    response.once('close', () => here.delete(id));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    told,
    at_once,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

const HOOKS = '/rest/v1.0/webhooks/hooks';

/** Sends the listener an event for every later near miss of the client's company. */
export const listen = async (client: Client, { url }: Listener): Promise<void> => {
  const { company_id } = client;
  const hook = { api_version: 'v2', destination_url: url, destination_headers: {} };
  const made = await client.post(HOOKS, { company_id, hook });
  const trigger = { resource_name: 'Near Misses', event_type: 'create' };
  const wired = await client.post(`${HOOKS}/${String(made.json?.id)}/triggers`, {
    company_id,
    api_version: 'v2',
    trigger,
  });
  if (wired.status !== 201) throw new Error(`no hook: ${made.text} ${wired.text}`);
};

/** Waits until each record's event has arrived; returns how many are missing. */
export const toldAll = async (
  { told }: Listener,
  ids: Iterable<number>,
  within = 60_000,
): Promise<number> => {
  const wanted = [...ids];
  for (const end = Date.now() + within; ; await pause(50)) {
    const missing = wanted.filter((id) => !told.has(id)).length;
    if (missing === 0 || Date.now() > end) return missing;
  }
};

/** `742 creates/s; p50 120 ms, p99 480 ms (company 1), …; 12 tried again`. */
export const fleetWords = ({ acknowledged, waits, again, seconds }: FleetReport): string => {
  const of = (all: readonly number[], share: number) => percentile(all, share).toFixed(0);
  const companies = [...waits].map(
    ([id, all]) => `company ${id}: ${all.length}, p50 ${of(all, 0.5)} ms, p99 ${of(all, 0.99)} ms`,
  );
  const rate = (acknowledged.size / seconds).toFixed(0);
  return `${rate} creates/s; ${companies.join('; ')}; ${again} tried again`;
};
