/**
 * A proxy that breaks HTTP on purpose. A plan may choose one fault for each request, by number, method, path or any other
 * property. Every request is recorded, so a test can count what was really sent. Without a target it is a server that only
 * answers with faults.
 */
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Seen {
  /** Starts at 1. */
  readonly number: number;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  /** Bytes of the request body that arrived here. */
  received: number;
  /** Status sent to the client; 0 if none was sent. */
  status: number;
  /** The request body; filled only with `keep_bodies`. */
  body: Buffer;
  /** True if the proxy answered itself. The target then never saw the request, whatever the status is. */
  by_proxy: boolean;
  /** True once the request has ended, successfully or not. */
  done: boolean;
}

export type Fault =
  /** The proxy answers; nothing reaches the target. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Buffer;
    }
  /** Cuts the connection after `after` bytes of the request body; the target sees a broken request. */
  | { readonly kind: 'cut_request'; readonly after: number }
  /** Holds the request after `after` bytes of its body until `until` resolves, then continues. */
  | { readonly kind: 'hold_request'; readonly after: number; readonly until: Promise<unknown> }
  /** The target executes the request; the client gets the head and `after` bytes of the body, or nothing at all (-1). */
  | { readonly kind: 'cut_reply'; readonly after: number }
  /** Imitates an HTTP/1.0 proxy that passes on a truncated response: `after` bytes, no length, a clean end. */
  | { readonly kind: 'short_reply'; readonly after: number }
  /** The target executes the request; its response is held until `until` resolves, then passed on or cut. */
  | { readonly kind: 'hold_reply'; readonly until: () => Promise<'pass' | 'cut'> }
  /** Sends the target's response one byte at a time. Once `over` aborts, sends the rest at once. */
  | { readonly kind: 'drip'; readonly every_ms: number; readonly over?: AbortSignal }
  /** Accepts everything and never answers. Once `over` aborts, the connection ends. */
  | { readonly kind: 'stall'; readonly over?: AbortSignal }
  /** Flips one bit of the request body. */
  | { readonly kind: 'flip'; readonly at: number };

export type Plan = (seen: Seen) => Fault | null | undefined;

export interface Chaos {
  readonly url: string;
  readonly seen: Seen[];
  plan: Plan;
  /** Where requests are forwarded; with null every connection ends without an answer. */
  target: string | null;
  /** The clock of the `Date` header in the target's responses, in milliseconds since the epoch; null leaves the header alone. */
  date: (() => number) | null;
  /** `false` stops listening and cuts every connection. `true` listens again on the same port. */
  reachable(up: boolean): Promise<void>;
  close(): Promise<void>;
}

/** Applies `fault` to the first `count` requests that match. */
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
  date: (() => number) | null,
): Promise<void> => {
  const onward = http.request(new URL(seen.path, target), {
    method: request.method ?? 'GET',
    agent: false,
    headers: request.headers, // keeps Host, so that addresses generated by the target lead back here
  });
  let over = false;
  const answered = new Promise<void>((resolve) => {
    const done = (): void => {
      over = true;
      resolve();
    };
    onward.on('response', (answer) => {
      seen.status = answer.statusCode ?? 0;
      if (date !== null) answer.headers.date = new Date(date()).toUTCString();
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
  // Once the response is sent, Node no longer reports that the client of a half-read request has left. Without this the loop
  // below would wait forever.
  reply.on('close', () => {
    if (seen.status > 0) onward.destroy();
  });
  try {
    for await (const chunk of requestBody(request, seen, fault, keep)) {
      // A target that rejects a large body answers before it has read it, and then stops reading.
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

/** Starts a proxy on a free port of 127.0.0.1. `keep_bodies` records every request body. */
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
    else await forward(chaos.target, request, reply, one, fault, keep_bodies, chaos.date);
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
    date: null,
    reachable: async (up) => {
      if (up !== server.listening) await (up ? listen(port) : silence());
    },
    close: silence,
  };
  return chaos;
};
