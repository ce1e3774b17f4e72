/**
 * The carrier of the browser shell: `POST …/host/<method>` and `…/events` at the window's origin, below the path from the entry
 * page. The browser sends the HttpOnly cookie; the page adds its key as a header. Bytes travel as the raw body in both
 * directions, with the JSON in a header, so a photo is never base64-encoded.
 *
 * A browser opens at most six connections per origin, and an upload may take an hour. So a call that takes over a second returns
 * 202 and a ticket. The event stream announces the finished ticket, and the response is then fetched. A slow poll covers a missed
 * announcement. One stream serves all listeners.
 *
 * One fetch costs this page about two milliseconds, whatever its size. So server requests made while others are in flight are
 * batched (`POST /calls`), and each is answered on a separate line as soon as it is done.
 */
import { type CarrierReply, type Entered, eventLine, KEY_HEADER } from '../../contract/carrier.ts';
import { fail } from '../../contract/problem.ts';
import type { WindowCarrier } from './window-carrier.ts';

/** Header with the URI-encoded JSON that accompanies a raw body. */
const BESIDE = 'spotter-json';
/** Milliseconds until a ticket without an announcement is polled. */
const ASK_AGAIN = 2_000;
/** Milliseconds until a broken stream is reopened. */
const OPEN_AGAIN = 1_000;

const lost = (detail: string): CarrierReply => ({
  result: fail({ kind: 'offline', reason: 'unreachable', detail }),
});

/** A response that is not a result: the shell refused the request. */
const turnedAway = async (answer: Response): Promise<CarrierReply> => {
  const detail = `the host answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`;
  // The program that admitted this window has ended. Treat it like a lost host, so the queue waits.
  const shut = answer.status === 401 || answer.status === 403;
  return shut ? lost(detail) : { result: fail({ kind: 'bug', detail }) };
};

const read = async (answer: Response): Promise<CarrierReply> => {
  if (answer.status !== 200) return turnedAway(answer);
  const beside = answer.headers.get(BESIDE);
  if (beside === null) return { result: (await answer.json()) as CarrierReply['result'] };
  const bytes = new Uint8Array(await answer.arrayBuffer());
  return { result: JSON.parse(decodeURIComponent(beside)) as CarrierReply['result'], bytes };
};

/** The method whose calls are batched, because an emptying queue makes dozens of them. Every other call is sent at once. */
const TOGETHER = 'rest.request';
/** Maximum calls per post, maximum posts in flight, and the milliseconds a call waits for others. */
const TOGETHER_MAX = 64;
const POSTS_MAX = 3;
const GATHER = 4;

/** The browser functions the carrier needs; the carrier tests pass Node's. */
export interface Web {
  readonly fetch: (address: string, init: RequestInit) => Promise<Response>;
}

