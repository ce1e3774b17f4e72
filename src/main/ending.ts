/**
 * Ends a run in order. The host stops once, within a time limit; then the requested last step runs, such as a restart or an
 * update.
 */
import { spawn } from 'node:child_process';
import { app } from 'electron';
import type { Host } from '../host/index.ts';

/** Time limit for an orderly stop. Acknowledged writes are already on the disk by then. */
const STOP_MS = 15_000;

/**
 * Restarts the program as the last step of this process. Electron's own executable lies in an AppImage's mount, which vanishes
 * with this process, so the AppImage file itself is started (as electron-updater does).
 */
export const startAgain = (args: readonly string[] = process.argv.slice(1)): void => {
  const image = app.isPackaged ? process.env['APPIMAGE'] : undefined;
  if (image === undefined) return app.relaunch({ args: [...args] });
  spawn(image, args, { detached: true, stdio: 'ignore' })
    .on('error', (error) => console.error(String(error)))
    .unref();
};

export interface Ending {
  /** True once the host stops or has stopped: nothing can be opened any more. */
  begun(): boolean;
  /** Sets the step that runs after the host has stopped and before the program ends. Only the first call counts. */
  then(last: () => void): void;
}

/**
 * Delays quitting until the host has stopped, however often quitting is requested.
 * @param begin ends the parts that must stop before the host
 */
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
