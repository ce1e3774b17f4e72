/**
 * Moves bytes over HTTP, for every part of the host: one keep-alive pool, and for each exchange a deadline on the
 * connection, on silence (no byte either way) and on the whole, so that a dripping or stalled peer cannot hold the
 * queue (failures A7). Where a name has several addresses the next is tried soon after a silent one (failures A24).
 * Redirects are never followed. What goes wrong is a `Problem`; a status is not judged here.
 */
import type { LookupFunction } from 'node:net';
import { type Dispatcher, request as send } from 'undici';
import { fail, ok, type Problem, type Result } from '../contract/problem.ts';
import { codeOf, wordsOf } from './log.ts';
import { isDamage, TAKEN, unpack } from './unpack.ts';
import { createRoutes, noProxies, proxyStatus, type Proxies, type SystemProxy } from './proxy.ts';
import { trustingSystem } from './trust.ts';

export interface TransportLimits {
  readonly connect_ms: number;
  /** No byte sent and none received for this long. */
  readonly idle_ms: number;
  /** A whole exchange without a large body. */
  readonly overall_ms: number;
  /** Added to `overall_ms` for each byte that is sent or expected: the slowest line that still counts as one. */
  readonly ms_per_byte: number;
}

export const usualLimits: TransportLimits = {
  connect_ms: 10_000,
  idle_ms: 30_000,
  overall_ms: 120_000,
  ms_per_byte: 1 / 8, // 8 kB/s
};

export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | (() => AsyncIterable<Uint8Array>);
  /** Bytes of the body, or of the answer: what the overall deadline grows by. */
  readonly weight?: number;
  readonly signal?: AbortSignal | undefined;
  /** The answer may come packed; `read` gives it unpacked, and its bound is on that. */
  readonly packed?: boolean;
  /** Photo bytes on their way out: only a few such exchanges run at once, so that a record's text never waits behind them. */
  readonly bulk?: boolean;
}

/** An answer whose body is still to be read, in order, by `read`. */
export interface Incoming {
  readonly status: number;
  header(name: string): string | null;
  /** Gives every chunk to `take`; stops with `too_large` past `max` bytes. */
  read(max: number, take: (chunk: Uint8Array) => void): Promise<Result<null>>;
}

export interface Transport {
  /** Opens an exchange, hands the answer to `use`, and always closes it. */
  exchange<T>(
    outgoing: Outgoing,
    use: (incoming: Incoming) => Promise<Result<T>>,
  ): Promise<Result<T>>;
  stop(): Promise<void>;
}

const offlineReasons: Readonly<Record<string, 'refused' | 'dns' | 'reset' | 'unreachable'>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  EAI_NODATA: 'dns',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  ETIMEDOUT: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'unreachable',
};

const tlsCode =
  /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO$|HOSTNAME_MISMATCH$|INVALID_CA$)/;

/** What the proxy said, 0: nothing. That the server is away or took too long is not its own refusal. */
const proxyReasons: Readonly<Record<number, 'unreachable' | 'proxy_away' | 'proxy_sign_in'>> = {
  0: 'proxy_away',
  407: 'proxy_sign_in',
  502: 'unreachable',
  503: 'unreachable',
  504: 'unreachable',
};
const proxyProblem = (status: number, detail: string): Problem => ({
  kind: 'offline',
  reason: proxyReasons[status] ?? 'proxy',
  detail,
});

/** An error of the network as a problem. `status` is 0 until an answer began. */
const problemOf = (error: unknown, status: number): Problem => {
  const code = codeOf(error);
  const detail = wordsOf(error);
  const proxy = proxyStatus(error);
  if (proxy !== null) return proxyProblem(proxy, detail);
  if (tlsCode.test(code)) return { kind: 'offline', reason: 'tls', detail };
  if (code.startsWith('HPE_'))
    return { kind: 'broken_reply', status, looks_like: 'garbage', detail };
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return { kind: 'broken_reply', status, looks_like: 'too_large', detail };
  const reason = offlineReasons[code];
  if (isDamage(code)) return { kind: 'broken_reply', status, looks_like: 'garbage', detail };
  // The answer began and did not end: the outcome of a write is unknown (failures A3).
  if (status > 0) return { kind: 'broken_reply', status, looks_like: 'truncated', detail };
  if (reason) return { kind: 'offline', reason, detail };
  return { kind: 'offline', reason: 'unreachable', detail };
};

/** The one watch of an exchange: silence, the whole, and the caller's own signal all end it by `abort`. */
const createWatch = (limits: TransportLimits, weight: number, signal: AbortSignal | undefined) => {
  const controller = new AbortController();
  let why: Problem | null = null;
  const end = (problem: Problem) => {
    why ??= problem;
    controller.abort();
  };
  const whole = limits.overall_ms + weight * limits.ms_per_byte;
  const overall = setTimeout(() => end({ kind: 'timeout', after_ms: Math.round(whole) }), whole);
  const idle = setTimeout(() => end({ kind: 'timeout', after_ms: limits.idle_ms }), limits.idle_ms);
  const cancel = () => end({ kind: 'cancelled' });
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  return {
    signal: controller.signal,
    heard: () => void idle.refresh(),
    why: () => why,
    close: () => {
      clearTimeout(overall);
      clearTimeout(idle);
      signal?.removeEventListener('abort', cancel);
    },
  };
};

