/**
 * Sends through the shell's network stack where Node's fails: a proxy that wants the sign-in of the system's user
 * (Negotiate, NTLM), or a server that wants a client certificate. All other requests go through http-client.ts, because
 * its deadlines and limits are tested on every system (failures A24).
 */
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { isThisMachine } from './address.ts';
import { codeOf, wordsOf } from '../lib/log.ts';
import { ProxyRefusal, proxyStatus } from './proxy.ts';

export interface SystemRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Called once for each try. Null: no body. */
  readonly body: () => string | AsyncIterable<Uint8Array> | null;
  /** Ends the exchange, also while the response is read. */
  readonly signal: AbortSignal;
  /** Call it whenever bytes of the body were sent. */
  readonly progressed: () => void;
}

/** Header names are in lower case; the body is decompressed already. */
export interface SystemResponse extends Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'> {
  readonly body: Readable;
}

/**
 * Sends one request through the shell's network stack. It follows no redirect, keeps no cookie and caches nothing.
 * Rejects with an error that holds Chromium's name for it, such as `net::ERR_NAME_NOT_RESOLVED`.
 */
export type SystemSend = (request: SystemRequest) => Promise<SystemResponse>;

/**
 * Milliseconds during which an origin that needed the system's stack is reached through it without trying Node's first.
 */
const KNOWN_MS = 600_000;

/** Node's codes for Chromium's errors (net/base/net_error_list.h). Other names are an unreachable server. */
const CODES: readonly (readonly [RegExp, string])[] = [
  [/^ERR_(NAME|DNS|ICANN)_/, 'ENOTFOUND'],
  [/^ERR_CONNECTION_REFUSED/, 'ECONNREFUSED'],
  [/^ERR_(CONNECTION_(RESET|CLOSED|ABORTED)|EMPTY_RESPONSE|SOCKET_|HTTP2_|QUIC_)/, 'ECONNRESET'],
  [/^ERR_(CERT_|SSL_|BAD_SSL_)/, 'ERR_SSL_SYSTEM'],
  [/^ERR_(CONTENT_LENGTH|INCOMPLETE|CONTENT_DECODING|INVALID_CHUNKED)/, 'ECONNRESET'],
];

/** Gives an error of the system's stack the code that the transport knows. */
const named = (error: unknown): Error => {
  const name = /net::(ERR_\w+)/.exec(wordsOf(error))?.[1] ?? '';
  if (/^ERR_(PROXY_CONNECTION|MANDATORY_PROXY)/.test(name)) return new ProxyRefusal(0);
  const code = CODES.find(([names]) => names.test(name))?.[1] ?? 'EHOSTUNREACH';
  return Object.assign(new Error(wordsOf(error), { cause: error }), { code });
};

/** The refusals that only the system's stack can answer. TLS 1.3 has none for a missing certificate: the connection just ends. */
const needsSystem = (error: unknown): boolean =>
  proxyStatus(error) === 407 ||
  /^ERR_SSL_.*(HANDSHAKE_FAILURE|CERTIFICATE_REQUIRED|NO_CERTIFICATE)/.test(codeOf(error));

export interface SystemSends {
  /**
   * Sends by `own`, the transport's connections, or by the system's stack: always where the company's policy says so, after a refusal that
   * only it can answer, and for a while after that for the same server. Neither refusal passes the request on, so nothing is sent twice.
   */
  send(request: SystemRequest, own: () => Promise<SystemResponse>): Promise<SystemResponse>;
}

/** @param send null where the shell has no such stack @param always the company's policy; this machine is never asked through it */
export function createSystemSends(send: SystemSend | null, always: boolean): SystemSends {
  const known = new Map<string, number>();
  if (send === null) return { send: (_request, own) => own() };
  const bySystem = async (request: SystemRequest): Promise<SystemResponse> => {
    const answer = await send(request).catch((error: unknown) => {
      throw named(error);
    });
    if (answer.statusCode !== 407) return answer;
    answer.body.destroy();
    throw new ProxyRefusal(407);
  };
  return {
    send: async (request, own) => {
      const { origin, hostname } = new URL(request.url);
      if (isThisMachine(hostname)) return own();
      if (always || (known.get(origin) ?? 0) > performance.now()) return bySystem(request);
      try {
        return await own();
      } catch (error) {
        if (!needsSystem(error)) throw error;
        known.set(origin, performance.now() + KNOWN_MS);
        return bySystem(request);
      }
    },
  };
}
