/**
 * Routes requests through the company's HTTP proxy. The environment (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`, in either case)
 * is read and validated once at the start. If it names no proxy, the system's settings and PAC script decide, provided the
 * shell can query them. Requests to this machine never use a proxy. A refusal by the proxy becomes a `ProxyRefusal`, so that
 * its page is never mistaken for a response of the server (failures A24).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, EnvHttpProxyAgent, Pool, type Dispatcher } from 'undici';
import { isThisMachine } from './address.ts';
import { codeOf, wordsOf } from '../lib/log.ts';

/** Proxy URL per scheme; '' means none. `no_proxy` keeps the environment's syntax: names, `.suffixes`, `*`. */
export interface Proxies {
  readonly http: string;
  readonly https: string;
  readonly no_proxy: string;
}

export const noProxies: Proxies = { http: '', https: '', no_proxy: '' };

const schemes = new Set(['http:', 'https:', 'socks5:', 'socks:']);

/** Parses a proxy's address. Accepts the common short form: `proxy:3128` means `http://proxy:3128`. Null if invalid. */
const proxyUrl = (typed: string): string | null => {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `http://${typed}`;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return schemes.has(url.protocol) && url.hostname !== '' ? url.href : null;
};

/**
 * Reads the proxies from the environment. `unusable` lists the variables that hold no valid proxy address. It never includes
 * their values, which may contain a password.
 */
export const readProxies = (
  env: Readonly<Record<string, string | undefined>>,
): { readonly proxies: Proxies; readonly unusable: readonly string[] } => {
  const unusable: string[] = [];
  const read = (name: string): string => {
    const typed = (env[name.toLowerCase()] || env[name] || '').trim();
    if (typed === '') return '';
    const url = proxyUrl(typed);
    if (url === null) unusable.push(name);
    return url ?? '';
  };
  const http = read('HTTP_PROXY');
  const https = read('HTTPS_PROXY');
  const no_proxy = env['no_proxy'] || env['NO_PROXY'] || '';
  return { proxies: { http, https, no_proxy }, unusable };
};

/** The proxy refused to forward the request. `status` is its response status, or 0 if it was not reached. */
export class ProxyRefusal extends Error {
  readonly code = 'PROXY_REFUSED';
  readonly status: number;
  constructor(status: number, options?: ErrorOptions) {
    super(status === 0 ? 'the proxy was not reached' : `the proxy answered ${status}`, options);
    this.status = status;
  }
}

type Connector = (options: object, done: (error: Error | null, socket: unknown) => void) => unknown;

/** Connection pool to the proxy. A failed connection is the proxy's fault, not the server's. */
const proxyPool = (origin: URL | string, options: object): Pool => {
  const { connect } = options as { readonly connect: Connector };
  const judged: Connector = (given, done) =>
    connect(given, (error, socket) =>
      done(error === null ? null : new ProxyRefusal(0, { cause: error }), socket),
    );
  return new Pool(origin, { ...options, connect: judged as never });
};

/**
 * Opens a tunnel through the proxy. undici exposes the status of a refusal only in its message, so this reads it from the
 * response.
 */
const proxyClient = (origin: URL, options: object): Dispatcher => {
  const pool = proxyPool(origin, options);
  const connect = pool.connect.bind(pool) as (
    given: Dispatcher.ConnectOptions,
  ) => Promise<Dispatcher.ConnectData>;
  const judged = async (given: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> => {
    const answer = await connect(given);
    if (answer.statusCode === 200) return answer;
    answer.socket.on('error', () => undefined).destroy();
    throw new ProxyRefusal(answer.statusCode);
  };
  return Object.assign(pool, { connect: judged });
};

/** Returns the system's proxy for a URL in PAC syntax: `PROXY proxy.firm:3128; DIRECT`. */
export type SystemProxy = (address: string) => Promise<string>;

/**
 * Timeout for the system's lookup, in milliseconds. Searching the network for a PAC script may be slow, so the request then
 * goes direct.
 */
const SYSTEM_MS = 5_000;

const SCHEME_OF: Readonly<Record<string, string>> = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  SOCKS: 'socks5',
  SOCKS5: 'socks5',
};

