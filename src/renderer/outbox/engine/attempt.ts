/**
 * Makes one attempt at one operation, from claimed to settled, parked, delayed or quarantined. Reports the outcome; the
 * engine decides for the queue.
 * An operation that may heal is retried without limit. Its failure count only lengthens the backoff, and progress resets
 * the count.
 */
import { fail, notCarriedOut, type Problem, type Result } from '../../../contract/problem.ts';
import type { Deps, OutboxOperation } from '../../data/db/db.ts';
import { backoff } from './backoff.ts';
import { bytesOf, operationOf, isKnown, commonCheckpointOf } from '../../operations/operation.ts';
import { withoutTry } from '../queue/operation-life.ts';
import { runOf } from '../handlers/index.ts';
import type { SendContext } from '../handlers/handler.ts';
import type { Settler, Write } from './settle.ts';
import { type ClosedBy, classifyError, retryAfter } from './classify-error.ts';
import { storageProblem } from '../../data/db/storage-problem.ts';

export type AttemptResult =
  | { readonly what: 'settled' | 'parked' | 'quarantined' }
  /** Retry no sooner than `wait` milliseconds from now. */
  | { readonly what: 'delayed'; readonly wait: number }
  /** The attempt failed, but more of the photo's bytes reached the server than before. */
  | { readonly what: 'progressed'; readonly wait: number }
  /**
   * The attempt failed although the server answers the probe. The circuit breaker decides whether other lanes fail too.
   */
  | { readonly what: 'failed'; readonly wait: number; readonly problem: Problem }
  | {
      readonly what: 'pause';
      readonly problem: Problem;
      readonly until: 'later' | 'user';
      readonly closed_by: ClosedBy;
      /** The backoff of the operation, in milliseconds. */
      readonly wait: number;
    };

export interface AttemptTools extends Deps {
  readonly settler: Settler;
  readonly random: () => number;
  /** Asks whether the server answers. Concurrent callers share one request. */
  probe(): Promise<Result<unknown>>;
  account(): string | null;
}

/**
 * An attempt of several steps may outlive its session. No later step may be sent under another account (failures A9).
 */
const guarded = (tools: AttemptTools, operation: OutboxOperation): Deps['host'] => {
  const { host, account } = tools;
  const stop = (): Result<never> => fail({ kind: 'cancelled' });
  const { contradicted: doubted_id } = commonCheckpointOf(operation);
  return {
    ...host,
    call: async (method, input, bytes) =>
      account() === operation.account ? host.call(method, input, bytes) : stop(),
    request: async (name, input) => {
      if (account() !== operation.account) return stop();
      const doubted = doubted_id === undefined ? input : { ...input, doubted_id };
      return host.request(name, doubted, operation.account);
    },
  };
};

const contextOf = (
  tools: AttemptTools,
  operation: OutboxOperation,
): Omit<SendContext, 'operation'> => {
  const deps = { db: tools.db, clock: tools.clock, host: guarded(tools, operation) };
  let checkpoint = operation.checkpoint;
  return {
    ...deps,
    async checkpoint(patch) {
      checkpoint = { ...checkpoint, ...patch };
      await deps.db.operations.update(operation.id, { checkpoint });
    },
    async serverId(key, known) {
      const link = await deps.db.links.get(key);
      return link?.server_id ?? (await deps.db.near_misses.get(key))?.server_id ?? known;
    },
  };
};

/**
 * Moves an operation that this version cannot read to quarantine, with all its fields, so that the queue goes on
 * (failures A20).
 */
export const quarantine = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  operation: Pick<OutboxOperation, 'account' | 'lane'> & { readonly id?: unknown },
  reason: string,
): Promise<void> => {
  await db.transaction('rw', db.operations, db.quarantine, async () => {
    await db.quarantine.add({
      account: String(operation.account),
      lane: String(operation.lane),
      raw: operation,
      reason,
      found_at: clock.now(),
    });
    if (typeof operation.id === 'string') await db.operations.delete(operation.id);
  });
};

const park = async (
  { db }: Deps,
  operation: OutboxOperation,
  problem: Problem,
): Promise<AttemptResult> => {
  await db.transaction('rw', db.operations, db.photos, async () => {
    await db.operations.update(operation.id, {
      state: 'parked',
      last_problem: problem,
      next_try_at: null,
    });
    const photo_id = bytesOf(operation)?.photo.photo_id;
    if (photo_id === undefined) return;
    const damaged = problem.kind === 'photo_damaged' ? { state: 'damaged' as const } : {};
    await db.photos.update(photo_id, { ...damaged, problem });
  });
  return { what: 'parked' };
};

