/**
 * Combines writes that are made at the same time into batches (decisions §13), because a request costs more than its record. Every
 * write keeps its own key and gets its own result, so callers do not notice.
 *
 * Only an answer to a write itself may park it: the refusal of a batch is never the result of its writes. A server without batches
 * is recognised by its answer, remembered, and served one by one. Any other batch that is refused as a whole is halved until the
 * write that causes it is alone. After a batch without a complete answer, its writes are sent alone, because the answer or one of
 * them may be the cause.
 */
import { BATCH_MAX } from '../../contract/rest/protocol/batch.ts';
import { anyEndpoint, endpoints, type EndpointName } from '../../contract/rest/index.ts';
import { fail, type Problem, type Result } from '../../contract/problem.ts';
import type { Clock } from '../lib/clock.ts';
import type { Api, ApiReply, LooseInput, NamedWrite, RefusedBatch, Target } from './request.ts';

/** Longest batch, and longest write of one, in characters. A cut connection costs at most this much again. */
const LENGTH_MAX = 512 * 1024;
const WRITE_MAX = 64 * 1024;
/** Batches in flight to one server. Writes that come meanwhile form the next one. */
const IN_FLIGHT = 2;
/**
 * Milliseconds until batches are tried again on a server that refused them. It may have been updated, or a proxy may
 * have answered.
 */
const WITHOUT_FOR = 600_000;
const UNCONFIRMED_FOR = 60_000;
/** Maximum number of writes remembered to be sent alone. */
const ALONE_MAX = 5_000;

export interface Batches {
  /** Sends one write, in a batch if others come at the same time. */
  request(target: Target, name: string, input: LooseInput): Promise<Result<ApiReply>>;
}

interface Waiting extends NamedWrite {
  readonly length: number;
  readonly done: (result: Result<ApiReply>) => void;
}

/** The writes to one company of one server with one token. */
interface Lane {
  readonly target: Target;
  waiting: Waiting[];
  in_flight: number;
  scheduled: boolean;
}

/** What the halves of a refused batch showed: how many writes the server judged, and how those sent alone failed. */
interface Trial {
  judged: number;
  readonly failures: Problem[];
}

const isBatchable = (name: string): name is EndpointName => {
  if (!Object.hasOwn(endpoints, name)) return false;
  const { method, extension, secret, items, path } = anyEndpoint(name as EndpointName);
  // Uploads have their own limits (upload-policy.ts), and their requests follow each other.
  const isPlain = !extension && !secret && items === null && !path.includes('/uploads');
  return method !== 'GET' && isPlain;
};

/** Nothing of the batch was executed: the server has no such address, or refuses it to this user. */
const lacksBatches = ({ whole, status }: RefusedBatch): boolean =>
  [404, 405, 410, 501].includes(status ?? 0) || (status === 403 && whole.kind === 'refused');

/**
 * True if every write would fail alone too, because of the rate limit or an unreachable server. None of them is parked.
 */
const concernsAll = ({ whole, status }: RefusedBatch): boolean =>
  ['busy', 'offline', 'cancelled'].includes(whole.kind) ||
  [502, 503, 504, 507].includes(status ?? 0);

/** No complete answer: nobody knows what was executed. */
const isUnknown = ({ whole }: RefusedBatch): boolean =>
  whole.kind === 'timeout' ||
  (whole.kind === 'offline' && whole.reason === 'reset') ||
  (whole.kind === 'broken_reply' && whole.looks_like === 'truncated');

/** A permanent refusal shows that the server works: it has judged this write. */
const isPermanent = ({ kind }: Problem): boolean =>
  ['refused', 'gone', 'conflict', 'bad_input'].includes(kind);

const bug = (detail: string): Result<never> => fail({ kind: 'bug', detail });

const failAll = (writes: readonly Waiting[], problem: Problem): void => {
  for (const { done } of writes) done(fail(problem));
};

const sendAlone = async (
  api: Pick<Api, 'request'>,
  target: Target,
  { name, input, done }: Waiting,
): Promise<Result<ApiReply>> => {
  const result = await api
    .request(target, name, input)
    .catch((error: unknown) => bug(String(error)));
  done(result);
  return result;
};

const sendAllAlone = async (
  api: Pick<Api, 'request'>,
  target: Target,
  writes: readonly Waiting[],
): Promise<void> => {
  await Promise.all(writes.map((write) => sendAlone(api, target, write)));
};

/** Remembers which servers have no batches, and which writes must be sent alone. */
const createMemory = (clock: Pick<Clock, 'monotonic'>) => {
  /** By server: the end of the time without batches. */
  const without = new Map<string, number>();
  /** Keys of writes to be sent alone. */
  const alone = new Set<string>();
  return {
    lacksBatches: ({ base }: Target): boolean =>
      (without.get(base) ?? -Infinity) > clock.monotonic(),
    noteLack: ({ base }: Target, for_ms: number): void => {
      without.set(base, clock.monotonic() + for_ms);
    },
    noteBatches: ({ base }: Target): void => {
      without.delete(base);
    },
    noteAlone: (writes: readonly Waiting[]): void => {
      if (alone.size > ALONE_MAX) alone.clear();
      for (const { input } of writes) alone.add(input.idempotency_key ?? '');
    },
    takeAlone: (key: string): boolean => alone.delete(key),
  };
};

