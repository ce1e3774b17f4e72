/**
 * Recovers from a page process that crashes or hangs. Nothing is lost, because the journal holds everything that was saved. The
 * page is reloaded; after three crashes in a minute a dialog is shown instead, so that the window does not blink for ever.
 */
import type { BrowserWindow } from 'electron';
import type { WindowAsk } from '../../contract/asks.ts';

const TIMES = 3;
/** One less than Chromium's own limit: it gives the GPU up at the third crash. */
export const GRAPHICS_TIMES = 2;
const WITHIN_MS = 60_000;

/** @returns a counter of crashes; it returns true, and resets, when a crash is one too many */
export const countDeaths = (now: () => number, times = TIMES): (() => boolean) => {
  let deaths: number[] = [];
  return () => {
    const at = now();
    deaths = [...deaths.filter((one) => at - one < WITHIN_MS), at];
    if (deaths.length < times) return false;
    deaths = [];
    return true;
  };
};

export interface HealthParts {
  readonly ask: (ask: WindowAsk) => void;
  readonly log: (text: string) => void;
  /** Writes the crash note. */
  readonly ended: (what: string, reason: string) => void;
  readonly tooOften: () => boolean;
  /** Asks whether to wait or reload. The signal closes the question when the page responds again. */
  readonly hangs: (signal: AbortSignal) => Promise<'wait' | 'again'>;
  /** Asks, after too many crashes, whether to reload the page. */
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
      // A hanging page ignores a reload, so its process is killed. keepAlive reloads the page afterwards.
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