const BULK_AT_ONCE = 6;
const CONNECTIONS = 24;

/** So many at a time; the others wait in order, without their deadlines running. */
const createSlots = (count: number) => {
  const waiting: (() => void)[] = [];
  let free = count;
  return async <T>(run: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
};

async function* counted(source: AsyncIterable<Uint8Array>, heard: (bytes: number) => void) {
  for await (const chunk of source) {
    const { byteLength } = chunk; // whoever gets it may give its memory back
    yield chunk;
    heard(byteLength);
  }
}

/** More bytes came than may. */
class TooMuch extends Error {}

/**
 * How long one address of a name may stay silent before the next is tried, milliseconds: an IPv6 that leads nowhere costs
 * that much, and a satellite line (0.6 s there and back) still answers in time.
 */
const NEXT_ADDRESS_MS = 750;

/** By the first of these ways whose proxy is there. */
const sendBy = async <T>(
  [way, ...others]: readonly Dispatcher[],
  by: (way: Dispatcher) => Promise<T>,
): Promise<T> => {
  if (way === undefined) throw new Error('no way leads out');
  try {
    return await by(way);
  } catch (error) {
    if (others.length === 0 || proxyStatus(error) !== 0) throw error;
    return sendBy(others, by);
  }
};

/** The network as it is given: which proxies lead out of it, and who knows the names. */
export interface Network {
  readonly proxies?: Proxies;
  /** Asked where the environment names no proxy. */
  readonly system_proxy?: SystemProxy | undefined;
  readonly lookup?: LookupFunction;
}

export const createTransport = (
  limits: TransportLimits = usualLimits,
  { proxies = noProxies, system_proxy, lookup }: Network = {},
): Transport => {
  const routes = createRoutes(
    {
      connections: CONNECTIONS,
      pipelining: 1,
      keepAliveTimeout: 10_000,
      connect: {
        timeout: limits.connect_ms,
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
        ...(lookup === undefined ? {} : { lookup }),
      },
      headersTimeout: 0, // the watch measures silence in both directions
      bodyTimeout: 0,
      maxHeaderSize: 64 * 1024,
    },
    proxies,
    system_proxy,
  );

  const slots = createSlots(BULK_AT_ONCE);

  const exchange: Transport['exchange'] = async (outgoing, use) => {
    const watch = createWatch(limits, outgoing.weight ?? 0, outgoing.signal);
    let status = 0;
    const broke = (error: unknown) => fail(watch.why() ?? problemOf(error, status));
    try {
      const watched = watch.why();
      if (watched) return fail(watched);
      const { body } = outgoing;
      const by = (dispatcher: Dispatcher) => () =>
        send(outgoing.url, {
          dispatcher,
          method: outgoing.method as 'GET',
          headers: outgoing.packed ? { ...outgoing.headers, ...TAKEN } : outgoing.headers,
          body:
            typeof body === 'function' ? (counted(body(), watch.heard) as never) : (body ?? null),
          signal: watch.signal,
        });
      const answer = await sendBy(await routes.to(outgoing.url), (way) => trustingSystem(by(way)));
      status = answer.statusCode;
      watch.heard();
      // The answer may come before the request was read whole; whatever is left is not our concern any more.
      answer.body.on('error', () => undefined);
      const result = await use({
        status,
        header: (name) => {
          const value = answer.headers[name];
          // A proxy that writes a header a second time says nothing new by it.
          return Array.isArray(value) ? [...new Set(value)].join(', ') : (value ?? null);
        },
        read: async (max, take) => {
          const tooLarge = fail({
            kind: 'broken_reply',
            status,
            looks_like: 'too_large',
            detail: `more than ${max} bytes`,
          } as const);
          let [came, length] = [0, 0];
          const heard = (bytes: number) => {
            watch.heard();
            came += bytes;
            // Packed bytes of which nothing comes out are no answer either.
            if (came > max) throw new TooMuch();
          };
          try {
            const encoding = outgoing.packed ? (answer.headers['content-encoding'] ?? null) : null;
            const bytes = unpack(counted(answer.body, heard), encoding);
            if (bytes === null)
              return fail({
                kind: 'broken_reply',
                status,
                looks_like: 'garbage',
                detail: `content encoding ${String(encoding).slice(0, 100)}`,
              } as const);
            for await (const chunk of bytes) {
              length += chunk.byteLength;
              if (length > max) return tooLarge;
              take(chunk);
            }
            return ok(null);
          } catch (error) {
            return error instanceof TooMuch ? tooLarge : broke(error);
          }
        },
      });
      if (!answer.body.readableEnded) answer.body.destroy();
      return result;
    } catch (error) {
      return broke(error);
    } finally {
      watch.close();
    }
  };

  return {
    exchange: (outgoing, use) =>
      outgoing.bulk ? slots(() => exchange(outgoing, use)) : exchange(outgoing, use),
    stop: routes.stop,
  };
};
