/**
 * A small pool of workers that read untrusted files, one file at a time each. A worker that misses its deadline or
 * crashes (out of memory) is terminated; the next file gets another.
 */
import type { Inspection } from './formats/inspection.ts';

export type ReaderJob =
  | { readonly kind: 'look'; readonly file: Blob }
  | ({ readonly kind: 'metadata' } & Pick<Inspection, 'exif' | 'video'>);

interface Waiting {
  readonly job: ReaderJob;
  readonly patience: number;
  /** Null: the file could not be read. */
  readonly done: (answer: unknown) => void;
}

/** The number of files that are imported at once. */
const WORKERS_MAX = 2;
/** An idle worker is terminated after this many milliseconds. */
const IDLE = 10_000;

/**
 * The deadline in milliseconds. A slow laptop needs a second for a large photo, so a longer time suggests a hostile
 * file.
 */
export const patienceFor = (size: number): number => 20_000 + size / 2_000;

const idle: { readonly worker: Worker; readonly timer: ReturnType<typeof setTimeout> }[] = [];
const waiting: Waiting[] = [];
let running = 0;

const start = (): Worker => {
  const kept = idle.pop();
  if (kept === undefined)
    return new Worker(new URL('./reader-worker.ts', import.meta.url), {
      type: 'module',
      name: 'reader',
    });
  clearTimeout(kept.timer);
  return kept.worker;
};

const keep = (worker: Worker): void => {
  const timer = setTimeout(() => {
    worker.terminate();
    idle.splice(
      idle.findIndex((one) => one.worker === worker),
      1,
    );
  }, IDLE);
  idle.push({ worker, timer });
};

const run = ({ job, patience, done }: Waiting): void => {
  let worker: Worker;
  try {
    worker = start();
  } catch {
    done(null);
    return;
  }
  running += 1;
  const listening = new AbortController();
  const end = (answer: unknown, sound: boolean): void => {
    if (listening.signal.aborted) return;
    listening.abort();
    clearTimeout(deadline);
    running -= 1;
    if (sound) keep(worker);
    else worker.terminate();
    done(answer);
    next();
  };
  const deadline = setTimeout(() => end(null, false), patience);
  const { signal } = listening;
  worker.addEventListener(
    'message',
    ({ data }: MessageEvent<{ readonly answer?: unknown }>) => end(data.answer ?? null, true),
    { signal },
  );
  worker.addEventListener('error', () => end(null, false), { signal });
  worker.addEventListener('messageerror', () => end(null, false), { signal });
  worker.postMessage(job);
};

const next = (): void => {
  if (running >= WORKERS_MAX) return;
  const one = waiting.shift();
  if (one !== undefined) run(one);
};

/** The worker's answer; null if it crashed or timed out. */
export const askReader = <T>(job: ReaderJob, patience: number): Promise<T | null> =>
  new Promise((resolve) => {
    waiting.push({ job, patience, done: (answer) => resolve(answer as T | null) });
    next();
  });
