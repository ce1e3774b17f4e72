/**
 * The transport between a window and the host: a carrier on the window's side, a door on the host's. Neither knows the methods of
 * host.ts; both sides validate with its schemas.
 */
import { z } from 'zod';
import type { HostEvent } from './host.ts';
import { problemSchema, type Result } from './problem.ts';

/** A carrier's response: the result as data, with the bytes separate. */
export interface CarrierReply {
  readonly result: Result<unknown>;
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

/** The one object a shell exposes to its window: `window.spotter` in Electron, built from fetch in the browser shell. */
export interface Carrier {
  call(method: string, input: unknown, bytes?: Uint8Array<ArrayBuffer>): Promise<CarrierReply>;
  /** Subscribes to every event. Returns the function that unsubscribes. */
  listen(hear: (event: unknown) => void): () => void;
}

/** Browser shell: the header for the page's key, and the sessionStorage name for what `entered` describes. */
export const KEY_HEADER = 'spotter-key';
export const ENTERED = 'spotter-entered';
/** Returned for an entry code, besides the cookie: the path at which the host answers, and the key for that header. */
export const entered = z.object({ at: z.string(), key: z.string() });
export type Entered = z.infer<typeof entered>;

/** A line of the browser shell's event stream: an event, the ticket of a finished response, or a heartbeat. */
export const eventLine = z.object({
  event: z.unknown().optional(),
  ready: z.string().optional(),
});
export type EventLine = z.infer<typeof eventLine>;

/** `Result` as the window receives it, to be validated before use. */
export const carriedResult = z.union([
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), problem: problemSchema }),
]);

/** The host as its shells see it: one function and one subscription. */
export interface HostApi {
  /** Validates `input` by the method's schema, runs the method, and never throws. `bytes` only if the method accepts them. */
  call(method: string, input: unknown, bytes?: Uint8Array<ArrayBuffer>): Promise<CarrierReply>;
  listen(hear: (event: HostEvent) => void): () => void;
  /** Finishes running calls, closes files, stops the embedded service. */
  stop(): Promise<void>;
}
