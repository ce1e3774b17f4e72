/** The end of a run: its host stops once, in order and not for ever; then comes what was asked for meanwhile, or nothing more. */
import { spawn } from 'node:child_process';
import { app } from 'electron';
import type { Host } from '../host/index.ts';

/** What a host may take to end in order; what was acknowledged is on the disk before that. */
const STOP_MS = 15_000;

/**
 * Starts the program again, as the last thing it does. What Electron starts lies in an AppImage's mount, which goes with this process; so
 * there the file itself is started, as electron-updater does it.
 */
export const startAgain = (args: readonly string[] = process.argv.slice(1)): void => {
  const image = app.isPackaged ? process.env['APPIMAGE'] : undefined;
  if (image === undefined) return app.relaunch({ args: [...args] });
  spawn(image, args, { detached: true, stdio: 'ignore' })
    .on('error', (error) => console.error(String(error)))
    .unref();
};

export interface Ending {
  /** The host stops or has stopped: nothing can be opened any more. */
  begun(): boolean;
  /** Done once the host has stopped, and before the program ends; the first one counts. */
  then(last: () => void): void;
}

/** Quitting waits for the host, however often it is asked to. @param begin what ends before the host */
export const endInOrder = (host: Pick<Host, 'stop'>, begin: () => void): Ending => {
  let state: 'running' | 'stopping' | 'stopped' = 'running';
  let last: (() => void) | null = null;
  const over = (): void => {
    state = 'stopped';
    try {
      last?.();
    } finally {
      app.quit();
    }
  };
  app.on('will-quit', (event) => {
    if (state !== 'stopped') event.preventDefault();
    if (state !== 'running') return;
    state = 'stopping';
    begin();
    const late = new Promise((resolve) => setTimeout(resolve, STOP_MS));
    void Promise.race([host.stop(), late]).then(over, over);
  });
  return {
    begun: () => state !== 'running',
    then: (given) => void (last ??= given),
  };
};
