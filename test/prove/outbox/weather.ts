/**
 * The network of a run: the faults of its script as the proxy's plan, the points that only the network sees, and the
 * account of photo bytes that went out more than once.
 */
import type { Fault, Plan, Seen } from '../../support/chaos.ts';
import { randomFrom } from '../random.ts';
import type { FaultKind, FaultPlan, PointName, Route, Script } from './script.ts';

const pathOf = ({ path }: Pick<Seen, 'path'>): string => path.split('?', 1)[0] ?? '';

/** What a request is for; null for what no fault touches. */
export const routeOf = ({ method, path }: Pick<Seen, 'method' | 'path'>): Route | null => {
  const bare = pathOf({ path });
  if (method === 'PUT') return 'segment';
  if (method === 'POST' && bare.endsWith('/near_misses')) return 'create';
  if (method === 'POST' && bare.endsWith('/uploads')) return 'upload';
  if (method === 'PATCH' && /\/uploads\/[^/]+$/.test(bare)) return 'complete';
  if (method === 'PATCH' && bare.includes('/recycle_bin/')) return 'restore';
  if (method === 'PATCH') return 'change';
  if (method === 'DELETE') return 'delete';
  return method === 'GET' ? 'read' : null;
};

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const html = '<!doctype html><title>Wi-Fi</title><h1>Please accept the terms</h1>';
const json = { 'content-type': 'application/json' };
const retryAfters = ['0', '1', new Date(0).toUTCString(), 'soon'];

/** The proxy's word for a fault of the script. What takes its time ends with the bad weather. */
const faultOf = ({ kind, size }: FaultPlan, fair: AbortSignal): Fault => {
  switch (kind) {
    case 'late':
      return {
        kind: 'hold_reply',
        until: async () => {
          await wait(size);
          return 'pass';
        },
      };
    case 'cut_request':
      return { kind: 'cut_request', after: size };
    case 'cut_reply':
      return { kind: 'cut_reply', after: size };
    case 'lost_reply':
      return { kind: 'cut_reply', after: -1 };
    case 'burst_5xx':
      return { kind: 'answer', status: [500, 502, 503, 504][size % 4] ?? 503 };
    case 'busy_429':
      return {
        kind: 'answer',
        status: 429,
        headers: { 'retry-after': retryAfters[size] ?? '0' },
      };
    case 'refused_401':
      return { kind: 'answer', status: 401, headers: json, body: '{"errors":["No."]}' };
    case 'html_200':
      return { kind: 'answer', status: 200, headers: { 'content-type': 'text/html' }, body: html };
    case 'redirect':
      return { kind: 'answer', status: 302, headers: { location: 'http://127.0.0.1:9/login' } };
    case 'garbage':
      return { kind: 'answer', status: 200, headers: json, body: '{"id": 1, "descr' };
    case 'flip':
      return { kind: 'flip', at: size };
    case 'drip':
      return { kind: 'drip', every_ms: size, over: fair };
    case 'stall':
      return { kind: 'stall', over: fair };
  }
};

/** A fault may need several requests in a row. */
const turnsOf = ({ kind, size }: FaultPlan): number => (kind === 'burst_5xx' ? size : 1);

/** Every write is answered so, while reads are what they are. */
export interface WriteOutage {
  readonly status: number;
  readonly retry_after: boolean;
}

export interface Weather {
  readonly plan: Plan;
  /** Faults that struck, by kind. */
  readonly struck: Map<FaultKind, number>;
  /** Numbers of the requests that the proxy answered by itself: the service never heard of them. */
  readonly answered: Set<number>;
  /** Faults that met photo bytes. */
  on_photos: number;
  /** Segments sent again although the service, asked since, had said that it has them. */
  readonly needless: string[];
  /** Was a token refused by a fault? Someone must sign in again. */
  refused: boolean;
  offline: boolean;
  writes: WriteOutage | null;
  /** Writes that met the outage, and photo bytes that were cut, beyond the script's single faults. */
  turned_away: number;
  cut: number;
  /** Nothing goes wrong any more, nor goes on going wrong: a photo that comes back byte by byte would outlast the run. */
  clear(): void;
}

