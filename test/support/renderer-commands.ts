/**
 * Runs the real host and service for tests in a browser. Each command runs in Node. The chaos proxy sits between host and
 * service, so the whole path is real: window, carrier (vitest's channel), host, HTTP, service, SQLite.
 */
import { randomUUID } from 'node:crypto';
import { Buffer } from 'node:buffer';
import type { BrowserCommand } from 'vitest/node';
import type { CarrierReply, HostApi } from '../../src/contract/carrier.ts';
import type { SessionView } from '../../src/contract/host.ts';
import type { NearMiss } from '../../src/contract/rest/near-misses.ts';
import { startHost } from '../../src/host/index.ts';
import { memoryVault } from '../../src/host/vault/memory.ts';
import { randomFrom } from '../prove/random.ts';
import { photoCommands } from './photo-files.ts';
import { type Chaos, firstOf, type Plan, type Seen, startChaos } from './chaos.ts';
import { flap, type Flapping } from './flapping.ts';
import { startTestService, tempDir, testClock, type TestService } from './service.ts';
import { REPLY_WORKER } from '../../src/host/http/reply-worker-source.ts';

/** A response on the JSON channel, with its bytes as base64. */
export interface CarriedReply {
  readonly result: CarrierReply['result'];
  readonly bytes: string | null;
}

/** Behaviour of the proxy: let requests pass, answer 502, or cut the responses of the first creates. */
export type Weather =
  | 'fair'
  | 'down'
  | 'lost_answers'
  /** Cuts the response of the first create; from then on every connection ends without an answer. */
  | 'lost_then_away'
  | 'half_answers'
  | 'lost_incidents'
  | 'lost_writes'
  | 'half_writes'
  /** Reads are answered; writes get the status `writes`, with `after` seconds as Retry-After. */
  | { readonly writes: number; readonly after?: number }
  /** Cuts this share of the photo uploads in the middle, by a seed. */
  | { readonly cuts: number; readonly seed: number };

interface World {
  readonly service: TestService;
  readonly chaos: Chaos;
  readonly folder: ReturnType<typeof tempDir>;
  readonly vault: ReturnType<typeof memoryVault>;
  door: HostApi;
  flapping?: Flapping;
}

const worlds = new Map<string, World>();
const worldOf = (id: string): World => {
  const world = worlds.get(id);
  if (world === undefined) throw new Error(`no world ${id}`);
  return world;
};

const openDoor = async (world: Pick<World, 'folder' | 'vault'>): Promise<HostApi> => {
  const started = await startHost({
    reply_worker: REPLY_WORKER,
    data_dir: world.folder.path,
    vault: world.vault,
    start_service: null,
    shell: 'test',
    version: 'test',
    log: () => {},
  });
  if (!started.ok) throw new Error(started.problem.detail);
  return started.value;
};

const connect = async ({ service, chaos, door }: World): Promise<SessionView> => {
  const { company_id, project_id, token } = service.demo;
  const address = chaos.url;
  const input = { kind: 'server', address, company_id, project_id, token };
  const { result } = await door.call('session.connect', input);
  if (!result.ok) throw new Error(JSON.stringify(result.problem));
  return result.value as SessionView;
};

/** @param clocked the service's time is this machine's until `realLater`, instead of a day in January */
const realStart: BrowserCommand<[boolean]> = async (
  _context,
  clocked,
): Promise<{ id: string; session: SessionView }> => {
  const service = await startTestService({}, clocked ? testClock(Date.now()) : undefined);
  const chaos = await startChaos(service.url);
  if (clocked) chaos.date = service.clock.now;
  const folder = tempDir('host');
  const vault = memoryVault();
  const door = await openDoor({ folder, vault });
  const world = { service, chaos, folder, vault, door };
  const session = await connect(world);
  const id = randomUUID();
  worlds.set(id, world);
  return { id, session };
};

const realCall: BrowserCommand<[string, string, unknown, string | null]> = async (
  _context,
  id,
  method,
  input,
  bytes,
): Promise<CarriedReply> => {
  const given = bytes === null ? undefined : new Uint8Array(Buffer.from(bytes, 'base64'));
  const reply = await worldOf(id).door.call(method, input, given);
  const out = reply.bytes === undefined ? null : Buffer.from(reply.bytes).toString('base64');
  return { result: reply.result, bytes: out };
};

const isCreate = (seen: Seen): boolean =>
  seen.method === 'POST' && seen.path.endsWith('/near_misses');
