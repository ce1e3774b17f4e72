/**
 * Composes the window: opens the database (or replaces a broken one), reconciles it with the host's journal and starts
 * the engine. Screens call `startWindow` once and pass the result to every function of data/, outbox/ and photos/.
 */
import type { SessionView } from '../../contract/host.ts';
import { ok, type Result } from '../../contract/problem.ts';
import {
  DB_NAME,
  type Clock,
  type DbVersion,
  type Deps,
  type QueueHistory,
  type SpotterDb,
} from '../data/db/db.ts';
import type { Host } from '../host/client.ts';
import { windowClock } from './clock.ts';
import { keepDrafts } from './journal/draft-journal.ts';
import { createEngine, type Engine, type EngineOptions } from './engine/engine.ts';
import { dropForgotten } from './transfer/import-stage.ts';
import { keepDraftsAtUnload, restoreUnloadDrafts } from '../data/near-misses/unload-drafts.ts';
import { openDb, replaceDb, type Opened, type StartProblem } from './queue/open.ts';
import { hearing, type Reach } from './queue/reach.ts';
import { rebuild, type Rebuilt } from './journal/rebuild.ts';
import { storageProblem } from '../data/db/storage-problem.ts';

export interface StartedWindow extends Deps {
  readonly db: SpotterDb;
  readonly host: Host;
  readonly clock: Clock;
  readonly engine: Engine;
  readonly session: SessionView;
  /** The repairs made at the start, for a notice. Zero and false if all was well. */
  readonly repaired: Rebuilt & {
    readonly replaced_database: boolean;
    /** No window opened at this origin before, so data from the journal was never here and was not lost. */
    readonly new_place: boolean;
  };
  stop(): Promise<void>;
}

export type StartAnswer =
  | { readonly ok: true; readonly value: StartedWindow }
  | { readonly ok: false; readonly problem: StartProblem };

export interface StartOptions {
  /** Records what the queue does (data/near-misses/history.ts). */
  readonly history: QueueHistory;
  readonly db_name?: string;
  /** Default: the versions of this program. */
  readonly db_versions?: readonly DbVersion[];
  readonly engine?: Omit<EngineOptions, 'session'>;
  /** Called with every response that shows whether the server is reachable. For display. */
  readonly reached?: (reach: Reach) => void;
  /** The browser closed the database: a full disk, or damage found late. Nothing can be saved now. */
  readonly closed?: () => void;
}

interface Ready {
  readonly deps: Deps;
  readonly repaired: Rebuilt;
  readonly opened: Opened;
}

/** Chromium's errors for unreadable or unwritable files. Our own bugs do not count as damage, so the data stays. */
const isDamage = (error: unknown): boolean =>
  error instanceof Error &&
  (storageProblem(error).kind === 'no_space' ||
    ['UnknownError', 'AbortError', 'DatabaseClosedError', 'NotReadableError'].includes(error.name));

/** Reconciles database and journal. Throws if the database cannot be read or written. */
const agree = async (host: Host, opened: Opened, options: StartOptions): Promise<Result<Ready>> => {
  const { db } = opened;
  const clock = await windowClock(db);
  const { history, reached = () => {} } = options;
  const deps: Deps = { db, host: hearing(host, clock.heard, reached), clock, history };
  const repaired = await rebuild(deps);
  if (repaired.ok) await dropForgotten(deps);
  return repaired.ok ? ok({ deps, repaired: repaired.value, opened }) : repaired;
};

/** Opens the database, or replaces a broken one, and restores from the journal. */
const prepare = async (host: Host, options: StartOptions): Promise<StartAnswer | Ready> => {
  const keep = () => host.call('database.report', { state: 'broken' });
  const { db_name: name = DB_NAME, db_versions } = options;
  let opened = await openDb(name, keep, db_versions);
  for (;;) {
    if (!opened.ok) return opened;
    const { db, replaced } = opened.value;
    try {
      const ready = await agree(host, opened.value, options);
      if (ready.ok) return ready.value;
      db.close();
      const { kind } = ready.problem;
      // The journal has no room for operations that only the database has.
      if (kind === 'no_space') return { ok: false, problem: { kind: 'full_disk' } };
      return { ok: false, problem: { kind: 'no_host', detail: kind } };
    } catch (error) {
      db.close();
      if (replaced || !isDamage(error))
        return { ok: false, problem: { kind: 'no_database', detail: String(error) } };
      opened = await replaceDb(name, error, keep, db_versions);
    }
  }
};

/** Time to read a large project before the host deletes its copy of the files, in milliseconds. */
const READ_BY = 60_000;
/** How often an idle window checks that its database is still open, in milliseconds. */
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
  // A replaced database was copied before it was deleted.
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
    // Otherwise Dexie would reopen it on the next access, perhaps empty and never reconciled with the journal.
    queueMicrotask(() => db.close());
    // A leader without a database would keep all other windows from sending.
    engine.abandon();
  };
  db.on('close', lost);
  // An access before the close event also finds the connection gone, and Dexie reopens the database on its own.
  let opened = false;
  const open = (): void => {
    if (opened) lost();
    opened = true;
  };
  db.on('ready', open, true);
  // The close event may be missed. A periodic access then detects it.
  let stopPulse = (): void => {};
  const pulse = (): void => {
    stopPulse = deps.clock.after(PULSE, () => {
      if (over) return;
      void db.meta.get('hold').catch(() => undefined);
      pulse();
    });
  };
  pulse();
  await restoreUnloadDrafts(deps);
  engine.start();
  const stopKeeping = keepDrafts(deps);
  const stopUnload = keepDraftsAtUnload(deps);
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
        stopUnload();
        await stopKeeping();
        await engine.stop();
        db.close();
      },
    },
  };
};
