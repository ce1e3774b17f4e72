/**
 * Parses large responses in a worker thread (reply-worker.ts) and takes the result over in small pieces, so that the journal's
 * thread keeps saving meanwhile (failures A8). The worker starts with the first large response. On a timeout the worker is
 * terminated and the response counts as too large. `VALUES_MAX` in the worker bounds its memory. A heap limit on the thread
 * would not do: exceeding it inside one JSON.parse call ends the whole program.
 */
import { Worker } from 'node:worker_threads';
import type { EndpointName } from '../../contract/rest/index.ts';
import { fail, ok, type Problem, type Result } from '../../contract/problem.ts';
import type { Ask, WorkerMessage } from './reply-worker.ts';
import type { Answer } from './reply.ts';

export interface LargeReplies {
  /** Like `dataOf`, in the worker. */
  judge(
    name: EndpointName,
    answer: Omit<Answer, 'text'>,
    bytes: Uint8Array,
  ): Promise<Result<unknown>>;
  stop(): Promise<void>;
}

const JUDGE_MS = 60_000;

interface Pending {
  readonly status: number;
  readonly done: (result: Result<unknown>) => void;
  readonly late: NodeJS.Timeout;
  data: unknown;
}

const tooLarge = (status: number, detail: string): Problem => ({
  kind: 'broken_reply',
  status,
  looks_like: 'too_large',
  detail,
});

const listOf = (data: unknown, key: string | null): unknown[] =>
  (key === null ? data : (data as Record<string, unknown>)[key]) as unknown[];

/** @param script URL of reply-worker.ts: its source, or the shell's bundled copy */
export const createLargeReplies = (script: URL): LargeReplies => {
  const pending = new Map<number, Pending>();
  let worker: Worker | null = null;
  let last = 0;

  const settle = (id: number, result: Result<unknown>): void => {
    const one = pending.get(id);
    if (!one) return;
    clearTimeout(one.late);
    pending.delete(id);
    one.done(result);
  };

  /** Handles the end of a worker: fails every response it was parsing. */
  const gone = (which: Worker, why: string): void => {
    if (worker !== which) return;
    worker = null;
    for (const [id, { status }] of pending) settle(id, fail(tooLarge(status, why)));
  };

  const hear = (which: Worker, message: WorkerMessage): void => {
    const { id } = message;
    const one = pending.get(id);
    if (!one) return;
    if ('problem' in message) return settle(id, fail(message.problem));
    if ('done' in message) return settle(id, ok(one.data));
    if ('base' in message) one.data = message.base;
    else listOf(one.data, message.key).push(...message.rows);
    // Yield to the event loop first, so that pending saves run before the next piece.
    setImmediate(() => which.postMessage({ id, next: true } satisfies Ask));
  };

  const start = (): Worker => {
    const made = new Worker(script);
    made.on('message', (message: WorkerMessage) => hear(made, message));
    made.on('error', (error) => gone(made, `the answer could not be read: ${error.message}`));
    made.on('exit', () => gone(made, 'the answer could not be read'));
    made.unref();
    return made;
  };

  const judge: LargeReplies['judge'] = (name, { status, header }, bytes) =>
    new Promise((done) => {
      const id = (last += 1);
      const reader = (worker ??= start());
      const late = setTimeout(() => {
        gone(reader, `reading the answer took more than ${JUDGE_MS} ms`);
        void reader.terminate();
      }, JUDGE_MS);
      pending.set(id, { status, done, late, data: undefined });
      const own = new Uint8Array(bytes);
      const content_type = header('content-type');
      reader.postMessage({ id, name, status, content_type, bytes: own } satisfies Ask, [
        own.buffer,
      ]);
    });

  return {
    judge,
    stop: async () => {
      const was = worker;
      worker = null;
      for (const id of pending.keys()) settle(id, fail({ kind: 'cancelled' }));
      await was?.terminate();
    },
  };
};