/** Parses a PAC result into proxy URLs in order of preference. '' is the direct route. */
export const waysOfSystem = (said: string): string[] => {
  const ways = said.split(';').flatMap((way) => {
    const [kind = '', place = ''] = way.trim().split(/\s+/);
    if (kind.toUpperCase() === 'DIRECT') return [''];
    const scheme = SCHEME_OF[kind.toUpperCase()];
    const url = scheme === undefined ? null : proxyUrl(`${scheme}://${place}`);
    return url === null ? [] : [url];
  });
  return ways.length === 0 ? [''] : ways;
};

const askSystem = async (system: SystemProxy, address: string): Promise<string[]> => {
  const late = new AbortController();
  const none = pause(SYSTEM_MS, 'DIRECT', { signal: late.signal, ref: false });
  const said = system(address).catch(() => 'DIRECT');
  try {
    return waysOfSystem(await Promise.race([said, none]));
  } finally {
    none.catch(() => undefined);
    late.abort();
  }
};

/** How long a system lookup is reused, in milliseconds. Draining the queue sends hundreds of requests a minute. */
const KNOWN_MS = 10_000;
const KNOWN_MOST = 50;

/** Caches system lookups by origin, so that concurrent requests to one server share a lookup. */
const createAsker = (system: SystemProxy): ((address: string) => Promise<string[]>) => {
  const known = new Map<string, { readonly until: number; readonly ways: Promise<string[]> }>();
  return (address) => {
    const { origin } = new URL(address);
    const now = performance.now();
    const last = known.get(origin);
    if (last !== undefined && now < last.until) return last.ways;
    if (known.size >= KNOWN_MOST) known.clear();
    const ways = askSystem(system, address);
    known.set(origin, { until: now + KNOWN_MS, ways });
    return ways;
  };
};

export interface Routes {
  /** Routes to this address in order of preference. The next is tried if the proxy of the previous one is unreachable. */
  to(address: string): Promise<readonly Dispatcher[]>;
  stop(): Promise<void>;
}

type Connect = Exclude<Agent.Options['connect'], undefined | ((...given: never[]) => unknown)>;

/** `options` applies to every pool, `connect` to every connection including the one to the proxy. */
export const createRoutes = (
  options: Omit<Agent.Options, 'connect'> & { readonly connect: Connect },
  { http, https, no_proxy }: Proxies,
  system?: SystemProxy,
): Routes => {
  const direct = new Agent(options);
  const agentOf = (given: Proxies): EnvHttpProxyAgent => {
    const named = [given.http, given.https].filter((url) => url !== '');
    const origins = named.map((url) => new URL(url).origin);
    return new EnvHttpProxyAgent({
      ...options,
      httpProxy: given.http,
      httpsProxy: given.https,
      noProxy: given.no_proxy,
      proxyTls: options.connect,
      requestTls: options.connect,
      clientFactory: proxyClient,
      factory: (origin, more) =>
        origins.includes(new URL(origin).origin) ? proxyPool(origin, more) : new Pool(origin, more),
    });
  };
  const proxied = http === '' && https === '' ? null : agentOf({ http, https, no_proxy });
  const ask = system === undefined ? null : createAsker(system);
  /** Agents by the URL of the proxy that the system named. */
  const bySystem = new Map<string, EnvHttpProxyAgent>();
  const through = (proxy: string): Dispatcher => {
    if (proxy === '') return direct;
    const agent = bySystem.get(proxy) ?? agentOf({ http: proxy, https: proxy, no_proxy: '' });
    bySystem.set(proxy, agent);
    return agent;
  };
  return {
    to: async (address) => {
      const url = new URL(address);
      if (isThisMachine(url.hostname)) return [direct];
      if (proxied !== null) return [(url.protocol === 'https:' ? https : http) ? proxied : direct];
      return ask === null ? [direct] : (await ask(address)).map(through);
    },
    stop: async () => {
      const agents = [direct, proxied, ...bySystem.values()];
      await Promise.all(agents.map((agent) => agent?.destroy()));
    },
  };
};

/** The status with which the proxy refused, or 0 if it was not reached. Null if the proxy is not to blame. */
export const proxyStatus = (error: unknown): number | null => {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth += 1)
    if (at instanceof ProxyRefusal) return at.status;
  const code = codeOf(error);
  // For an unencrypted request that the proxy would forward directly, undici reports its 407 only in the message.
  if (code === 'UND_ERR_INVALID_ARG' && wordsOf(error).includes('(407)')) return 407;
  return code.startsWith('UND_ERR_PRX_') ? 0 : null;
};