/**
 * @param reached asked at the points that the network sees; a promise where someone is killed there, which the request
 *   waits for
 */
export const createWeather = (
  { faults, cuts, seed }: Pick<Script, 'faults' | 'cuts' | 'seed'>,
  reached: (point: PointName) => Promise<void> | null,
): Weather => {
  const struck = new Map<FaultKind, number>();
  const random = randomFrom(seed);
  let share = cuts;
  const fair = new AbortController();
  let open = faults.map((fault) => ({ fault, passed: 0, left: turnsOf(fault) }));

  const faultFor = (route: Route): FaultPlan | null => {
    for (const one of open) {
      if (one.fault.on !== 'any' && one.fault.on !== route) continue;
      // A byte address knows no tokens: its 401 would say that the upload is over.
      if (one.fault.kind === 'refused_401' && route === 'segment') continue;
      one.passed += 1;
      if (one.passed < one.fault.nth || one.left === 0) continue;
      one.left -= 1;
      if (one.left === turnsOf(one.fault) - 1)
        struck.set(one.fault.kind, (struck.get(one.fault.kind) ?? 0) + 1);
      return one.fault;
    }
    return null;
  };

  const puts: Seen[] = [];
  /** Addresses of segments that were in when their upload was last asked for. */
  const told = new Set<string>();
  const account = (seen: Seen): void => {
    const path = pathOf(seen);
    const upload = /\/uploads\/([^/]+)$/.exec(path)?.[1];
    if (seen.method === 'GET' && upload !== undefined)
      for (const one of puts)
        if (one.status >= 200 && one.status < 300 && !weather.answered.has(one.number))
          if (pathOf(one).includes(upload)) told.add(pathOf(one));
    if (seen.method !== 'PUT') return;
    if (told.has(path)) weather.needless.push(path);
    puts.push(seen);
  };

  const weather: Weather = {
    struck,
    answered: new Set(),
    on_photos: 0,
    needless: [],
    refused: false,
    offline: false,
    writes: null,
    turned_away: 0,
    cut: 0,
    plan(seen) {
      account(seen);
      if (weather.offline) return { kind: 'answer', status: 502 };
      const route = routeOf(seen);
      if (route === null) return null;
      if (weather.writes !== null && route !== 'read') {
        weather.turned_away += 1;
        weather.answered.add(seen.number);
        const { status, retry_after } = weather.writes;
        return { kind: 'answer', status, headers: retry_after ? { 'retry-after': '1' } : {} };
      }
      if (route === 'segment' && random() < share) {
        weather.cut += 1;
        weather.on_photos += 1;
        return { kind: 'cut_request', after: Math.floor(random() * 300_000) };
      }
      const fault = faultFor(route);
      if (fault !== null) {
        if (fault.kind === 'refused_401') weather.refused = true;
        if (route === 'segment') weather.on_photos += 1;
        const made = faultOf(fault, fair.signal);
        if (made.kind === 'answer') weather.answered.add(seen.number);
        return made;
      }
      if (route === 'segment') {
        const killed = reached('mid-segment');
        if (killed !== null) return { kind: 'hold_request', after: 150_000, until: killed };
      } else if (route !== 'read') {
        return {
          kind: 'hold_reply',
          until: async () => {
            const killed = reached('after-send-before-response');
            await killed;
            return killed === null ? 'pass' : 'cut';
          },
        };
      }
      return null;
    },
    clear() {
      open = [];
      weather.offline = false;
      weather.writes = null;
      share = 0;
      fair.abort();
    },
  };
  return weather;
};

/** Photo bytes on their way at a moment: PUTs that are not over. */
export const inFlight = (seen: readonly Seen[]): number =>
  seen.filter((one) => one.method === 'PUT' && !one.done && one.received > 0).length;

/** Bytes of segments that were received more than once. */
export const resentBytes = (seen: readonly Seen[]): number => {
  const byPath = new Map<string, number[]>();
  for (const one of seen)
    if (one.method === 'PUT')
      byPath.set(pathOf(one), [...(byPath.get(pathOf(one)) ?? []), one.received]);
  return [...byPath.values()].reduce(
    (total, received) =>
      total + received.reduce((sum, one) => sum + one, 0) - Math.max(...received),
    0,
  );
};
