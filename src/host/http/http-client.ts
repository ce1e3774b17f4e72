/**
 * HTTP client for every part of the host, with one keep-alive pool. Each exchange has deadlines for connecting, for silence in
 * both directions and for the whole, so that a dripping or stalled peer cannot block the queue (failures A7). If a name has
 * several addresses, a silent one is soon followed by the next (failures A24). Redirects are never followed. Network failures
 * become a `Problem`; HTTP statuses are not judged here.
 */
import type { LookupFunction } from 'node:net';
import { type Dispatcher, request as send } from 'undici';
import { fail, ok, type Problem, type Result } from '../../contract/problem.ts';
import { codeOf, wordsOf } from '../lib/log.ts';
import { isDamage, TAKEN, unpack } from './decompress.ts';
import { createRoutes, noProxies, proxyStatus, type Proxies, type SystemProxy } from './proxy.ts';
import { trustingSystem } from './system-ca.ts';
import { createSystemSends, type SystemRequest, type SystemSend } from './system-send.ts';

export interface TransportLimits {
  readonly connect_ms: number;
  /** Idle timeout: no byte sent and none received for this long. */
  readonly idle_ms: number;
  /** Timeout of a whole exchange, before the allowance for a large body. */
  readonly overall_ms: number;
  /** Added to `overall_ms` for each byte sent or expected. Sets the slowest line speed that is still accepted. */
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
  /** Size of the request body or of the response, in bytes. Extends the overall deadline. */
  readonly weight?: number;
  readonly signal?: AbortSignal | undefined;
  /** Accepts a compressed response. `read` decompresses it and applies `max` to the decompressed size. */
  readonly packed?: boolean;
  /** Marks outgoing photo bytes. Only a few bulk exchanges run at once, so that the text of a record never waits for photos. */
  readonly bulk?: boolean;
}

/** A response whose body is not read yet. `read` streams it. */
export interface Incoming {
  readonly status: number;
  header(name: string): string | null;
  /** Passes every chunk to `take`. Fails with `too_large` after `max` bytes. */
  read(max: number, take: (chunk: Uint8Array) => void): Promise<Result<null>>;
}

export interface Transport {
  /** Sends a request, passes the response to `use`, and always closes the exchange. */
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

/** By the status the proxy answered with; 0 means it was not reached. A 502, 503 or 504 blames the server, not the proxy. */
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

/** Converts a network error to a problem. `status` is 0 until the response began. */
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
  // The response began but did not end, so the outcome of a write is unknown (failures A3).
  if (status > 0) return { kind: 'broken_reply', status, looks_like: 'truncated', detail };
  if (reason) return { kind: 'offline', reason, detail };
  return { kind: 'offline', reason: 'unreachable', detail };
};

/** Watches one exchange. The idle timeout, the overall timeout and the caller's signal all end it through `abort`. */
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

/** Semaphore with `count` permits. Waiters run in order, and their deadlines start only when they do. */
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
    const { byteLength } = chunk; // read it now: the consumer may detach the buffer
    yield chunk;
    heard(byteLength);
  }
}

class TooMuch extends Error {}

/**
 * Delay before the next address of a name is tried, in milliseconds. A dead IPv6 route costs this much, while a satellite line
 * (0.6 s round trip) still answers in time.
 */
const NEXT_ADDRESS_MS = 750;

/** Sends by the first route whose proxy is reachable. */
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

/** The network around the transport: proxies and name resolution. */
export interface Network {
  readonly proxies?: Proxies;
  /** Asked only if the environment names no proxy. */
  readonly system_proxy?: SystemProxy | undefined;
  /** The shell's own network stack, if it has one. Not used where the environment names a proxy. */
  readonly system_send?: SystemSend | undefined;
  /** Sends everything that leaves this machine through `system_send`, by the company's policy. */
  readonly always_system?: boolean;
  readonly lookup?: LookupFunction;
}

export const createTransport = (
  limits: TransportLimits = usualLimits,
  { proxies = noProxies, system_proxy, system_send, always_system = false, lookup }: Network = {},
): Transport => {
  const by_environment = proxies.http !== '' || proxies.https !== '';
  const system = createSystemSends(by_environment ? null : (system_send ?? null), always_system);
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
      headersTimeout: 0, // disabled: the watch measures silence in both directions
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
      const { body, method, url } = outgoing;
      const request: SystemRequest = {
        method,
        url,
        headers: outgoing.packed ? { ...outgoing.headers, ...TAKEN } : outgoing.headers,
        body: () => (typeof body === 'function' ? counted(body(), watch.heard) : (body ?? null)),
        signal: watch.signal,
        progressed: watch.heard,
      };
      const by = (dispatcher: Dispatcher) => () =>
        send(url, {
          ...request,
          dispatcher,
          method: method as 'GET',
          body: request.body() as never,
        });
      const answer = await system.send(request, async () =>
        sendBy(await routes.to(url), (way) => trustingSystem(by(way))),
      );
      status = answer.statusCode;
      watch.heard();
      // The response may arrive before the request was read completely. Ignore later errors of the unsent rest.
      answer.body.on('error', () => undefined);
      const result = await use({
        status,
        header: (name) => {
          const value = answer.headers[name];
          // A proxy may repeat a header with the same value, so remove duplicates.
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
            // Also bound the compressed bytes, in case they decompress to nothing.
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
