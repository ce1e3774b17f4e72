/**
 * Decodes pictures in a worker thread (thumbnail-worker.ts), one at a time. The thread starts with the first picture,
 * is terminated on a timeout or at the memory limit, and ends when idle. It is a thread because a packaged Electron
 * executable cannot start another Node process, and because the decoders are WebAssembly, which cannot access memory
 * outside of theirs.
 */
import { Worker } from 'node:worker_threads';
import { ownProgram } from '../../../disk/own-program.ts';
import type { Done, Job, Limits } from './thumbnail-worker.ts';

/** `late`: it timed out. */
export type Decoded = Done | { readonly kind: 'late' };

export interface Decoder {
  shrink(job: Job): Promise<Decoded>;
  stop(): void;
}

/** Idle milliseconds before the thread ends. */
const IDLE = 30_000;
/** Megabytes of JavaScript heap; pictures are stored outside of it. */
const HEAP = 128;

const start = (limits: Limits): Worker => {
  const worker = new Worker(ownProgram('thumbnail-worker', import.meta.url), {
    workerData: limits,
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP },
    // Keeps decoder messages about damaged files out of the service's output.
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
};

interface DecoderLimits extends Limits {
  /** Milliseconds per picture, including the start of the thread. */
  readonly timeout: number;
}

export const createDecoder = ({ memory, timeout }: DecoderLimits): Decoder => {
  let worker: Worker | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  let stopped = false;

  const end = (): void => {
    clearTimeout(idle);
    void worker?.terminate();
    worker = null;
  };

  const ask = (thread: Worker, job: Job): Promise<Decoded> =>
    new Promise((resolve) => {
      const settle = (decoded: Decoded): void => {
        clearTimeout(late);
        // Remove by name: Node's own listeners on the worker are needed to receive messages.
        for (const name of ['message', 'error', 'exit']) thread.removeAllListeners(name);
        // A terminated thread may still emit an error.
        thread.on('error', () => undefined);
        // A failed picture may have damaged the decoder, so the next one gets a new thread.
        if (decoded.kind === 'late' || decoded.kind === 'out_of_bounds') end();
        resolve(decoded);
      };
      const late = setTimeout(() => settle({ kind: 'late' }), timeout);
      thread.on('message', (done: Done) => settle(done));
      thread.on('error', () => settle({ kind: 'out_of_bounds' }));
      thread.on('exit', () => settle({ kind: 'out_of_bounds' }));
      thread.postMessage(job);
    });

  const one = async (job: Job): Promise<Decoded> => {
    if (stopped) return { kind: 'late' };
    clearTimeout(idle);
    worker ??= start({ memory });
    worker.ref();
    const decoded = await ask(worker, job);
    // An idle thread must not keep the process alive.
    worker?.unref();
    idle = setTimeout(end, IDLE).unref();
    return decoded;
  };

  return {
    shrink: (job) => {
      const mine = last.then(() => one(job));
      last = mine.catch(() => undefined);
      return mine;
    },
    stop: () => {
      stopped = true;
      end();
    },
  };
};
