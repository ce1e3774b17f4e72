/**
 * The listening socket that phones reach, for photos while a code is shown and for the report box while it is on. It accepts three
 * requests (the page, the hello, a message), each only in the form its page sends. Everything else gets a 404.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { BOX_MAX } from '../../contract/phone/phone-seal.ts';
import type { Clock } from '../lib/clock.ts';
import { ANSWER_HEADERS, type PhonePage } from './page.ts';
import { createRate } from './rate.ts';

/**
 * stored: an answer after something was written to disk for good (201). again: the conversation is unknown, so the phone begins
 * another (409). refused: not from a phone with the code (403).
 */
export type TalkReply =
  | { readonly kind: 'answer' | 'stored'; readonly body: Uint8Array }
  | { readonly kind: 'again' | 'refused' };

// Importing node:http would load Node's whole fetch (eslint.config.js).
const { createServer } = process.getBuiltinModule('node:http');

export interface ListenerLimits {
  /** Rate limit: burst size, and requests per second. */
  readonly requests: number;
  readonly requests_per_second: number;
  /** Maximum number of open connections. One more replaces a silent connection of the address that holds the most. */
  readonly connections: number;
  /** Timeouts for receiving a whole request, and its headers, in milliseconds. */
  readonly request_ms: number;
  readonly head_ms: number;
}

export const usualListenerLimits: ListenerLimits = {
  requests: 120,
  requests_per_second: 60,
  connections: 12,
  request_ms: 60_000,
  head_ms: 10_000,
};

export interface ListenerParts {
  readonly address: string;
  /** 0: any free port. */
  readonly port?: number;
  readonly page: PhonePage;
  readonly clock: Clock;
  readonly limits: ListenerLimits;
  /** `from`: the address that sent it. */
  readonly hello: (body: Uint8Array, from: string) => TalkReply;
  readonly ask: (body: Uint8Array, from: string) => Promise<TalkReply>;
  /** Rate limit of one address, beside the limit of all. Absent: none. */
  readonly mayAsk?: (address: string) => boolean;
  /** Called when the page is fetched. */
  readonly seen: () => void;
  /** Called when a body from this address is refused: it is not from a phone with the code, or it is a replay. */
  readonly refused: (address: string) => void;
  /** True if requests of this address are no longer answered. */
  readonly barred: (address: string) => boolean;
  readonly failed: () => void;
}

const addressOf = ({ remoteAddress = '' }: Socket): string => remoteAddress;

/** Bounds the open connections. An address that opens many loses its own, so that a phone still finds room. */
const boundConnections = (server: Server, { barred, limits }: ListenerParts): void => {
  const open = new Set<Socket>();
  const busy = new Map<Socket, ServerResponse>();
  server.on('request', ({ socket }: IncomingMessage, reply: ServerResponse) => {
    busy.set(socket, reply);
    reply.once('close', () => busy.get(socket) === reply && busy.delete(socket));
  });
  server.on('connection', (socket: Socket) => {
    if (barred(addressOf(socket))) return void socket.destroy();
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      busy.delete(socket);
    });
    if (open.size <= limits.connections) return;
    const [crowd = []] = [...Map.groupBy(open, addressOf).values()].sort(
      (one, other) => other.length - one.length,
    );
    (crowd.find((one) => !busy.has(one)) ?? crowd.at(-1))?.destroy();
  });
};

const send = (reply: ServerResponse, status: number, body?: Uint8Array): void => {
  reply
    .writeHead(status, {
      ...ANSWER_HEADERS,
      ...(body === undefined ? {} : { 'content-type': 'application/octet-stream' }),
      ...(status === 429 ? { 'retry-after': '1' } : {}),
      'content-length': body?.length ?? 0,
    })
    .end(body);
};

/**
 * Refuses a request without reading its body. Closes the connection, because the rest of the body would be parsed as the next
 * request.
 */
const sendAndCut = (request: IncomingMessage, reply: ServerResponse, status: number): void => {
  reply.shouldKeepAlive = false;
  reply.once('finish', () => request.destroy());
  send(reply, status);
};