async function* linesOf(answer: Response): AsyncGenerator<string> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const part = await reader?.read();
    if (part === undefined || part.done) return;
    const lines = (rest + part.value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

/** Maximum number of announcements kept for tickets that are not known yet. */
const EARLY_MAX = 1_000;

/**
 * One stream for all listeners and tickets, open while either exists. It is not an EventSource, because that cannot send a
 * header. A ticket's announcement may arrive before the ticket, on another connection, so it is kept. Announcements sent while
 * the stream was closed are lost, so every ticket is polled once when the stream opens. Events are for display only, so a lost
 * event does no harm.
 */
const stream = (address: string, web: Web) => {
  const listeners = new Set<(event: unknown) => void>();
  const waiting = new Map<string, () => void>();
  const early = new Set<string>();
  let source: AbortController | undefined;
  const heard = (ticket: string): void => {
    const tell = waiting.get(ticket);
    if (tell !== undefined) return tell();
    early.add(ticket);
    const [oldest = ''] = early;
    if (early.size > EARLY_MAX) early.delete(oldest);
  };
  const hearLine = (text: string): void => {
    const { event, ready } = eventLine.parse(JSON.parse(text));
    if (ready !== undefined) heard(ready);
    if (event !== undefined) for (const hear of listeners) hear(event);
  };
  const connect = async ({ signal }: AbortController): Promise<void> => {
    const answer = await web.fetch(address, { cache: 'no-store', redirect: 'error', signal });
    if (answer.status !== 200) {
      await answer.body?.cancel();
      return;
    }
    for (const tell of [...waiting.values()]) tell();
    for await (const line of linesOf(answer)) hearLine(line);
  };
  const open = () => {
    if (source !== undefined) return;
    const own = new AbortController();
    source = own;
    const again = (): void => {
      if (!own.signal.aborted) setTimeout(() => void go(), OPEN_AGAIN);
    };
    const go = (): Promise<void> => {
      if (own.signal.aborted) return Promise.resolve();
      return connect(own).then(again, again);
    };
    void go();
  };
  const closeIfIdle = () => {
    if (listeners.size + waiting.size > 0) return;
    source?.abort();
    source = undefined;
  };
  return {
    listen(hear: (event: unknown) => void) {
      const one = (event: unknown) => hear(event);
      listeners.add(one);
      open();
      return () => {
        listeners.delete(one);
        closeIfIdle();
      };
    },
    /** Resolves when the stream announces the ticket, or after ASK_AGAIN. */
    ready: (ticket: string) =>
      new Promise<void>((resolve) => {
        if (early.delete(ticket)) return resolve();
        const done = () => {
          clearTimeout(timer);
          waiting.delete(ticket);
          closeIfIdle();
          resolve();
        };
        const timer = setTimeout(done, ASK_AGAIN);
        waiting.set(ticket, done);
        open();
      }),
  };
};

const json = { 'content-type': 'application/json' };
/** Chromium takes seconds to send 4 MiB of a string or array, and milliseconds for a Blob. */
const AS_BLOB = 256 * 1024;
const bodyOf = (
  body: string | Uint8Array<ArrayBuffer> | Blob,
): string | Blob | Uint8Array<ArrayBuffer> =>
  body instanceof Blob || body.length < AS_BLOB ? body : new Blob([body]);
const post = (
  web: Web,
  address: string,
  body: string | Uint8Array<ArrayBuffer> | Blob,
  headers: Record<string, string> = json,
) =>
  web.fetch(address, {
    method: 'POST',
    headers,
    body: bodyOf(body),
    cache: 'no-store',
    redirect: 'error',
  });

interface Gathered {
  readonly input: string;
  readonly done: (reply: CarrierReply | Promise<CarrierReply>) => void;
}
/** `[index in the post, its result or its ticket]` */
type Line = readonly [number, CarrierReply['result'] | null, string?];

/** Batches calls of one method that are made close together into one post. */
const gatherer = (
  web: Web,
  address: string,
  late: (ticket: string) => Promise<CarrierReply>,
): ((input: string) => Promise<CarrierReply>) => {
  const waiting: Gathered[] = [];
  let posts = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;

  const send = async (calls: readonly Gathered[]): Promise<void> => {
    const left = new Map(calls.map((call, place) => [place, call]));
    let why = 'the connection to the host was cut';
    try {
      const answer = await post(web, address, `[${calls.map(({ input }) => input).join(',')}]`);
      if (answer.status !== 200) {
        const reply = await turnedAway(answer);
        for (const { done } of left.values()) done(reply);
        left.clear();
      } else
        for await (const line of linesOf(answer)) {
          const [place, result, ticket] = JSON.parse(line) as Line;
          left
            .get(place)
            ?.done(ticket === undefined || result ? { result: result! } : late(ticket));
          left.delete(place);
        }
    } catch (error) {
      why = error instanceof Error ? error.message : String(error);
    }
    for (const { done } of left.values()) done(lost(why));
  };

  const go = (): void => {
    timer = null;
    while (waiting.length > 0 && posts < POSTS_MAX) {
      const calls = waiting.splice(0, TOGETHER_MAX);
      posts += 1;
      void send(calls).finally(() => {
        posts -= 1;
        if (waiting.length > 0 && timer === null) go();
      });
    }
  };

  return (input) =>
    new Promise((done) => {
      waiting.push({ input, done });
      // A single call does not wait, but calls of the same turn join it.
      timer ??= setTimeout(go, posts === 0 ? 0 : GATHER);
    });
};

const withKey = (web: Web, key: string): Web => ({
  fetch: (address, init) =>
    web.fetch(address, {
      ...init,
      headers: { ...(init.headers as Readonly<Record<string, string>>), [KEY_HEADER]: key },
    }),
});

/**
 * @param origin address of the shell: `http://127.0.0.1:PORT`
 * @param let_in what the entry page received for this tab
 */
export const browserCarrier = (
  origin: string,
  let_in: Entered,
  browser: Web = { fetch: (address, init) => fetch(address, init) },
): WindowCarrier => {
  const web = withKey(browser, let_in.key);
  const base = `${origin}${let_in.at}`;
  const events = stream(`${base}/events`, web);
  const late = async (ticket: string): Promise<CarrierReply> => {
    try {
      for (;;) {
        await events.ready(ticket);
        const answer = await post(web, `${base}/answers/${encodeURIComponent(ticket)}`, '{}');
        if (answer.status !== 202) return await read(answer);
      }
    } catch (error) {
      return lost(error instanceof Error ? error.message : String(error));
    }
  };
  const together = gatherer(web, `${base}/calls/${TOGETHER}`, late);
  const call = async (
    method: string,
    input: unknown,
    bytes?: Uint8Array<ArrayBuffer> | Blob,
  ): Promise<CarrierReply> => {
    const text = JSON.stringify(input ?? {});
    if (method === TOGETHER && bytes === undefined) return together(text);
    try {
      const answer = await post(
        web,
        `${base}/host/${encodeURIComponent(method)}`,
        bytes ?? text,
        bytes === undefined
          ? json
          : { 'content-type': 'application/octet-stream', [BESIDE]: encodeURIComponent(text) },
      );
      if (answer.status !== 202) return await read(answer);
      return await late(((await answer.json()) as { ticket: string }).ticket);
    } catch (error) {
      return lost(error instanceof Error ? error.message : String(error));
    }
  };
  return { call, callWithFile: call, listen: events.listen };
};
