/** What goes to whoever started Spotter: over stdout, and no further than that one listens. */
import type { Writable } from 'node:stream';

/** Tells `npm start` over stdout that there is something to see, so that it need not open Chromium instead. */
export const sayUp = (): void => {
  // src/setup/electron-start.ts waits for this line.
  if (process.env['SPOTTER_SAY_UP'] === '1') console.log('spotter: up');
};

/** Whoever started Spotter may end first: two lines at once to nobody would be an error that nobody caught, which Electron shows. */
export const outliveStarter = (
  streams: readonly Writable[] = [process.stdout, process.stderr],
): void => {
  for (const stream of streams) stream.on('error', () => undefined);
};
