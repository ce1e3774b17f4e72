/** Runs one job in one worker that ends with it: this frees its memory, and a hanging worker is terminated. */
const PATIENCE = 120_000;

/** The worker's answer; null if it crashed or timed out. Never fails. */
export const askWorker = <Job, Answer>(
  start: () => Worker,
  job: Job,
  patience = PATIENCE,
): Promise<Answer | null> =>
  new Promise((resolve) => {
    let worker: Worker;
    try {
      worker = start();
    } catch {
      resolve(null);
      return;
    }
    const end = (answer: Answer | null) => {
      clearTimeout(timer);
      worker.terminate();
      resolve(answer);
    };
    const timer = setTimeout(() => end(null), patience);
    worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => end(data));
    worker.addEventListener('error', () => end(null));
    worker.addEventListener('messageerror', () => end(null));
    worker.postMessage(job);
  });

/** A picture made in a worker, or null on failure. */
export const inWorker = async <Job>(start: () => Worker, job: Job): Promise<Blob | null> => {
  const answer = await askWorker<Job, unknown>(start, job);
  return answer instanceof Blob ? answer : null;
};
