/** Runs the sweep of retention (decisions §20) now and every interval. It starts before requests are answered and ends with the service. */
import { sweepRetention, type SweepParts, type Swept } from './domain/retention/sweep.ts';
import type { Options } from './options.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

export interface RetentionSweeper {
  /** Runs one pass now, after one that is running. */
  sweep(): Promise<Swept>;
  stop(): Promise<void>;
}

interface Parts extends Omit<SweepParts, 'stopping'> {
  readonly options: Options;
  readonly webhooks: Pick<Webhooks, 'wake'>;
}

export const startRetention = ({ store, log, now, webhooks, options }: Parts): RetentionSweeper => {
  let stopped = false;
  let running: Promise<unknown> = Promise.resolve();
  const sweep = (): Promise<Swept> => {
    const pass = running.then(() => sweepRetention({ store, log, now, stopping: () => stopped }));
    running = pass.catch(() => undefined);
    return pass.finally(() => webhooks.wake());
  };
  const run = (): void => {
    if (!options.plain)
      sweep().catch((error: unknown) => log.error({ err: error }, 'retention could not be swept'));
  };
  const timer = setInterval(run, options['retention-interval']).unref();
  run();
  return {
    sweep,
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
};
