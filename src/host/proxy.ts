/**
 * The firm's HTTP proxy, as the environment names it (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`, in either case): read once
 * at the start, judged, and never used for this machine. A proxy that refuses is a `ProxyRefusal`, so that its page is
 * neither taken for the server's answer nor for a success (failures A24).
 */
import { Agent, EnvHttpProxyAgent, Pool, type Dispatcher } from 'undici';
import { isThisMachine } from './address.ts';
import { codeOf, wordsOf } from './log.ts';

/** Which proxy leads where; '' for none. `no_proxy` as the environment spells it: names, `.suffixes`, `*`. */
export interface Proxies {
  readonly http: string;
  readonly https: string;
  readonly no_proxy: string;
}

export const noProxies: Proxies = { http: '', https: '', no_proxy: '' };

const schemes = new Set(['http:', 'https:', 'socks5:', 'socks:']);

/** `proxy:3128`, as many write it, is `http://proxy:3128`. Null where it is no proxy's address. */
const proxyUrl = (typed: string): string | null => {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `http://${typed}`;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return schemes.has(url.protocol) && url.hostname !== '' ? url.href : null;
};

/**
 * The proxies that an environment names, and the names of those variables that name none that could be used (never their
 * values: they may hold a password).
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

/** The proxy does not lead on: `status` is what it answered, 0 where it was not reached. */
class ProxyRefusal extends Error {
  readonly code = 'PROXY_REFUSED';
  readonly status: number;
  constructor(status: number, options?: ErrorOptions) {
    super(status === 0 ? 'the proxy was not reached' : `the proxy answered ${status}`, options);
    this.status = status;
  }
}

type Connector = (options: object, done: (error: Error | null, socket: unknown) => void) => unknown;

/** Connections to the proxy itself: one that cannot be made is the proxy's fault, not the server's. */
const proxyPool = (origin: URL | string, options: object): Pool => {
  const { connect } = options as { readonly connect: Connector };
  const judged: Connector = (given, done) =>
    connect(given, (error, socket) =>
      done(error === null ? null : new ProxyRefusal(0, { cause: error }), socket),
    );
  return new Pool(origin, { ...options, connect: judged as never });
};

/** Asks the proxy for a tunnel. With which status it refused undici itself only puts into words. */
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

export interface Routes {
  /** By which way this address is reached. */
  to(address: string): Dispatcher;
  stop(): Promise<void>;
}

type Connect = Exclude<Agent.Options['connect'], undefined | ((...given: never[]) => unknown)>;

/** `options` are of every pool, `connect` of every connection, the one to the proxy included. */
export const createRoutes = (
  options: Omit<Agent.Options, 'connect'> & { readonly connect: Connect },
  { http, https, no_proxy }: Proxies,
): Routes => {
  const direct = new Agent(options);
  const origins = [http, https].filter((url) => url !== '').map((url) => new URL(url).origin);
  const proxied =
    origins.length === 0
      ? null
      : new EnvHttpProxyAgent({
          ...options,
          httpProxy: http,
          httpsProxy: https,
          noProxy: no_proxy,
          proxyTls: options.connect,
          requestTls: options.connect,
          clientFactory: proxyClient,
          factory: (origin, given) =>
            origins.includes(new URL(origin).origin)
              ? proxyPool(origin, given)
              : new Pool(origin, given),
        });
  return {
    to: (address) => {
      const url = new URL(address);
      const named = url.protocol === 'https:' ? https : http;
      return proxied === null || named === '' || isThisMachine(url.hostname) ? direct : proxied;
    },
    stop: async () => {
      await Promise.all([direct.destroy(), proxied?.destroy()]);
    },
  };
};

/** The status with which the proxy refused, 0 where it was not reached; null: the proxy is not to blame. */
export const proxyStatus = (error: unknown): number | null => {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth += 1)
    if (at instanceof ProxyRefusal) return at.status;
  const code = codeOf(error);
  // A request that the proxy would pass on whole, unencrypted: undici's words for its 407.
  if (code === 'UND_ERR_INVALID_ARG' && wordsOf(error).includes('(407)')) return 407;
  return code.startsWith('UND_ERR_PRX_') ? 0 : null;
};
