/** Talks to the process that started Spotter, over stdout, and survives the end of that process. */
import type { Writable } from 'node:stream';

/** Reports that a window or dialog is visible, so that `npm start` does not fall back to Chromium. */
export const sayUp = (): void => {
  // src/setup/electron/electron-start.ts waits for this line.
  if (process.env['SPOTTER_SAY_UP'] === '1') console.log('spotter: up');
};

/** Ignores write errors: when the starting process has ended, a write fails, and Electron would show an uncaught error. */
export const outliveStarter = (
  streams: readonly Writable[] = [process.stdout, process.stderr],
): void => {
  for (const stream of streams) stream.on('error', () => undefined);
};
