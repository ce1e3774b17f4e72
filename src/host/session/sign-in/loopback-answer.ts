/**
 * Listens on this machine for the one answer of an identity provider (RFC 8252 §7.3): a free port of 127.0.0.1, one path, one state.
 * Any program or page of this machine can send requests here, so a request that is not the answer is refused and changes nothing. After
 * the answer nobody listens any more.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { timingSafeEqual } from 'node:crypto';
import type { AddressInfo, Socket } from 'node:net';
import { languages, type Language } from '../../../contract/languages.ts';

// Importing node:http would load Node's whole fetch (eslint.config.js).
const { createServer } = process.getBuiltinModule('node:http');

/** The path of the redirect URI that an office registers with its provider, on 127.0.0.1 without a port. */
const SIGN_IN_PATH = '/signed-in';
/** Longest address, in characters. A code has some hundred. */
const ADDRESS_MAX = 8 * 1024;
const REQUEST_MS = 2_000;
/** How often deadlines are checked. Node's own interval is 30 s, which would let silent connections wait that long. */
const CHECK_MS = 500;
/** Connections at once. A browser opens a few. */
const CONNECTIONS_MAX = 20;

export interface LoopbackAnswer {
  readonly redirect_uri: string;
  /** The address that the browser was sent to, with its code or error. Never settles without one. */
  readonly answer: Promise<URL>;
  close(): void;
}

/** A page that says the sentence in every language, because the browser does not know the language of the window. */
const page = (said: Readonly<Record<Language, string>>): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Spotter</title>${languages
    .map((one) => `<p lang="${one}">${said[one]}</p>`)
    .join('')}</html>`;

const DONE = page({
  en: 'Your answer has arrived in Spotter. You can close this page.',
  es: 'Su respuesta llegó a Spotter. Puede cerrar esta página.',
  pl: 'Odpowiedź dotarła do Spottera. Można zamknąć tę stronę.',
});
const NOT_THIS = page({
  en: 'This page belongs to no sign-in.',
  es: 'Esta página no es de ningún inicio de sesión.',
  pl: 'Ta strona nie należy do żadnego logowania.',
});

const send = (response: ServerResponse, status: number, body: string): void => {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  });
  response.end(body);
};

const isSame = (given: string, expected: string): boolean => {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
};

/** The address of a request that is the answer; null for any other. */
const answerOf = (
  { method, url = '', headers }: IncomingMessage,
  origin: string,
  state: string,
): URL | null => {
  // Another name for this address is a page that rebinds its own.
  if (method !== 'GET' || `http://${headers.host}` !== origin) return null;
  if (url.length > ADDRESS_MAX || !URL.canParse(url, origin)) return null;
  const address = new URL(url, origin);
  if (address.origin !== origin || address.pathname !== SIGN_IN_PATH) return null;
  const states = address.searchParams.getAll('state');
  return states.length === 1 && isSame(states[0] ?? '', state) ? address : null;
};

/** Closes the oldest connection when there are too many. Silent ones, which any program can open, must not keep the browser out. */
const limitConnections = (server: Server): void => {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    const [oldest] = open;
    if (open.size >= CONNECTIONS_MAX) oldest?.destroy();
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
};

/** @param state of this sign-in; a request without it is ignored */
export const listenForAnswer = async (state: string): Promise<LoopbackAnswer> => {
  const arrived = Promise.withResolvers<URL>();
  let origin = '';
  const limits = {
    maxHeaderSize: 2 * ADDRESS_MAX,
    requestTimeout: REQUEST_MS,
    headersTimeout: REQUEST_MS,
    connectionsCheckingInterval: CHECK_MS,
  };
  const server = createServer(limits, (request, response) => {
    const address = answerOf(request, origin, state);
    if (address === null) return send(response, 404, NOT_THIS);
    server.close();
    send(response, 200, DONE);
    arrived.resolve(address);
  });
  limitConnections(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0, exclusive: true }, resolve);
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    redirect_uri: `${origin}${SIGN_IN_PATH}`,
    answer: arrived.promise,
    close: () => {
      server.close();
      // The page of the answer may still be on its way.
      server.closeIdleConnections();
    },
  };
};
