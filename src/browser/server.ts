/**
 * HTTP server of the browser shell: serves the built window, admits it, and carries calls and events between HTTP on 127.0.0.1
 * and the host API. It knows no method by name; the host decides which methods exist.
 */
import type { ServerResponse } from 'node:http';
import cookie from '@fastify/cookie';
import files from '@fastify/static';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import {
  type CarrierReply,
  type Entered,
  type EventLine,
  type HostApi,
  KEY_HEADER,
} from '../contract/carrier.ts';
import { CHUNK_MAX } from '../contract/host.ts';
import { type Settings, settingsSchema } from '../contract/settings.ts';
import { fail } from '../contract/problem.ts';
import { windowHeaders } from '../contract/window-policy.ts';
import { answerDesk, type Patience } from './answers.ts';
import { entryPage, entryScript } from './entry-page.ts';
import {
  type Asking,
  codeCookie,
  type Cookie,
  drawPath,
  entryCodes,
  judge,
  launchSecrets,
  type LaunchSecrets,
  same,
} from './guard.ts';

/** Maximum size of a JSON body in bytes: many times a journal batch of 200 long reports. */
const JSON_MAX = 16 * 1024 * 1024;
const BESIDE = 'spotter-json';
const BEAT_MS = 30_000;
/** Maximum of unread event bytes per window. A window over the limit is disconnected and opens its stream again later. */
const UNREAD_MAX = 1024 * 1024;
/** Maximum number of calls in one post, and how long a response line waits for others, in milliseconds. */
const CALLS_MAX = 256;
const LINES_MS = 2;

export interface WindowServerOptions {
  readonly host: HostApi;
  /** The built window's folder. */
  readonly files: string;
  readonly port: number;
  readonly now?: () => number;
  /** Lifetime of a printed code, in milliseconds. */
  readonly code_lives_ms?: number;
  readonly patience?: Patience;
}

export interface WindowServer {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** Must never be printed or passed in argv. */
  readonly secrets: LaunchSecrets;
  /** Every registered route, as fastify names it. */
  readonly routes: readonly { readonly method: string; readonly url: string }[];
  /** Returns a new address that admits one window, once. */
  address(): string;
  /** Returns a code for the shell's own browser, set over its pipe. It must never be printed or passed in argv. */
  entry(): Cookie;
  stop(): Promise<void>;
}

const beside = (request: FastifyRequest): unknown => {
  const header = request.headers[BESIDE];
  try {
    return typeof header === 'string' ? JSON.parse(decodeURIComponent(header)) : undefined;
  } catch {
    return undefined;
  }
};

const give = (answer: FastifyReply, reply: CarrierReply | { readonly ticket: string }) => {
  void answer.header('cache-control', 'no-store');
  if ('ticket' in reply) return answer.code(202).send(reply);
  if (reply.bytes === undefined) return answer.send(reply.result);
  return answer
    .header('content-type', 'application/octet-stream')
    .header(BESIDE, encodeURIComponent(JSON.stringify(reply.result)))
    .send(Buffer.from(reply.bytes.buffer, reply.bytes.byteOffset, reply.bytes.byteLength));
};

/** Event streams of the open windows: newline-delimited JSON. */
const eventStreams = (host: HostApi) => {
  const open = new Set<ServerResponse>();
  const write = (line: EventLine) => {
    const text = `${JSON.stringify(line)}\n`;
    for (const stream of open)
      if (stream.writableLength > UNREAD_MAX) stream.destroy();
      else stream.write(text);
  };
  const unlisten = host.listen((event) => write({ event }));
  // A heartbeat lets both sides notice a stream that broke silently, for instance on a laptop that slept.
  const beat = setInterval(() => write({}), BEAT_MS).unref();
  return {
    ready: (ticket: string) => write({ ready: ticket }),
    add(stream: ServerResponse) {
      stream.writeHead(200, {
        ...windowHeaders,
        'content-type': 'application/x-ndjson',
        'cache-control': 'no-store',
      });
      stream.write('{}\n');
      open.add(stream);
      stream.on('close', () => open.delete(stream));
    },
    stop() {
      unlisten();
      clearInterval(beat);
      for (const stream of open) stream.end();
    },
  };
};

