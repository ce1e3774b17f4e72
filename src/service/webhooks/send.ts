/**
 * One attempt to hand one notification over. One deadline covers name, connection, headers and body; the answer's
 * body is kept up to a cap and read no further than another; nothing is followed, nothing is decompressed; the address is judged in the
 * socket's own lookup, on the very addresses it will connect to; a connection is kept for one hook's turn (decisions §9.5, §9.6; failures S13-S15).
 */
import type { Agent as HttpAgent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { Agent as AgentHttps, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPortAllowed, type MorePorts } from './destination-ports.ts';
import { addressesOf, Blocked, hostOf, judgeHost, type Resolve } from './guard.ts';

// An import of node:http would load Node's whole fetch with it (eslint.config.js).
const { Agent, request: requestHttp } = process.getBuiltinModule('node:http');

export interface Parcel {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SendRules {
  /** Milliseconds for everything together. */
  readonly timeout: number;
  /** Bytes of an answer's body after which it is cut off. */
  readonly max_response: number;
  readonly allow_private: boolean;
  readonly ports: MorePorts;
  readonly resolve: Resolve;
}

/** What came of it. */
export interface Outcome {
  /** Null when no answer came. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  /** The first 16 KiB, as text. */
  readonly body: string;
  /** Null when a whole 2xx answer came in time. */
  readonly error: string | null;
}

/** Bytes of an answer that are kept (decisions §9.5). */
const KEPT = 16 * 1024;

/** The lookup that a socket calls with every connection: what it gets has been judged. */
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

/** A delivery is shown to its owner; another site's cookie is nobody's to see. */
const keptHeaders = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== 'set-cookie')
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );

/** Text that every database takes. */
const keptText = (chunks: readonly Buffer[]): string =>
  Buffer.concat(chunks).toString('utf8').replaceAll('\0', '\ufffd');

const said = (error: unknown): string => {
  if (error instanceof Blocked) return `Not sent: ${error.message}.`;
  const { message, code } = error as NodeJS.ErrnoException;
  return message === '' ? (code ?? 'The connection failed.') : message;
};

/** Reads on past what is kept, so that a long answer is still an answer, but not without end. */
const readBody = async (response: IncomingMessage, max: number, kept: Buffer[]): Promise<void> => {
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (size < KEPT) kept.push(chunk.subarray(0, KEPT - size));
    size += chunk.length;
    if (size > max) throw new Error(`The answer is longer than ${max} bytes.`);
  }
};

/** The connections of one hook's turn: one to each address, kept from one notification to the next. */
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

/** A kept connection that the endpoint has ended meanwhile, as it may: it has seen nothing of the request, or not answered it. */
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

/** Over a kept connection or, where that had ended, over a new one: both within the one deadline. */
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

/** Never rejects: what went wrong is an outcome. */
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
    // A literal address is connected to without any lookup.
    const url = new URL(parcel.url);
    const host = hostOf(url);
    if (!isPortAllowed(url, rules.ports))
      throw new Blocked(`the port of ${url.host} is not allowed here (--webhook-ports)`);
    if (!rules.allow_private && judgeHost(host) === 'inside')
      throw new Blocked(`${host} is not a public address`);
    const lookup = guardedLookup(rules, late.signal);
    response = await post(parcel, url, { lookup, signal: late.signal }, over);
    await readBody(response, rules.max_response, kept);
    // A body without a length ends with its connection, also when it was we who ended it.
    late.signal.throwIfAborted();
    const status = response.statusCode ?? 0;
    return outcome(status >= 200 && status < 300 ? null : `The endpoint answered ${status}.`);
  } catch (error) {
    return outcome(
      late.signal.aborted ? `No whole answer within ${rules.timeout} ms.` : said(error),
    );
  } finally {
    clearTimeout(timer);
    // With its connection, unless all of it came.
    if (response?.readableEnded !== true) response?.destroy();
  }
};
