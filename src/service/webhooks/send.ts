/**
 * Makes one delivery attempt. One deadline covers resolving, connecting, headers and body. The response's body is
 * read up to one limit and stored up to another. Redirects are not followed and nothing is decompressed. The address
 * is checked in the socket's own lookup, so the checked address is the one it connects to. Connections are reused
 * during one hook's turn (decisions §9.5, §9.6; failures S13-S15).
 */
import type { Agent as HttpAgent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { Agent as AgentHttps, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPortAllowed, type MorePorts } from './destination-ports.ts';
import { addressesOf, Blocked, hostOf, judgeHost, type Resolve } from './guard.ts';

// Importing node:http would load Node's whole fetch (eslint.config.js).
const { Agent, request: requestHttp } = process.getBuiltinModule('node:http');

export interface Parcel {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SendRules {
  /** Milliseconds for the whole attempt. */
  readonly timeout: number;
  /** Maximum length of a response's body, bytes; a longer one is a failure. */
  readonly max_response: number;
  readonly allow_private: boolean;
  readonly ports: MorePorts;
  readonly resolve: Resolve;
}

export interface Outcome {
  /** Null if no response arrived. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  /** The first 16 KiB, as text. */
  readonly body: string;
  /** Null if a complete 2xx response arrived in time. */
  readonly error: string | null;
}

/** Stored bytes of a response (decisions §9.5). */
const KEPT = 16 * 1024;

/** The lookup of each connection: returns only checked addresses. */
const guardedLookup =
  (rules: SendRules, signal: AbortSignal): LookupFunction =>
  (hostname, options, callback) => {
    addressesOf(hostname, rules.resolve, rules.allow_private, signal).then(
      (found) => {
        const addresses = found.map((address) => ({ address, family: isIP(address) }));
        if (options.all === true) callback(null, addresses);
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, ''),
    );
  };

/** Drops cookies, because a delivery is shown to the hook's owner. */
const keptHeaders = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== 'set-cookie')
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );

/** Replaces NUL, which some databases refuse. */
const keptText = (chunks: readonly Buffer[]): string =>
  Buffer.concat(chunks).toString('utf8').replaceAll('\0', '\ufffd');

const said = (error: unknown): string => {
  if (error instanceof Blocked) return `Not sent: ${error.message}.`;
  const { message, code } = error as NodeJS.ErrnoException;
  return message === '' ? (code ?? 'The connection failed.') : message;
};

/** Reads beyond the stored bytes, so that a long response counts, but only up to `max`. */
const readBody = async (response: IncomingMessage, max: number, kept: Buffer[]): Promise<void> => {
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (size < KEPT) kept.push(chunk.subarray(0, KEPT - size));
    size += chunk.length;
    if (size > max) throw new Error(`The answer is longer than ${max} bytes.`);
  }
};

/** Connections of one hook's turn: one per address, reused for its notifications. */
export interface Connections {
  to(url: URL): HttpAgent;
  end(): void;
}

export const connections = (): Connections => {
  const plain = new Agent({ keepAlive: true, maxSockets: 1 });
  const secure = new AgentHttps({ keepAlive: true, maxSockets: 1 });
  return {
    to: (url) => (url.protocol === 'https:' ? secure : plain),
    end: () => {
      plain.destroy();
      secure.destroy();
    },
  };
};

/** The endpoint closed a reused connection before it responded. */
class Ended extends Error {}

const postOnce = (parcel: Parcel, url: URL, options: RequestOptions): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request: ClientRequest = send(url, {
      ...options,
      method: 'POST',
      headers: parcel.headers,
    });
    request.on('response', resolve).on('error', (error: NodeJS.ErrnoException) => {
      const ended = request.reusedSocket && /^(ECONNRESET|EPIPE)$/.test(error.code ?? '');
      reject(ended ? new Ended(error.message) : error);
    });
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      reject(new Error(`The endpoint answered ${response.statusCode ?? 101}.`));
    });
    request.end(parcel.body);
  });

/** Uses a kept connection, or a new one if the endpoint has closed it, within the same deadline. */
const post = async (
  parcel: Parcel,
  url: URL,
  options: RequestOptions,
  over: Connections,
): Promise<IncomingMessage> => {
  try {
    return await postOnce(parcel, url, { ...options, agent: over.to(url) });
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    return postOnce(parcel, url, { ...options, agent: false });
  }
};

/** Never rejects: an error becomes an outcome. */
export const send = async (
  parcel: Parcel,
  rules: SendRules,
  over: Connections,
): Promise<Outcome> => {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), rules.timeout);
  const kept: Buffer[] = [];
  let response: IncomingMessage | undefined;
  const outcome = (error: string | null): Outcome => ({
    status: response?.statusCode ?? null,
    headers: response ? keptHeaders(response) : {},
    body: keptText(kept),
    error,
  });
  try {
    // A literal address is connected to without a lookup, so check it here.
    const url = new URL(parcel.url);
    const host = hostOf(url);
    if (!isPortAllowed(url, rules.ports))
      throw new Blocked(`the port of ${url.host} is not allowed here (--webhook-ports)`);
    if (!rules.allow_private && judgeHost(host) === 'inside')
      throw new Blocked(`${host} is not a public address`);
    const lookup = guardedLookup(rules, late.signal);
    response = await post(parcel, url, { lookup, signal: late.signal }, over);
    await readBody(response, rules.max_response, kept);
    // A body without a length ends with its connection, also when our deadline closed it.
    late.signal.throwIfAborted();
    const status = response.statusCode ?? 0;
    return outcome(status >= 200 && status < 300 ? null : `The endpoint answered ${status}.`);
  } catch (error) {
    return outcome(
      late.signal.aborted ? `No whole answer within ${rules.timeout} ms.` : said(error),
    );
  } finally {
    clearTimeout(timer);
    // Closes the connection unless the response was read completely.
    if (response?.readableEnded !== true) response?.destroy();
  }
};
