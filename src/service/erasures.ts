/** Carries out erasures (decisions §21.2): at the start what a killed process left, then each one when it was decided. */
import { carryOutErasures, type CarryOutParts } from './domain/erasure/carry-out.ts';
import type { Options } from './options.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

export interface Erasures {
  /** Begins soon. Call it when a decision was stored, or is about to be in a transaction of its company. */
  wake(): void;
  /** Resolves when nothing is being carried out. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

interface Parts extends Omit<CarryOutParts, 'stopping' | 'copies_ms' | 'secrets'> {
  readonly options: Options;
  readonly webhooks: Pick<Webhooks, 'wake' | 'secrets'>;
}

const DAY_MS = 86_400_000;

export const startErasures = ({ options, webhooks, ...parts }: Parts): Erasures => {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const copies = parts.store.shared ? 0 : options['daily-copies'];
  const pass = async (): Promise<void> => {
    if (stopped) return;
    try {
      await carryOutErasures({
        ...parts,
        secrets: webhooks.secrets,
        stopping: () => stopped,
        copies_ms: copies === 0 ? null : copies * DAY_MS,
      });
    } catch (error) {
      parts.log.error({ err: error }, 'erasures could not be carried out');
    }
    webhooks.wake();
  };
  const wake = (): void => {
    running = running.then(pass);
  };
  if (!options.plain) wake();
  // Tries again what failed, and what another process left.
  const timer = options.plain
    ? undefined
    : setInterval(wake, options['retention-interval']).unref();
  return {
    wake,
    settled: () => running,
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
};