const isIncident = (seen: Seen): boolean =>
  seen.method === 'POST' && seen.path.endsWith('/incidents');
/** Matches writes of insurances, members, webhooks and comments. */
const isOtherWrite = ({ method, path }: Seen): boolean =>
  method !== 'GET' && /\/(insurances|project_memberships|webhooks|comments)\b/.test(path);
const plans: Readonly<Record<Extract<Weather, string>, (chaos: Chaos) => Plan>> = {
  fair: () => () => null,
  down: () => () => ({ kind: 'answer', status: 502 }),
  lost_answers: () => firstOf(4, isCreate, { kind: 'cut_reply', after: -1 }),
  half_answers: () => firstOf(4, isCreate, { kind: 'cut_reply', after: 20 }),
  lost_then_away: (chaos) => {
    let lost = false;
    return (seen) => {
      if (lost) chaos.target = null;
      if (lost || !isCreate(seen)) return null;
      lost = true;
      return { kind: 'cut_reply', after: -1 };
    };
  },
  lost_writes: () => firstOf(2, isOtherWrite, { kind: 'cut_reply', after: -1 }),
  half_writes: () => firstOf(2, isOtherWrite, { kind: 'cut_reply', after: 5 }),
  lost_incidents: () => firstOf(2, isIncident, { kind: 'cut_reply', after: -1 }),
};

const planOf = (weather: Weather, chaos: Chaos): Plan => {
  if (typeof weather === 'string') return plans[weather](chaos);
  if ('writes' in weather) {
    const { writes: status, after } = weather;
    const headers: Record<string, string> =
      after === undefined ? {} : { 'retry-after': String(after) };
    return ({ method }) => (method === 'GET' ? null : { kind: 'answer', status, headers });
  }
  const random = randomFrom(weather.seed);
  return ({ method }) =>
    method === 'PUT' && random() < weather.cuts ? { kind: 'cut_request', after: 300_000 } : null;
};

const realWeather: BrowserCommand<[string, Weather]> = (_context, id, weather) => {
  const { chaos, service } = worldOf(id);
  chaos.target = service.url;
  chaos.plan = planOf(weather, chaos);
};

/** Moves the service's clock, and with it the `Date` of its responses. */
const realLater: BrowserCommand<[string, number]> = (_context, id, ms) => {
  worldOf(id).service.clock.advance(ms);
};

/** Counts of requests at the proxy: by method, and cut or refused. */
const realSeen: BrowserCommand<[string]> = (_context, id) => {
  const { seen } = worldOf(id).chaos;
  const of = (method: string) => seen.filter((one) => one.method === method);
  return {
    puts: of('PUT').length,
    puts_in: of('PUT').filter(({ status }) => status === 200).length,
    posts: of('POST').length,
  };
};

/** Starts outages by a seed. */
const realFlap: BrowserCommand<[string, number, number]> = (_context, id, seed, outages) => {
  const world = worldOf(id);
  world.flapping = flap(world.chaos, seed, outages);
};

/** Waits for the last outage to end and returns the number of outages. */
const realFlapped: BrowserCommand<[string]> = async (_context, id): Promise<number> => {
  const { flapping } = worldOf(id);
  await flapping?.over;
  return flapping?.outages() ?? 0;
};

/** Stops the host and starts another on the same folder. The vault was in memory, so the user connects again. */
const realRestartHost: BrowserCommand<[string]> = async (_context, id) => {
  const world = worldOf(id);
  await world.door.stop();
  world.door = await openDoor(world);
  const plan = world.chaos.plan;
  world.chaos.plan = () => null;
  await connect(world);
  world.chaos.plan = plan;
};

/** Near misses on the service that contain `text`, read directly from the service. */
const realRecords: BrowserCommand<[string, string]> = async (
  _context,
  id,
  text,
): Promise<NearMiss[]> => {
  const query = `filters[query]=${encodeURIComponent(text)}&per_page=1000`;
  return (await worldOf(id).service.demo.get(`~/incidents/near_misses?${query}`))
    .json as NearMiss[];
};

const realStop: BrowserCommand<[string]> = async (_context, id) => {
  const world = worldOf(id);
  worlds.delete(id);
  await world.door.stop();
  await world.chaos.close();
  await world.service.stop();
  world.folder.remove();
};

export const rendererCommands = {
  ...photoCommands,
  realStart,
  realCall,
  realWeather,
  realLater,
  realSeen,
  realFlap,
  realFlapped,
  realRestartHost,
  realRecords,
  realStop,
};