/** Returns null if the length is missing or not that of a valid message. */
const lengthOf = (request: IncomingMessage): number | null => {
  const declared = request.headers['content-length'];
  if (declared === undefined || !/^\d{1,9}$/.test(declared)) return null;
  const length = Number(declared);
  return length > 0 && length <= BOX_MAX + 64 ? length : null;
};

/** Returns null if the connection broke. */
const bodyOf = async (request: IncomingMessage, length: number): Promise<Buffer | null> => {
  const parts: Buffer[] = [];
  let got = 0;
  try {
    for await (const part of request) {
      parts.push(part as Buffer);
      got += (part as Buffer).length;
    }
  } catch {
    return null;
  }
  return got === length ? Buffer.concat(parts) : null;
};

export interface Listener {
  /** `http://ADDRESS:PORT` */
  readonly origin: string;
  stop(): Promise<void>;
}

/** @throws if the system does not allow listening on the address */
export const startListener = async (parts: ListenerParts): Promise<Listener> => {
  const { address, page, limits } = parts;
  const mayAsk = createRate(parts.clock, limits);
  let origin = '';

  /**
   * Accepts only requests of this page. Another origin, or another name that resolves to this host (DNS rebinding), is refused.
   */
  const fits = ({ headers }: IncomingMessage): boolean =>
    headers.origin === origin &&
    headers['content-type'] === 'application/octet-stream' &&
    (headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin';

  const message = async (
    request: IncomingMessage,
    reply: ServerResponse,
    take: (body: Uint8Array, from: string) => Promise<TalkReply> | TalkReply,
  ): Promise<void> => {
    const length = lengthOf(request);
    const from = addressOf(request.socket);
    if (!fits(request) || length === null) {
      parts.refused(from);
      return sendAndCut(request, reply, length === null ? 413 : 403);
    }
    const body = await bodyOf(request, length);
    // A lost connection does not count as a refusal.
    if (body === null) return void reply.destroy();
    const taken = await take(body, from);
    if ('body' in taken) return send(reply, taken.kind === 'stored' ? 201 : 200, taken.body);
    if (taken.kind === 'again') return send(reply, 409);
    parts.refused(from);
    send(reply, 403);
  };

  const answer = (request: IncomingMessage, reply: ServerResponse): Promise<void> | void => {
    const from = addressOf(request.socket);
    if (parts.barred(from)) return sendAndCut(request, reply, 403);
    if (!(parts.mayAsk?.(from) ?? true) || !mayAsk()) return sendAndCut(request, reply, 429);
    if (request.headers.host !== origin.slice('http://'.length))
      return sendAndCut(request, reply, 404);
    switch (`${request.method} ${request.url}`) {
      case 'GET /':
        parts.seen();
        const html = page.html();
        reply.writeHead(200, { ...page.headers, 'content-length': html.length });
        return void reply.end(html);
      case 'POST /hello':
        return message(request, reply, parts.hello);
      case 'POST /ask':
        return message(request, reply, parts.ask);
      default:
        return sendAndCut(request, reply, 404);
    }
  };

  const server = createServer(
    {
      maxHeaderSize: 8 * 1024,
      headersTimeout: limits.head_ms,
      requestTimeout: limits.request_ms,
      connectionsCheckingInterval: Math.min(limits.head_ms, 5_000),
      keepAliveTimeout: 10_000,
      insecureHTTPParser: false,
    },
    (request, reply) => {
      reply.on('error', () => undefined);
      void Promise.resolve(answer(request, reply)).catch(() => reply.destroy());
    },
  );
  server.maxHeadersCount = 40;
  boundConnections(server, parts);
  // Refuse protocol upgrades and tunnels.
  for (const event of ['upgrade', 'connect'] as const)
    server.on(event, (_request: IncomingMessage, socket: { destroy(): void }) => socket.destroy());
  server.on('checkContinue', (request: IncomingMessage, reply: ServerResponse) =>
    sendAndCut(request, reply, 417),
  );

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: address, port: parts.port ?? 0, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', parts.failed);
  origin = `http://${address}:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
