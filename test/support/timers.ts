/**
 * Watches timers set by our own files that have neither fired nor been cleared: work that continues while nothing is requested.
 */
import { vi } from 'vitest';

interface Timer {
  readonly ms: number;
  readonly again: boolean;
}

/** True if the caller is a file of this room. Packages have timers for open connections. */
const isOf = (room: string): boolean => {
  const [, ...calls] = new Error().stack?.split('\n') ?? [];
  const caller = calls.find((call) => !/support[/\\]timers|vitest|tinyspy/.test(call));
  return (caller ?? '').replaceAll('\\', '/').includes(`src/${room}/`);
};

/** @param room a folder of src. @returns its timers from now on; `vi.restoreAllMocks` ends the watch */
export const watchTimers = (room: 'service' | 'host'): ReadonlyMap<unknown, Timer> => {
  const live = new Map<unknown, Timer>();
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    run: (...args: unknown[]) => void,
    ms = 0,
    ...args: unknown[]
  ) => {
    const timer: NodeJS.Timeout = setTimeout(() => {
      live.delete(timer);
      run(...args);
    }, ms);
    if (isOf(room)) live.set(timer, { ms, again: false });
    return timer;
  }) as typeof setTimeout);
  vi.spyOn(globalThis, 'setInterval').mockImplementation(((
    run: (...args: unknown[]) => void,
    ms = 0,
    ...args: unknown[]
  ) => {
    const timer = setInterval(run, ms, ...args);
    if (isOf(room)) live.set(timer, { ms, again: true });
    return timer;
  }) as typeof setInterval);
  for (const [name, clear] of [
    ['clearTimeout', clearTimeout],
    ['clearInterval', clearInterval],
  ] as const)
    vi.spyOn(globalThis, name).mockImplementation((timer) => {
      live.delete(timer);
      clear(timer);
    });
  return live;
};
