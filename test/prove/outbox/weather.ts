/**
 * The network of a run: the script's faults as the proxy's plan, the points that only the network sees, and the account of
 * photo bytes that were sent more than once.
 */
import type { Fault, Plan, Seen } from '../../support/chaos.ts';
import { randomFrom } from '../random.ts';
import {
  type FaultKind,
  type FaultPlan,
  foreignKinds,
  type PointName,
  type Route,
  type Script,
} from './script.ts';

const pathOf = ({ path }: Pick<Seen, 'path'>): string => path.split('?', 1)[0] ?? '';

const BATCH = '/rest/v1.0/batch';
/** The routes of the writes that a batch carries. Its fault is chosen before its body arrives. */
const inBatches: readonly string[] = ['create', 'change', 'delete', 'restore'];

/** The purpose of a request; null if no fault applies to it. */
const routeOf = ({ method, path }: Pick<Seen, 'method' | 'path'>): Route | 'batch' | null => {
  const bare = pathOf({ path });
  if (bare === BATCH) return 'batch';
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

/** A gateway's answer in place of the server's, never in the API's own format. */
const foreignAnswer = (status: number, size: number): Fault => {
  const said = [
    ['text/html', `<!doctype html><h1>${status}</h1>`],
    ['text/plain', 'No.'],
    ['application/json', '{"message":"no Route matched with those values"}'],
  ][size] ?? ['text/plain', ''];
  return {
    kind: 'answer',
    status,
    headers: { 'content-type': said[0] ?? '' },
    body: said[1] ?? '',
  };
};

/** A response to someone else: a near miss of the sample data with other words. */
const otherRecord = (id: number): Fault => {
  const words = 'Not what this laptop wrote';
  const record = { id, incident_id: 1, description: words, description_plain_text: words };
  return { kind: 'answer', status: 200, headers: json, body: JSON.stringify(record) };
};

/** Translates a fault of the script for the proxy. Slow faults end when the faults are cleared. */
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
    case 'foreign_401':
    case 'foreign_403':
    case 'foreign_404':
    case 'foreign_409':
      return foreignAnswer(Number(kind.slice(-3)), size);
    case 'other_record':
      return otherRecord(size);
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

const isForeign = (kind: FaultKind): boolean =>
  (foreignKinds as readonly FaultKind[]).includes(kind);

/** Number of consecutive requests that a fault needs. */
const turnsOf = ({ kind, size }: FaultPlan): number => (kind === 'burst_5xx' ? size : 1);

/** Fails every write while reads work. */
interface WriteOutage {
  readonly status: number;
  readonly retry_after: boolean;
}

export interface Weather {
  readonly plan: Plan;
  readonly struck: Map<FaultKind, number>;
  /** Numbers of the requests that the proxy answered, which the service never saw. */
  readonly answered: Set<number>;
  /** Faults that struck while photo bytes were in flight. */
  on_photos: number;
  /** Segments that were resent although the service had confirmed them since. */
  readonly needless: string[];
  /** Idempotency keys with a foreign last answer: it must not park anything. */
  readonly foreign: Set<string>;
  /** True if a fault refused a token, so that a person must sign in again. */
  refused: boolean;
  offline: boolean;
  writes: WriteOutage | null;
  /** Writes refused by the outage and photo uploads cut, besides the script's single faults. */
  turned_away: number;
  cut: number;
  /** Ends all faults, also running ones: a photo that returns byte by byte would outlast the run. */
  clear(): void;
}

/**
 * @param reached called at the points that the network sees; returns a promise if a process is killed there, which the request
 * awaits
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

  const faultFor = (route: Route | 'batch'): FaultPlan | null => {
    for (const one of open) {
      const fits = route === 'batch' ? inBatches.includes(one.fault.on) : one.fault.on === route;
      if (one.fault.on !== 'any' && !fits) continue;
      // A byte address uses no token: its 401 would mean that the upload has expired.
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
  /** Addresses of segments that were confirmed when their upload was last requested. */
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
    foreign: new Set(),
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
      // Every other seed has a server without batches, which is served one by one.
      if (route === 'batch' && seed % 2 === 1) {
        weather.answered.add(seen.number);
        const body = '{"errors":["Not found."]}';
        return { kind: 'answer', status: 404, headers: json, body };
      }
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
      const key = String(seen.headers['idempotency-key'] ?? '');
      weather.foreign.delete(key);
      if (fault !== null) {
        if (isForeign(fault.kind)) weather.foreign.add(key);
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

/** Number of photo uploads in flight. */
export const inFlight = (seen: readonly Seen[]): number =>
  seen.filter((one) => one.method === 'PUT' && !one.done && one.received > 0).length;

/** Segment bytes that were received more than once. */
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
