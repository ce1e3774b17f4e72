/**
 * Decodes pictures in a thread of its own (thumbnail-worker.ts), one at a time: started for the first picture, ended when it
 * takes too long or too much memory, and let go when nothing is asked of it for a while. A thread and no process: Electron's
 * executable starts no other Node of ours once it is packaged, and the decoders are WebAssembly, which cannot reach out of its memory.
 */
import { Worker } from 'node:worker_threads';
import { ownProgram } from '../../disk/own-program.ts';
import type { Done, Job, Limits } from './thumbnail-worker.ts';

/** `late`: it took too long. */
export type Decoded = Done | { readonly kind: 'late' };

export interface Decoder {
  shrink(job: Job): Promise<Decoded>;
  stop(): void;
}

/** Milliseconds without work after which the thread goes. */
const IDLE = 30_000;
/** Megabytes of JavaScript's own heap: pictures lie outside of it. */
const HEAP = 128;

const start = (limits: Limits): Worker => {
  const worker = new Worker(ownProgram('thumbnail-worker', import.meta.url), {
    workerData: limits,
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP },
    // What a decoder prints about a damaged file is nothing for the service's own output.
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  return worker;
};

interface DecoderLimits extends Limits {
  /** Milliseconds for one picture, the start of the thread included. */
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
        // By name: Node has listeners of its own here, without which no message arrives.
        for (const name of ['message', 'error', 'exit']) thread.removeAllListeners(name);
        // One that was ended may still have something to say.
        thread.on('error', () => undefined);
        // What a picture did to the decoder is not handed on to the next one.
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
    // One that waits for work keeps nobody running.
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