type Memory = ReturnType<typeof createMemory>;

/** Returns the function that sends the writes of one batch and gives each its result. */
const createSend = (api: Pick<Api, 'request' | 'batch'>, memory: Memory) => {
  const send = async (target: Target, writes: readonly Waiting[], trial: Trial): Promise<void> => {
    const [first] = writes;
    if (first === undefined) return;
    // Two writes failed alone and the server has judged none: the server is the cause. The rest fails in the same way.
    const [, failure] = trial.failures;
    if (failure !== undefined && trial.judged === 0) return failAll(writes, failure);
    if (writes.length === 1) {
      const result = await sendAlone(api, target, first);
      if (result.ok || isPermanent(result.problem)) trial.judged += 1;
      else trial.failures.push(result.problem);
      return;
    }
    if (memory.lacksBatches(target)) return sendAllAlone(api, target, writes);
    const answer = await api.batch(target, writes);
    if ('whole' in answer) return resend(target, writes, answer, trial);
    memory.noteBatches(target);
    trial.judged += 1;
    writes.forEach(({ done }, at) => done(answer.results[at] ?? bug('a batch left a write out')));
  };

  /**
   * Handles a refused batch: sends its writes alone, fails them all, or sends them in halves to find the one at fault.
   */
  const resend = async (
    target: Target,
    writes: readonly Waiting[],
    answer: RefusedBatch,
    trial: Trial,
  ): Promise<void> => {
    const { whole } = answer;
    if (lacksBatches(answer)) {
      const is_servers = whole.kind === 'gone' || whole.kind === 'refused';
      memory.noteLack(target, is_servers ? WITHOUT_FOR : UNCONFIRMED_FOR);
      return sendAllAlone(api, target, writes);
    }
    if (whole.kind === 'signed_out') return askOne(target, writes);
    if (isUnknown(answer)) memory.noteAlone(writes);
    if (isUnknown(answer) || concernsAll(answer)) return failAll(writes, whole);
    await halve(target, writes, trial);
  };

  /** Sends one write alone, to learn whether the token was refused or only the address of batches. */
  const askOne = async (target: Target, [first, ...others]: readonly Waiting[]): Promise<void> => {
    if (first === undefined) return;
    const result = await sendAlone(api, target, first);
    if (!result.ok && result.problem.kind === 'signed_out') return failAll(others, result.problem);
    memory.noteLack(target, UNCONFIRMED_FOR);
    await sendAllAlone(api, target, others);
  };

  const halve = async (target: Target, writes: readonly Waiting[], trial: Trial): Promise<void> => {
    const before = trial.judged;
    const half = Math.ceil(writes.length / 2);
    await send(target, writes.slice(0, half), trial);
    await send(target, writes.slice(half), trial);
    // Neither of the two was the cause, so it is the batch.
    if (writes.length === 2 && trial.judged - before === 2)
      memory.noteLack(target, UNCONFIRMED_FOR);
  };

  return (target: Target, writes: readonly Waiting[]): Promise<void> =>
    send(target, writes, { judged: 0, failures: [] });
};

/** The writes of the next batch, in their order. */
const takeBatch = (lane: Lane): readonly Waiting[] => {
  let length = 0;
  const end = lane.waiting.findIndex((write, at) => {
    length += write.length;
    return at > 0 && (length > LENGTH_MAX || at >= BATCH_MAX);
  });
  return lane.waiting.splice(0, end < 0 ? lane.waiting.length : end);
};

export const createBatches = (
  api: Pick<Api, 'request' | 'batch'>,
  clock: Pick<Clock, 'monotonic'>,
): Batches => {
  const lanes = new Map<string, Lane>();
  const memory = createMemory(clock);
  const send = createSend(api, memory);

  const flush = (name: string, lane: Lane): void => {
    while (lane.waiting.length > 0 && lane.in_flight < IN_FLIGHT) {
      const writes = takeBatch(lane);
      lane.in_flight += 1;
      void send(lane.target, writes)
        .catch((error: unknown) => failAll(writes, { kind: 'bug', detail: String(error) }))
        .finally(() => {
          lane.in_flight -= 1;
          flush(name, lane);
        });
    }
    if (lane.waiting.length + lane.in_flight === 0) lanes.delete(name);
  };

  return {
    request: (target, name, input) => {
      const key = input.idempotency_key;
      if (
        key === undefined ||
        !isBatchable(name) ||
        memory.lacksBatches(target) ||
        memory.takeAlone(key)
      )
        return api.request(target, name, input);
      const { length } = JSON.stringify(input.body ?? null);
      if (length > WRITE_MAX) return api.request(target, name, input);
      const of = `${target.base} ${target.company_id} ${target.token}`;
      const lane = lanes.get(of) ?? { target, waiting: [], in_flight: 0, scheduled: false };
      lanes.set(of, lane);
      return new Promise((done) => {
        lane.waiting.push({ name, input, length, done });
        if (lane.scheduled) return;
        lane.scheduled = true;
        // Writes of the same turn join.
        setImmediate(() => {
          lane.scheduled = false;
          flush(of, lane);
        });
      });
    },
  };
};
