/**
 * The one listening socket that anybody but this laptop can reach: on one address, on a free port, while the code is shown. It knows
 * three requests (the page, the hello, a message), takes each only as this page sends it, and answers 404 to all else.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BOX_MAX } from '../../contract/phone-seal.ts';
import type { Clock } from '../clock.ts';
import { ANSWER_HEADERS, type PhonePage } from './page.ts';
import type { TalkReply } from './talk.ts';

// An import of node:http would load Node's whole fetch with it (eslint.config.js).
const { createServer } = process.getBuiltinModule('node:http');

export interface ListenerLimits {
  /** Requests at once, and how many more each second. */
  readonly requests: number;
  readonly requests_per_second: number;
  /** Open connections at most. */
  readonly connections: number;
  /** A request may take so long to be whole, its head so long, milliseconds. */
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
  readonly page: PhonePage;
  readonly clock: Clock;
  readonly limits: ListenerLimits;
  readonly hello: (body: Uint8Array) => TalkReply;
  readonly ask: (body: Uint8Array) => Promise<TalkReply>;
  /** The page was fetched. */
  readonly seen: () => void;
  /** A body came that no phone with the code sent, or one that was sent before. */
  readonly refused: () => void;
  readonly failed: () => void;
}

/** So many a second, a few more at once. */
const createRate = (clock: Clock, { requests, requests_per_second }: ListenerLimits) => {
  let left = requests;
  let at = clock.monotonic();
  return (): boolean => {
    const now = clock.monotonic();
    left = Math.min(requests, left + ((now - at) / 1000) * requests_per_second);
    at = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
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

/** Refuses a body unread: what is on its way of it would come as the next request. */
const sendAndCut = (request: IncomingMessage, reply: ServerResponse, status: number): void => {
  reply.shouldKeepAlive = false;
  reply.once('finish', () => request.destroy());
  send(reply, status);
};

/** Null where its length is not told, or is none that a message has. */
const lengthOf = (request: IncomingMessage): number | null => {
  const told = request.headers['content-length'];
  if (told === undefined || !/^\d{1,9}$/.test(told)) return null;
  const length = Number(told);
  return length > 0 && length <= BOX_MAX + 64 ? length : null;
};

/** Null where it broke off. */
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

/** @throws where the system does not let it listen there */
export const startListener = async (parts: ListenerParts): Promise<Listener> => {
  const { address, page, limits } = parts;
  const mayAsk = createRate(parts.clock, limits);
  let origin = '';

  /** As this page sends it, and no page of another origin: a name that leads here is not this host. */
  const fits = ({ headers }: IncomingMessage): boolean =>
    headers.origin === origin &&
    headers['content-type'] === 'application/octet-stream' &&
    (headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin';

  const message = async (
    request: IncomingMessage,
    reply: ServerResponse,
    take: (body: Uint8Array) => Promise<TalkReply> | TalkReply,
  ): Promise<void> => {
    const length = lengthOf(request);
    if (!fits(request) || length === null) {
      parts.refused();
      return sendAndCut(request, reply, length === null ? 413 : 403);
    }
    const body = await bodyOf(request, length);
    // A lost connection is nobody's fault.
    if (body === null) return void reply.destroy();
    const taken = await take(body);
    if (taken.kind === 'answer') return send(reply, 200, taken.body);
    parts.refused();
    send(reply, 403);
  };

  const answer = (request: IncomingMessage, reply: ServerResponse): Promise<void> | void => {
    if (!mayAsk()) return sendAndCut(request, reply, 429);
    if (request.headers.host !== origin.slice('http://'.length))
      return sendAndCut(request, reply, 404);
    switch (`${request.method} ${request.url}`) {
      case 'GET /':
        parts.seen();
        reply.writeHead(200, { ...page.headers, 'content-length': page.html.length });
        return void reply.end(page.html);
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
  server.maxConnections = limits.connections;
  // No protocol but this one.
  for (const event of ['upgrade', 'connect'] as const)
    server.on(event, (_request: IncomingMessage, socket: { destroy(): void }) => socket.destroy());
  server.on('checkContinue', (request: IncomingMessage, reply: ServerResponse) =>
    sendAndCut(request, reply, 417),
  );

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: address, port: 0, exclusive: true }, () => {
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