/**
 * Returns the operation to `waiting` with a backoff that grows with `consecutive_failures`, its failures since it last made progress.
 */
const backOff = async (
  tools: AttemptTools,
  operation: OutboxOperation,
  problem: Problem,
  consecutive_failures: number,
): Promise<number> => {
  const wait = backoff(Math.max(1, consecutive_failures), tools.random, retryAfter(problem));
  await tools.db.operations.update(operation.id, {
    state: 'waiting',
    consecutive_failures,
    last_problem: problem,
    next_try_at: tools.clock.now() + wait,
  });
  return wait;
};

const release = (tools: Deps, operation: OutboxOperation, problem: Problem) =>
  tools.db.operations.update(operation.id, { state: 'waiting', last_problem: problem });

/** True if the server has more segments of the photo than at the last failure. An acknowledged segment is progress. */
const hasProgressed = async (tools: AttemptTools, operation: OutboxOperation): Promise<boolean> => {
  const photo_id = bytesOf(operation)?.photo.photo_id;
  if (photo_id === undefined) return false;
  const asked = await tools.host.call('photos.delivery', { photo_id });
  if (!asked.ok) return false;
  const { segments } = asked.value;
  const now = await tools.db.operations.get(operation.id);
  const known = (now && bytesOf(now)?.acknowledged) ?? 0;
  // There are fewer segments if the upload had to restart.
  if (now !== undefined && segments !== known)
    await tools.db.operations.update(operation.id, {
      checkpoint: { ...now.checkpoint, acknowledged: segments },
    });
  return segments > known;
};

const suspect = async (
  tools: AttemptTools,
  operation: OutboxOperation,
  problem: Problem,
): Promise<AttemptResult> => {
  if (await hasProgressed(tools, operation))
    return { what: 'progressed', wait: await backOff(tools, operation, problem, 0) };
  const probed = await tools.probe();
  if (probed.ok)
    return {
      what: 'failed',
      problem,
      wait: await backOff(tools, operation, problem, operation.consecutive_failures + 1),
    };
  await release(tools, operation, problem);
  const classified = classifyError(probed.problem);
  const until = classified.what === 'pause' ? classified.until : 'later';
  // The operation's own problem may carry the Retry-After.
  const shown = retryAfter(problem) !== null && until === 'later' ? problem : probed.problem;
  return { what: 'pause', problem: shown, until, closed_by: 'reach', wait: 0 };
};

const failed = async (
  tools: AttemptTools,
  operation: OutboxOperation,
  problem: Problem,
): Promise<AttemptResult> => {
  const classified = classifyError(problem);
  switch (classified.what) {
    case 'park':
      return park(tools, operation, problem);
    case 'retry':
      return {
        what: 'delayed',
        wait: await backOff(tools, operation, problem, operation.consecutive_failures + 1),
      };
    case 'suspect':
      return suspect(tools, operation, problem);
    case 'release':
      await release(tools, operation, problem);
      return { what: 'delayed', wait: 1_000 };
    case 'pause': {
      const { until, closed_by } = classified;
      if (closed_by === 'write') {
        const wait = await backOff(tools, operation, problem, operation.consecutive_failures + 1);
        return { what: 'pause', problem, until, closed_by, wait };
      }
      await release(tools, operation, problem);
      return { what: 'pause', problem, until, closed_by, wait: 0 };
    }
  }
};

/** @param onSent called when the attempt sends nothing more, so that others may start while the result is written */
export const attempt = async (
  tools: AttemptTools,
  operation: OutboxOperation,
  onSent: () => void,
): Promise<AttemptResult> => {
  const read = operationOf(operation);
  if (read === null) {
    const reason = isKnown(operation) ? 'unreadable payload' : 'unknown kind or version';
    await quarantine(tools, operation, reason);
    return { what: 'quarantined' };
  }
  let sent: Result<Write>;
  try {
    sent = await runOf(read, contextOf(tools, operation));
  } catch (error) {
    sent = fail({ kind: 'bug', detail: String(error) });
  }
  if (!sent.ok) {
    if (notCarriedOut(sent.problem))
      await tools.db.operations.update(operation.id, { tries: withoutTry(operation) });
    return failed(tools, operation, sent.problem);
  }
  onSent();
  try {
    await tools.settler.settle(operation, sent.value);
    return { what: 'settled' };
  } catch (error) {
    // Sent but not written locally: on the next attempt the server answers from its record of the idempotency key.
    return failed(tools, operation, storageProblem(error));
  }
};
