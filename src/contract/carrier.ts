/**
 * What stands between a window and the host: a carrier on the window's side, a door on the host's. Neither knows the methods
 * of host.ts; both sides parse by them.
 */
import { z } from 'zod';
import type { HostEvent } from './host.ts';
import { problemSchema, type Result } from './problem.ts';

/** What a carrier gives back: the result as data, and the bytes beside it. */
export interface CarrierReply {
  readonly result: Result<unknown>;
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

/** The one object a shell exposes to its window. Electron: `window.spotter`. Browser shell: made from fetch. */
export interface Carrier {
  call(method: string, input: unknown, bytes?: Uint8Array<ArrayBuffer>): Promise<CarrierReply>;
  /** Hears every event until the answered function is called. */
  listen(hear: (event: unknown) => void): () => void;
}

/** Browser shell: the header that carries the page's key, and where a tab keeps what it was let in with (sessionStorage). */
export const KEY_HEADER = 'spotter-key';
export const ENTERED = 'spotter-entered';
/** What an entry code buys beside the cookie: the path at which the host answers, and the key for that header. */
export const entered = z.object({ at: z.string(), key: z.string() });
export type Entered = z.infer<typeof entered>;

/** A line of the browser shell's event stream: an event, the ticket of an answer that is there, or a sign of life. */
export const eventLine = z.object({
  event: z.unknown().optional(),
  ready: z.string().optional(),
});
export type EventLine = z.infer<typeof eventLine>;

/** `Result` as it crosses a carrier, for the window to parse before it believes. */
export const carriedResult = z.union([
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), problem: problemSchema }),
]);

/** The host's core as its shells see it: one function and one subscription. */
export interface HostDoor {
  /** Parses `input` by the method's schema, runs it, never throws. `bytes` only where the method takes them. */
  call(method: string, input: unknown, bytes?: Uint8Array<ArrayBuffer>): Promise<CarrierReply>;
  listen(hear: (event: HostEvent) => void): () => void;
  /** Finishes what is running, closes files, stops the embedded service. */
  stop(): Promise<void>;
}
