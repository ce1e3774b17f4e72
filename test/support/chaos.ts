/**
 * A proxy that breaks HTTP on purpose: for each request a plan may name one fault, by request number, method, path or
 * anything else it sees. Everything that passes is recorded, so a test can count what was really sent. Without a
 * target it is a server that only answers with faults.
 */
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as the proxy saw it. */
export interface Seen {
  /** 1 for the first request. */
  readonly number: number;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  /** Body bytes that arrived here. */
  received: number;
  /** What the client was told; 0 where it was told nothing. */
  status: number;
  /** The body that arrived here, when the proxy was asked to keep bodies. */
  body: Buffer;
  /** The proxy answered by itself: the target knows nothing of it, whatever the status says. */
  by_proxy: boolean;
  /** Is it over here, one way or another? */
  done: boolean;
}

export type Fault =
  /** Answers by itself; nothing reaches the target. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Buffer;
    }
  /** Ends the connection after so many bytes of the request's body; the target sees a broken request. */
  | { readonly kind: 'cut_request'; readonly after: number }
  /** Holds the request after so many bytes of its body until the test lets go (`until`), then goes on. */
  | { readonly kind: 'hold_request'; readonly after: number; readonly until: Promise<unknown> }
  /** The target did everything; the client gets the head and so many bytes of the body, or nothing at all (-1). */
  | { readonly kind: 'cut_reply'; readonly after: number }
  /** As a proxy of HTTP/1.0 passes on what broke off behind it: so many bytes, no length, an end in order. */
  | { readonly kind: 'short_reply'; readonly after: number }
  /** The target did everything and answered; its answer waits here, then passes or is never given. */
  | { readonly kind: 'hold_reply'; readonly until: () => Promise<'pass' | 'cut'> }
  /** The target's answer, one byte at a time; once it is `over`, the rest at once. */
  | { readonly kind: 'drip'; readonly every_ms: number; readonly over?: AbortSignal }
  /** Takes everything, never answers; once it is `over`, the connection ends. */
  | { readonly kind: 'stall'; readonly over?: AbortSignal }
  /** Turns one bit of the request's body. */
  | { readonly kind: 'flip'; readonly at: number };

export type Plan = (seen: Seen) => Fault | null | undefined;

export interface Chaos {
  readonly url: string;
  readonly seen: Seen[];
  plan: Plan;
  /** Where requests go; null: nowhere, and their connections end without an answer. */
  target: string | null;
  /** Down: nobody listens on its port any more, and every connection is cut. Up again: the same port. */
  reachable(up: boolean): Promise<void>;
  close(): Promise<void>;
}

/** The first `count` requests that fit get the fault. */
export const firstOf = (count: number, fits: (seen: Seen) => boolean, fault: Fault): Plan => {
  let left = count;
  return (seen) => {
    if (left === 0 || !fits(seen)) return null;
    left -= 1;
    return fault;
  };
};

async function* requestBody(
  request: IncomingMessage,
  seen: Seen,
  fault: Fault | null,
  keep: boolean,
) {
  let at = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    seen.received += chunk.length;
    if (keep) seen.body = Buffer.concat([seen.body, chunk]);
    const end = at + chunk.length;
    if (fault?.kind === 'cut_request' && end >= fault.after) {
      yield chunk.subarray(0, fault.after - at);
      throw new Error('cut');
    }
    if (fault?.kind === 'hold_request' && at <= fault.after && end > fault.after) {
      yield chunk.subarray(0, fault.after - at);
      await fault.until;
      yield chunk.subarray(fault.after - at);
    } else if (fault?.kind === 'flip' && at <= fault.at && end > fault.at) {
      const wrong = Buffer.from(chunk);
      wrong[fault.at - at] = (wrong[fault.at - at] ?? 0) ^ 1;
      yield wrong;
    } else yield chunk;
    at = end;
  }
}

const cutReply = async (answer: IncomingMessage, reply: ServerResponse, after: number) => {
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  if (after < 0) return reply.destroy();
  const body = Buffer.concat(chunks);
  const { 'transfer-encoding': _chunked, ...headers } = answer.headers;
  reply.writeHead(answer.statusCode ?? 502, { ...headers, 'content-length': body.length });
  reply.flushHeaders();
  reply.write(body.subarray(0, after), () => setImmediate(() => reply.destroy()));
};

const shortReply = async (answer: IncomingMessage, reply: ServerResponse, after: number) => {
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  const { 'transfer-encoding': _chunked, 'content-length': _length, ...headers } = answer.headers;
  reply.useChunkedEncodingByDefault = false;
  reply.shouldKeepAlive = false;
  reply.removeHeader('content-length');
  reply.writeHead(answer.statusCode ?? 502, { ...headers, connection: 'close' });
  reply.end(Buffer.concat(chunks).subarray(0, after));
};

