/**
 * A page's process that dies or hangs takes nothing with it: what was saved is in the journal. It is loaded again; where it dies three
 * times in a minute a dialog says so instead of a window that blinks for ever.
 */
import type { BrowserWindow } from 'electron';
import type { WindowAsk } from '../contract/asks.ts';

const TIMES = 3;
const WITHIN_MS = 60_000;

/** @returns is this death one too many? Keeps the times itself. */
export const countDeaths = (now: () => number): (() => boolean) => {
  let deaths: number[] = [];
  return () => {
    const at = now();
    deaths = [...deaths.filter((one) => at - one < WITHIN_MS), at];
    if (deaths.length < TIMES) return false;
    deaths = [];
    return true;
  };
};

export interface HealthParts {
  readonly ask: (ask: WindowAsk) => void;
  readonly log: (text: string) => void;
  /** For the note of what ended. */
  readonly ended: (what: string, reason: string) => void;
  readonly tooOften: () => boolean;
  /** Asks whether to wait; gives up asking when the signal says that the page answers again. */
  readonly hangs: (signal: AbortSignal) => Promise<'wait' | 'again'>;
  /** The window died too often: asks, and answers whether to try once more. */
  readonly stopped: () => Promise<boolean>;
}

const watchHang = (window: BrowserWindow, { hangs, log }: HealthParts): void => {
  let asked: AbortController | null = null;
  window.on('responsive', () => asked?.abort());
  window.on('unresponsive', () => {
    if (asked !== null) return;
    log('the window does not answer');
    const controller = (asked = new AbortController());
    void hangs(controller.signal).then((answer) => {
      asked = null;
      // Only a dead process lets go of a page that hangs; what loads it again is below.
      if (answer === 'again' && !window.isDestroyed()) window.webContents.forcefullyCrashRenderer();
    });
  });
};

export const keepAlive = (window: BrowserWindow, parts: HealthParts): void => {
  watchHang(window, parts);
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    parts.log(`the window's process ended: ${reason}, ${exitCode}`);
    parts.ended('the window', `${reason}, ${exitCode}`);
    if (parts.tooOften())
      return void parts.stopped().then((again) => {
        if (again && !window.isDestroyed()) window.webContents.reload();
      });
    parts.ask({ ask: 'do', what: 'came_back' });
    window.webContents.reload();
  });
};
