/** The engine that empties the queue (design §3). */
import type { SessionView } from '../../contract/host.ts';
import type { Deps } from '../data/db.ts';

export interface Engine {
  /** Waits for the leader's lock in the background, then sends. */
  start(): void;
  /** Look again now: "try again" on the banner. Ends a hold, except one that the server asked for. */
  wake(): void;
  /** True while this window is the one that sends. */
  leads(): boolean;
  /** Finishes what is being sent, gives the lock up. */
  stop(): Promise<void>;
}

export declare const createEngine: (
  deps: Deps,
  options: { readonly session: SessionView },
) => Engine;