const drip = async (
  answer: IncomingMessage,
  reply: ServerResponse,
  { every_ms, over }: Extract<Fault, { kind: 'drip' }>,
) => {
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  reply.writeHead(answer.statusCode ?? 502, answer.headers);
  let at = 0;
  for (; at < body.length && !over?.aborted; at += 1) {
    if (reply.destroyed) return;
    reply.write(body.subarray(at, at + 1));
    await new Promise((resolve) => setTimeout(resolve, every_ms));
  }
  reply.end(body.subarray(at));
};

const holdReply = async (
  answer: IncomingMessage,
  reply: ServerResponse,
  { until }: Extract<Fault, { kind: 'hold_reply' }>,
) => {
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  if ((await until()) === 'cut') return reply.destroy();
  reply.writeHead(answer.statusCode ?? 502, answer.headers).end(Buffer.concat(chunks));
};

const giveBack = async (answer: IncomingMessage, reply: ServerResponse, fault: Fault | null) => {
  if (fault?.kind === 'hold_reply') return holdReply(answer, reply, fault);
  if (fault?.kind === 'cut_reply') return cutReply(answer, reply, fault.after);
  if (fault?.kind === 'short_reply') return shortReply(answer, reply, fault.after);
  if (fault?.kind === 'drip') return drip(answer, reply, fault);
  reply.writeHead(answer.statusCode ?? 502, answer.headers);
  answer.pipe(reply);
};

const forward = async (
  target: string,
  request: IncomingMessage,
  reply: ServerResponse,
  seen: Seen,
  fault: Fault | null,
  keep: boolean,
): Promise<void> => {
  const onward = http.request(new URL(seen.path, target), {
    method: request.method ?? 'GET',
    agent: false,
    headers: request.headers, // Host too: addresses the target makes lead back here
  });
  let over = false;
  const answered = new Promise<void>((resolve) => {
    const done = (): void => {
      over = true;
      resolve();
    };
    onward.on('response', (answer) => {
      seen.status = answer.statusCode ?? 0;
      answer.on('error', () => reply.destroy());
      giveBack(answer, reply, fault).then(
        () => done(),
        () => done(),
      );
    });
    onward.on('error', () => {
      reply.destroy();
      done();
    });
  });
  // Once it is answered, Node no longer tells a half-read request that its sender left: the loop below would wait for ever.
  reply.on('close', () => {
    if (seen.status > 0) onward.destroy();
  });
  try {
    for await (const chunk of requestBody(request, seen, fault, keep)) {
      // A target that refuses a large body answers before it has read it, and reads no more.
      if (!over && !onward.write(chunk))
        await Promise.race([answered, new Promise((resolve) => onward.once('drain', resolve))]);
    }
    if (over) onward.destroy();
    else onward.end();
  } catch {
    onward.destroy();
    reply.destroy();
  }
  await answered;
};

/** Starts a proxy on a free port of 127.0.0.1. `keep_bodies` records every request's body whole. */
export const startChaos = async (
  target: string | null = null,
  plan: Plan = () => null,
  keep_bodies = false,
): Promise<Chaos> => {
  const seen: Seen[] = [];
  const serve = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const one: Seen = {
      number: seen.length + 1,
      method: request.method ?? '',
      path: request.url ?? '/',
      headers: request.headers,
      received: 0,
      status: 0,
      body: Buffer.alloc(0),
      by_proxy: false,
      done: false,
    };
    seen.push(one);
    reply.on('close', () => {
      one.done = true;
    });
    const fault = chaos.plan(one) ?? null;
    request.on('error', () => undefined);
    if (fault?.kind === 'answer') {
      one.by_proxy = true;
      for await (const chunk of request as AsyncIterable<Buffer>) {
        one.received += chunk.length;
        if (keep_bodies) one.body = Buffer.concat([one.body, chunk]);
      }
      one.status = fault.status;
      reply.writeHead(fault.status, fault.headers ?? {}).end(fault.body ?? '');
    } else if (fault?.kind === 'stall') {
      for await (const chunk of request as AsyncIterable<Buffer>) one.received += chunk.length;
      if (fault.over?.aborted) reply.destroy();
      fault.over?.addEventListener('abort', () => reply.destroy(), { once: true });
    } else if (chaos.target === null) reply.destroy();
    else await forward(chaos.target, request, reply, one, fault, keep_bodies);
  };
  const server = http.createServer((request, reply) => {
    serve(request, reply).catch(() => reply.destroy());
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  const silence = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const chaos: Chaos = {
    url: `http://127.0.0.1:${port}`,
    seen,
    plan,
    target,
    reachable: async (up) => {
      if (up !== server.listening) await (up ? listen(port) : silence());
    },
    close: silence,
  };
  return chaos;
};
