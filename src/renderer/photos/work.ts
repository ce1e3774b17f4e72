/** One job for one worker that ends with it: its memory goes away, and a decoder that hangs is ended too. */
const PATIENCE = 120_000;

/** The worker answers one message: a Blob, or null where it could not. Never fails. */
export const inWorker = <Job>(start: () => Worker, job: Job): Promise<Blob | null> =>
  new Promise((resolve) => {
    let worker: Worker;
    try {
      worker = start();
    } catch {
      resolve(null);
      return;
    }
    const end = (answer: unknown) => {
      clearTimeout(timer);
      worker.terminate();
      resolve(answer instanceof Blob ? answer : null);
    };
    const timer = setTimeout(() => end(null), PATIENCE);
    worker.addEventListener('message', (message: MessageEvent<unknown>) => end(message.data));
    worker.addEventListener('error', () => end(null));
    worker.postMessage(job);
  });
