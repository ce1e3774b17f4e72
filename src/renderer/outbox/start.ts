/**
 * The window's composition: opens the database (or replaces a broken one), brings it and the host's journal in
 * agreement, starts the engine. Screens call `startWindow` once and hand what it answers to every function of data/,
 * outbox/ and photos/.
 */
import type { HostMethod, SessionView } from '../../contract/host.ts';
import type { Result } from '../../contract/problem.ts';
import type { Clock, Deps, SpotterDb } from '../data/db.ts';
import type { Host } from '../host/client.ts';
import { windowClock } from './clock.ts';
import { createEngine, type Engine, type EngineOptions } from './engine.ts';
import { openDb } from './open.ts';
import { rebuild, type Rebuilt } from './rebuild.ts';

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
  readonly repaired: Rebuilt & { readonly replaced_database: boolean };
  stop(): Promise<void>;
}

export type StartAnswer =
  | { readonly ok: true; readonly value: StartedWindow }
  | { readonly ok: false; readonly problem: StartProblem };

export interface StartOptions {
  readonly db_name?: string;
  readonly engine?: Omit<EngineOptions, 'session'>;
  /** Told by every answer that knows it: does the server answer? For showing. */
  readonly reached?: (reachable: boolean) => void;
}

/** Methods whose outcome says whether the server answers. */
const askServer: ReadonlySet<HostMethod> = new Set<HostMethod>([
  'reach.check',
  'photos.upload',
  'photos.verify',
  'photos.attachment',
]);

/** Does the server answer? Null where the outcome cannot tell. */
const reachOf = (answer: Result<unknown>): boolean | null => {
  if (answer.ok) return true;
  switch (answer.problem.kind) {
    case 'offline':
    case 'timeout':
    case 'broken_reply':
      return false;
    case 'refused':
    case 'conflict':
    case 'gone':
    case 'busy':
      return true;
    default:
      return null;
  }
};

/** Every answer tells the server's time, and whether there is a server. */
const hearing = (
  host: Host,
  heard: (server_time: number | null) => void,
  reached: (reachable: boolean) => void,
): Host => {
  const tell = (answer: Result<unknown>): void => {
    const reachable = reachOf(answer);
    if (reachable !== null) reached(reachable);
  };
  return {
    ...host,
    async call(method, input, bytes) {
      const answer = await host.call(method, input, bytes);
      if (askServer.has(method)) tell(answer);
      // One request may fail by itself; when the smallest one does, there is no service behind the address.
      if (method === 'reach.check' && !answer.ok && answer.problem.kind === 'server_error')
        reached(false);
      return answer;
    },
    async request(name, input, account) {
      const answer = await host.request(name, input, account);
      if (answer.ok) heard(answer.value.server_time);
      tell(answer);
      return answer;
    },
  };
};

export const startWindow = async (host: Host, options: StartOptions = {}): Promise<StartAnswer> => {
  const session = await host.call('session.get', {});
  if (!session.ok) return { ok: false, problem: { kind: 'no_host', detail: session.problem.kind } };
  const opened = await openDb(options.db_name);
  if (!opened.ok) return opened;
  const { db, replaced } = opened.value;
  const clock = await windowClock(db);
  const deps: Deps = { db, host: hearing(host, clock.heard, options.reached ?? (() => {})), clock };
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
