/**
 * The window's composition: opens the database (or replaces a broken one), brings it and the host's journal in
 * agreement, starts the engine. Screens call `startWindow` once and hand what it answers to every function of data/,
 * outbox/ and photos/.
 */
import type { SessionView } from '../../contract/host.ts';
import { ok, type Result } from '../../contract/problem.ts';
import { DB_NAME, type Clock, type Deps, type QueueHistory, type SpotterDb } from '../data/db.ts';
import type { Host } from '../host/client.ts';
import { windowClock } from './clock.ts';
import { keepDrafts } from './draft-journal.ts';
import { createEngine, type Engine, type EngineOptions } from './engine.ts';
import { dropForgotten } from './import-stage.ts';
import { openDb, replaceDb, type Opened, type StartProblem } from './open.ts';
import { hearing, type Reach } from './reach.ts';
import { rebuild, type Rebuilt } from './rebuild.ts';
import { storageProblem } from '../data/storage-problem.ts';

export interface StartedWindow extends Deps {
  readonly db: SpotterDb;
  readonly host: Host;
  readonly clock: Clock;
  readonly engine: Engine;
  readonly session: SessionView;
  /** What the start put right, for one quiet notice. Zero and false when all was well. */
  readonly repaired: Rebuilt & {
    readonly replaced_database: boolean;
    /** No window opened at this origin before: what came from the journal was never here, and was not lost. */
    readonly new_place: boolean;
  };
  stop(): Promise<void>;
}

export type StartAnswer =
  | { readonly ok: true; readonly value: StartedWindow }
  | { readonly ok: false; readonly problem: StartProblem };

export interface StartOptions {
  /** Notes what the queue does (data/history.ts). */
  readonly history: QueueHistory;
  readonly db_name?: string;
  readonly engine?: Omit<EngineOptions, 'session'>;
  /** Told by every answer that knows it: does the server answer? For showing. */
  readonly reached?: (reach: Reach) => void;
  /** The browser closed the database under the window: a full disk, or damage found late. Nothing can be saved now. */
  readonly closed?: () => void;
}

interface Ready {
  readonly deps: Deps;
  readonly repaired: Rebuilt;
  readonly opened: Opened;
}

/** Chromium's words for files it cannot read or write. A bug of ours is no damage: what is there stays. */
const isDamage = (error: unknown): boolean =>
  error instanceof Error &&
  (storageProblem(error).kind === 'no_space' ||
    ['UnknownError', 'AbortError', 'DatabaseClosedError', 'NotReadableError'].includes(error.name));

/** Database and journal in agreement. Throws where the database cannot be read or written. */
const agree = async (host: Host, opened: Opened, options: StartOptions): Promise<Result<Ready>> => {
  const { db } = opened;
  const clock = await windowClock(db);
  const { history, reached = () => {} } = options;
  const deps: Deps = { db, host: hearing(host, clock.heard, reached), clock, history };
  const repaired = await rebuild(deps);
  if (repaired.ok) await dropForgotten(deps);
  return repaired.ok ? ok({ deps, repaired: repaired.value, opened }) : repaired;
};

/** Opens the database, or a new one in a broken one's place, and brings back what the journal has. */
const prepare = async (host: Host, options: StartOptions): Promise<StartAnswer | Ready> => {
  const keep = () => host.call('database.report', { state: 'broken' });
  const name = options.db_name ?? DB_NAME;
  let opened = await openDb(name, keep);
  for (;;) {
    if (!opened.ok) return opened;
    const { db, replaced } = opened.value;
    try {
      const ready = await agree(host, opened.value, options);
      if (ready.ok) return ready.value;
      db.close();
      const { kind } = ready.problem;
      // The journal could not take what this database has and it lacks.
      if (kind === 'no_space') return { ok: false, problem: { kind: 'full_disk' } };
      return { ok: false, problem: { kind: 'no_host', detail: kind } };
    } catch (error) {
      db.close();
      if (replaced || !isDamage(error))
        return { ok: false, problem: { kind: 'no_database', detail: String(error) } };
      opened = await replaceDb(name, error, keep);
    }
  }
};

/** So long the copies of a large project have to be read before the host lets its copy of the files go, milliseconds. */
const READ_BY = 60_000;
/** How often a window that asks its store for nothing makes sure that it is there, milliseconds. */
const PULSE = 30_000;

export const startWindow = async (host: Host, options: StartOptions): Promise<StartAnswer> => {
  const session = await host.call('session.get', {});
  if (!session.ok) return { ok: false, problem: { kind: 'no_host', detail: session.problem.kind } };
  const ready = await prepare(host, options);
  if ('ok' in ready) return ready;
  const { deps, repaired, opened: found } = ready;
  const { db, replaced } = found;
  const report = (state: 'lost' | 'healthy') => void host.call('database.report', { state });
  let stopReport = (): void => {};
  const place = await host.call('database.place', { origin: location.origin });
  const new_place = place.ok && !place.value.known;
  // Replaced: its files were kept before it was deleted.
  if (!replaced && repaired.rebuilt > 0 && !new_place) report('lost');
  else if (!replaced && found.whole) report('healthy');
  else if (!replaced) stopReport = deps.clock.after(READ_BY, () => report('healthy'));
  const engine = createEngine(deps, { ...options.engine, session: session.value });
  let over = false;
  const lost = (): void => {
    if (over) return;
    over = true;
    stopReport();
    options.closed?.();
    // Dexie would open it again at the next word: empty perhaps, and never compared with the journal.
    queueMicrotask(() => db.close());
    // Whoever leads without a store keeps all other windows from sending.
    engine.abandon();
  };
  db.on('close', lost);
  // A word that comes before the event finds the connection gone too, and Dexie opens another by itself.
  let opened = false;
  const open = (): void => {
    if (opened) lost();
    opened = true;
  };
  db.on('ready', open, true);
  // Nobody may be told at all: then a word, which finds it gone, tells it.
  let stopPulse = (): void => {};
  const pulse = (): void => {
    stopPulse = deps.clock.after(PULSE, () => {
      if (over) return;
      void db.meta.get('hold').catch(() => undefined);
      pulse();
    });
  };
  pulse();
  engine.start();
  const stopKeeping = keepDrafts(deps);
  return {
    ok: true,
    value: {
      ...deps,
      engine,
      session: session.value,
      repaired: { ...repaired, replaced_database: replaced, new_place },
      async stop() {
        over = true;
        stopReport();
        stopPulse();
        await stopKeeping();
        await engine.stop();
        db.close();
      },
    },
  };
};
