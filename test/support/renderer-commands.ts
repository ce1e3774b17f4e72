/**
 * The real host and the real service for tests that run in a browser: each command runs in Node, beside the test. Between
 * host and service stands the proxy that breaks HTTP on purpose, so the whole way is real: window, carrier (vitest's
 * own channel here), host, HTTP, service, SQLite.
 */
import { randomUUID } from 'node:crypto';
import { Buffer } from 'node:buffer';
import type { BrowserCommand } from 'vitest/node';
import type { CarrierReply, HostDoor } from '../../src/contract/carrier.ts';
import type { SessionView } from '../../src/contract/host.ts';
import type { NearMiss } from '../../src/contract/rest/near-misses.ts';
import { startHost } from '../../src/host/index.ts';
import { memoryVault } from '../../src/host/vault/memory.ts';
import { randomFrom } from '../prove/random.ts';
import { photoCommands } from './photo-files.ts';
import { type Chaos, firstOf, type Plan, type Seen, startChaos } from './chaos.ts';
import { flap, type Flapping } from './flapping.ts';
import { startTestService, tempDir, type TestService } from './service.ts';
import { REPLY_WORKER } from '../../src/host/reply-worker-source.ts';

/** What a command carries: bytes as base64, because the channel is JSON. */
export interface CarriedReply {
  readonly result: CarrierReply['result'];
  readonly bytes: string | null;
}

/** What the proxy does with requests: let them pass, answer 502, or cut the answer of the first creates. */
export type Weather =
  | 'fair'
  | 'down'
  | 'lost_answers'
  | 'half_answers'
  | 'lost_incidents'
  | 'lost_writes'
  | 'half_writes'
  /** Reads are answered, writes so; `after` in seconds. */
  | { readonly writes: number; readonly after?: number }
  /** Of the requests that carry photo bytes this share is cut in the middle, by a seed. */
  | { readonly cuts: number; readonly seed: number };

interface World {
  readonly service: TestService;
  readonly chaos: Chaos;
  readonly folder: ReturnType<typeof tempDir>;
  readonly vault: ReturnType<typeof memoryVault>;
  door: HostDoor;
  flapping?: Flapping;
}

const worlds = new Map<string, World>();
const worldOf = (id: string): World => {
  const world = worlds.get(id);
  if (world === undefined) throw new Error(`no world ${id}`);
  return world;
};

const openDoor = async (world: Pick<World, 'folder' | 'vault'>): Promise<HostDoor> => {
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

const realStart: BrowserCommand<[]> = async (): Promise<{ id: string; session: SessionView }> => {
  const service = await startTestService();
  const chaos = await startChaos(service.url);
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
/** Writes of insurances, members and webhooks. */
const isCompanyWrite = ({ method, path }: Seen): boolean =>
  method !== 'GET' && /\/(insurances|project_memberships|webhooks)\b/.test(path);
const plans: Readonly<Record<Extract<Weather, string>, () => Plan>> = {
  fair: () => () => null,
  down: () => () => ({ kind: 'answer', status: 502 }),
  lost_answers: () => firstOf(4, isCreate, { kind: 'cut_reply', after: -1 }),
  half_answers: () => firstOf(4, isCreate, { kind: 'cut_reply', after: 20 }),
  lost_writes: () => firstOf(2, isCompanyWrite, { kind: 'cut_reply', after: -1 }),
  half_writes: () => firstOf(2, isCompanyWrite, { kind: 'cut_reply', after: 5 }),
  lost_incidents: () => firstOf(2, isIncident, { kind: 'cut_reply', after: -1 }),
};

const planOf = (weather: Weather): Plan => {
  if (typeof weather === 'string') return plans[weather]();
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
  worldOf(id).chaos.plan = planOf(weather);
};

/** What went through the proxy: requests by method, and how many of them were cut or turned away. */
const realSeen: BrowserCommand<[string]> = (_context, id) => {
  const { seen } = worldOf(id).chaos;
  const of = (method: string) => seen.filter((one) => one.method === method);
  return {
    puts: of('PUT').length,
    puts_in: of('PUT').filter(({ status }) => status === 200).length,
    posts: of('POST').length,
  };
};

/** From now on the network comes and goes, by a seed. */
const realFlap: BrowserCommand<[string, number, number]> = (_context, id, seed, outages) => {
  const world = worldOf(id);
  world.flapping = flap(world.chaos, seed, outages);
};

/** How many outages there were; waits until the last is over. */
const realFlapped: BrowserCommand<[string]> = async (_context, id): Promise<number> => {
  const { flapping } = worldOf(id);
  await flapping?.over;
  return flapping?.outages() ?? 0;
};

/** Stops the host and starts another on the same folder. Its vault was memory: the user connects again. */
const realRestartHost: BrowserCommand<[string]> = async (_context, id) => {
  const world = worldOf(id);
  await world.door.stop();
  world.door = await openDoor(world);
  const plan = world.chaos.plan;
  world.chaos.plan = () => null;
  await connect(world);
  world.chaos.plan = plan;
};

/** The near misses on the service whose text holds `text`, asked of the service itself. */
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
  realSeen,
  realFlap,
  realFlapped,
  realRestartHost,
  realRecords,
  realStop,
};
