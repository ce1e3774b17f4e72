/** Retries until the function no longer throws. Vitest's own `waitFor` gives up after a second. */
import { vi } from 'vitest';
import { PATIENCE_MS } from './patience.ts';

export const eventually = <T>(holds: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(holds, { timeout: PATIENCE_MS });
