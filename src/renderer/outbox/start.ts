/**
 * The window's composition: opens the database (or replaces a broken one), brings it and the host's journal in
 * agreement, starts the engine. Screens call `startWindow` once and hand what it answers to every function of data/,
 * outbox/ and photos/.
 */
import type { SessionView } from '../../contract/host.ts';
import type { Clock, Deps, SpotterDb } from '../data/db.ts';
import type { Host } from '../host/client.ts';
import { windowClock } from './clock.ts';
import { createEngine, type Engine, type EngineOptions } from './engine.ts';
import { openDb } from './open.ts';
import { rebuild } from './rebuild.ts';

export type StartProblem =
  /** The database was written by a newer Spotter: nothing was touched (failures A28). */
  | { readonly kind: 'newer_database' }
  /** IndexedDB does not work at all in this browser. */
  | { readonly kind: 'no_database'; readonly detail: string }
  /** The host does not answer. */
  | { readonly kind: 'no_host'; readonly detail: string };

export interface StartedWindow extends Deps {
  readonly db: SpotterDb;
  readonly host: Host;
  readonly clock: Clock;
  readonly engine: Engine;
  readonly session: SessionView;
  /** What the start put right, for one quiet notice. Zero and false when all was well. */
  readonly repaired: {
    readonly rebuilt: number;
    readonly quarantined: number;
    readonly damaged: number;
    readonly replaced_database: boolean;
  };
  stop(): Promise<void>;
}

export type StartAnswer =
  | { readonly ok: true; readonly value: StartedWindow }
  | { readonly ok: false; readonly problem: StartProblem };

export interface StartOptions {
  readonly db_name?: string;
  readonly engine?: Omit<EngineOptions, 'session'>;
}

/** Every answer tells the server's time. */
const hearing = (host: Host, heard: (server_time: number | null) => void): Host => ({
  ...host,
  async request(name, input) {
    const answer = await host.request(name, input);
    if (answer.ok) heard(answer.value.server_time);
    return answer;
  },
});

export const startWindow = async (host: Host, options: StartOptions = {}): Promise<StartAnswer> => {
  const session = await host.call('session.get', {});
  if (!session.ok) return { ok: false, problem: { kind: 'no_host', detail: session.problem.kind } };
  const opened = await openDb(options.db_name);
  if (!opened.ok) return opened;
  const { db, replaced } = opened.value;
  const clock = await windowClock(db);
  const deps: Deps = { db, host: hearing(host, clock.heard), clock };
  const repaired = await rebuild(deps);
  if (!repaired.ok) {
    db.close();
    return { ok: false, problem: { kind: 'no_host', detail: repaired.problem.kind } };
  }
  const engine = createEngine(deps, { ...options.engine, session: session.value });
  engine.start();
  return {
    ok: true,
    value: {
      ...deps,
      engine,
      session: session.value,
      repaired: {
        ...repaired.value,
        replaced_database: replaced,
      },
      async stop() {
        await engine.stop();
        db.close();
      },
    },
  };
};