/** Buffers lines briefly into one write: separate writes would cost both sides more than the work itself. */
const lineWriter = (stream: ServerResponse) => {
  stream.writeHead(200, {
    ...windowHeaders,
    'content-type': 'application/x-ndjson',
    'cache-control': 'no-store',
  });
  let text = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    timer = undefined;
    if (text !== '') stream.write(text);
    text = '';
  };
  return {
    write(line: unknown) {
      text += `${JSON.stringify(line)}\n`;
      timer ??= setTimeout(flush, LINES_MS);
    },
    end() {
      clearTimeout(timer);
      flush();
      stream.end();
    },
  };
};

const makeServer = () => {
  const app = fastify({
    bodyLimit: JSON_MAX,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 200 },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, JSON.parse(String(body)));
    } catch {
      done(Object.assign(new Error('the body is not JSON'), { statusCode: 400 }));
    }
  });
  app.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer', bodyLimit: CHUNK_MAX },
    (_request, body, done) => done(null, body),
  );
  app.setErrorHandler<Error & { statusCode?: number }>((error, _request, answer) =>
    answer.code(error.statusCode ?? 500).send({ message: error.message }),
  );
  return app;
};

/** Decodes the path as the router does: `/%61t-…` is `/at-…`. */
const pathOf = (url: string): string => {
  const [path = '/'] = url.split('?', 1);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** Extracts the parts of a request that the guard judges. */
const askingOf = (request: FastifyRequest, { cookie, key }: LaunchSecrets): Asking => {
  const header = (name: string) => {
    const value = request.headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    method: request.method,
    path: pathOf(request.url),
    host: header('host'),
    origin: header('origin'),
    fetch_site: header('sec-fetch-site'),
    fetch_mode: header('sec-fetch-mode'),
    holds_cookie: same(request.cookies[cookie.name] ?? '', cookie.value),
    holds_key: same(header(KEY_HEADER) ?? '', key),
  };
};

type Ask = (
  method: string,
  input: unknown,
  bytes?: Uint8Array<ArrayBuffer>,
) => Promise<CarrierReply>;

/** Routes of the host, under the path of this launch. */
const hostRoutes =
  (ask: Ask, streams: ReturnType<typeof eventStreams>, patience: Patience) =>
  async (app: FastifyInstance): Promise<void> => {
    const desk = answerDesk(patience, streams.ready);
    app.post<{ Params: { method: string } }>('/host/:method', async (request, answer) => {
      const bytes = Buffer.isBuffer(request.body)
        ? new Uint8Array<ArrayBuffer>(
            request.body.buffer as ArrayBuffer,
            request.body.byteOffset,
            request.body.byteLength,
          )
        : undefined;
      const input = bytes === undefined ? request.body : beside(request);
      return give(answer, await desk.hand(ask(request.params.method, input, bytes)));
    });
    // A batch of calls to one method. Each response line is `[place, result]` when a call is done, or `[place, null, ticket]`.
    app.post<{ Params: { method: string } }>('/calls/:method', (request, answer) => {
      const inputs: unknown = request.body;
      if (!Array.isArray(inputs) || inputs.length > CALLS_MAX)
        return answer.code(400).send({ message: `a list of at most ${CALLS_MAX} inputs` });
      answer.hijack();
      const lines = lineWriter(answer.raw);
      const one = async (input: unknown, place: number): Promise<void> => {
        const reply = await desk.hand(ask(request.params.method, input), 'bytes');
        lines.write('ticket' in reply ? [place, null, reply.ticket] : [place, reply.result]);
      };
      void Promise.all(inputs.map(one)).then(lines.end);
      return answer;
    });
    app.post<{ Params: { ticket: string } }>('/answers/:ticket', async (request, answer) => {
      const reply = await desk.fetch(request.params.ticket);
      if (reply === undefined) return answer.code(404).send({ message: 'no such ticket' });
      return give(answer, reply);
    });
    app.get('/events', (_request, answer) => {
      answer.hijack();
      streams.add(answer.raw);
    });
  };

/** The page that admits a window, and the exchange of a code for both secrets. */
const entryRoutes =
  (
    language: () => Promise<Settings['language']>,
    redeem: (code: string) => boolean,
    secrets: () => LaunchSecrets,
    port: () => number,
  ) =>
  async (app: FastifyInstance): Promise<void> => {
    app.get('/enter', async (_request, answer) =>
      answer
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(entryPage(await language())),
    );
    app.get('/enter.js', (_request, answer) =>
      answer.type('text/javascript; charset=utf-8').send(entryScript),
    );
    app.post<{ Body: { code?: unknown } | null }>('/enter', (request, answer) => {
      const { at, key, cookie: own } = secrets();
      const put = codeCookie(port(), '');
      const typed = request.body?.code;
      const code = typed === '' ? request.cookies[put.name] : typed;
      if (typeof code !== 'string' || !redeem(code))
        return answer.code(401).send({ message: 'this address was used already or is too old' });
      return answer
        .clearCookie(put.name, { path: put.path })
        .setCookie(own.name, own.value, { httpOnly: true, sameSite: 'strict', path: own.path })
        .header('cache-control', 'no-store')
        .send({ at, key } satisfies Entered);
    });
  };

export const startWindowServer = async (options: WindowServerOptions): Promise<WindowServer> => {
  const { host } = options;
  const codes = entryCodes(options.now ?? Date.now, options.code_lives_ms ?? 5 * 60_000);
  const streams = eventStreams(host);
  const app = makeServer();
  const routes: { method: string; url: string }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, url });
  });
  // The host API should never throw. If it does, the window still gets an answer.
  const ask: Ask = (method, input, bytes) =>
    host
      .call(method, input, bytes)
      .catch((error: unknown) => ({ result: fail({ kind: 'bug', detail: String(error) }) }));
  const chosenLanguage = async (): Promise<Settings['language']> => {
    const { result } = await ask('settings.get', {});
    const read = result.ok ? settingsSchema.safeParse(result.value) : undefined;
    return read?.success ? read.data.language : 'system';
  };
  const at = drawPath();
  let port = options.port;
  let secrets = launchSecrets(port, at);
  const originOf = () => `http://127.0.0.1:${port}`;

  await app.register(cookie);
  app.addHook('onRequest', async (request, answer) => {
    void answer.headers(windowHeaders);
    const verdict = judge(askingOf(request, secrets), originOf(), at);
    if (!verdict.pass) return answer.code(verdict.status).send({ message: verdict.why });
  });
  await app.register(
    entryRoutes(
      chosenLanguage,
      codes.redeem,
      () => secrets,
      () => port,
    ),
  );
  const patience = options.patience ?? { hold_ms: 1_000, keep_ms: 600_000 };
  await app.register(hostRoutes(ask, streams, patience), { prefix: at });
  await app.register(files, { root: options.files, index: 'index.html', dotfiles: 'deny' });

  await app.listen({ host: '127.0.0.1', port });
  const bound = app.server.address();
  if (bound === null || typeof bound === 'string') throw new Error('no TCP address');
  port = bound.port;
  secrets = launchSecrets(port, at);
  return {
    origin: originOf(),
    secrets,
    routes,
    address: () => `${originOf()}/enter#${codes.issue()}`,
    entry: () => codeCookie(port, codes.issue()),
    async stop() {
      streams.stop();
      await app.close();
    },
  };
};
