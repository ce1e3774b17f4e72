/**
 * The carrier of the browser shell: `POST /host/<method>` and `/events` on the address that served the window.
 * The session cookie goes along by itself (HttpOnly: no script can read it). Bytes travel as the raw body in both
 * directions, with the JSON beside them in a header, so that a photo is never turned into base64.
 *
 * A browser opens at most six connections to one address, and an upload may take an hour. So the shell answers a
 * call that is not done within a second with 202 and a ticket, says on the event stream when it is done, and the
 * answer is fetched then; a slow poll stands in where that word was missed. One stream serves every listener.
 */
import type { Carrier, CarrierReply } from '../../contract/host.ts';
import { fail } from '../../contract/problem.ts';

/** Beside a raw body: the JSON that would have been the body, URI-encoded. */
const BESIDE = 'spotter-json';
/** How long a ticket waits for the stream's word before it asks by itself, milliseconds. */
const ASK_AGAIN = 2_000;

const lost = (detail: string): CarrierReply => ({
  result: fail({ kind: 'offline', reason: 'unreachable', detail }),
});

/** An answer that is no result: the shell turned the request itself away. */
const turnedAway = async (answer: Response): Promise<CarrierReply> => {
  const detail = `the host answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`;
  // 401: this window was let in by a program that has ended since. It waits, like one that lost its host.
  return answer.status === 401 ? lost(detail) : { result: fail({ kind: 'bug', detail }) };
};

const read = async (answer: Response): Promise<CarrierReply> => {
  if (answer.status !== 200) return turnedAway(answer);
  const beside = answer.headers.get(BESIDE);
  if (beside === null) return { result: (await answer.json()) as CarrierReply['result'] };
  const bytes = new Uint8Array(await answer.arrayBuffer());
  return { result: JSON.parse(decodeURIComponent(beside)) as CarrierReply['result'], bytes };
};

/** What the carrier needs of the browser; the carrier suite brings Node's. */
export interface Web {
  readonly fetch: (address: string, init: RequestInit) => Promise<Response>;
  readonly EventSource: new (address: string) => EventSource;
}

/** One EventSource for all listeners and all tickets, open while anyone listens. */
const stream = (origin: string, web: Web) => {
  const listeners = new Set<(event: unknown) => void>();
  const waiting = new Map<string, () => void>();
  let source: EventSource | undefined;
  const open = () => {
    if (source !== undefined) return;
    // EventSource connects again by itself after a cut; events are for showing only, so a missed one does no harm.
    source = new web.EventSource(`${origin}/events`);
    source.addEventListener('message', (message) => {
      const event: unknown = JSON.parse(String(message.data));
      for (const hear of listeners) hear(event);
    });
    source.addEventListener('ready', (message) => waiting.get(String(message.data))?.());
  };
  const closeIfIdle = () => {
    if (listeners.size + waiting.size > 0) return;
    source?.close();
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
    /** Resolves when the stream says that the ticket's answer is there, or after ASK_AGAIN. */
    ready: (ticket: string) =>
      new Promise<void>((resolve) => {
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

/** @param origin where the shell listens: `http://127.0.0.1:PORT` */
export const browserCarrier = (
  origin: string,
  web: Web = { fetch: (address, init) => fetch(address, init), EventSource },
): Carrier => {
  const events = stream(origin, web);
  return {
    async call(method, input, bytes) {
      const json = JSON.stringify(input ?? {});
      try {
        let answer = await web.fetch(`${origin}/host/${encodeURIComponent(method)}`, {
          method: 'POST',
          headers:
            bytes === undefined
              ? { 'content-type': 'application/json' }
              : { 'content-type': 'application/octet-stream', [BESIDE]: encodeURIComponent(json) },
          body: bytes ?? json,
          cache: 'no-store',
          redirect: 'error',
        });
        while (answer.status === 202) {
          const { ticket } = (await answer.json()) as { ticket: string };
          await events.ready(ticket);
          answer = await web.fetch(`${origin}/answers/${encodeURIComponent(ticket)}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: '{}',
            cache: 'no-store',
            redirect: 'error',
          });
        }
        return await read(answer);
      } catch (error) {
        return lost(error instanceof Error ? error.message : String(error));
      }
    },
    listen: events.listen,
  };
};
