/**
 * The browser shell: the same window and host as in Electron, with Chromium's app mode as the window and HTTP on 127.0.0.1
 * between them. This file only wires parts together; logic belongs into host/.
 */
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { giveBackStart } from '../disk/after-start.ts';
import { chromiumFlags } from '../setup/chromium.ts';
import { type AppWindow, openAppWindow } from './app-window.ts';
import { readShellOptions, type ShellOptions } from './options.ts';
import { isPortKept } from './port.ts';
import { answerRaises, raiseOther } from './raise.ts';
import type { WindowServer } from './server.ts';
import { startShell } from './start-shell.ts';

const log = (text: string): void => console.error(text);

/** Prints an address that admits one window, and a new one whenever Enter is pressed. */
const printAddresses = (server: WindowServer): void => {
  const print = () => {
    console.log(`Open Spotter at  ${server.address()}`);
    console.log(
      'It opens one window, within five minutes. Press Enter for a new address, Ctrl+C to stop.',
    );
  };
  print();
  createInterface({ input: process.stdin }).on('line', print);
};

/** Returns null when no browser can open the window: the printed address then opens in any browser. */
const openWindow = (server: WindowServer, options: ShellOptions): Promise<AppWindow | null> => {
  if (options.chromium === undefined) return Promise.resolve(null);
  return openAppWindow({
    chromium: options.chromium,
    flags: [...chromiumFlags(), ...(options.headless ? ['--headless=new'] : [])],
    profile: join(options.data_dir, 'browser'),
    origin: server.origin,
    first: '/enter?own',
    entry: server.entry(),
  }).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    log(`Spotter runs, but could not open its window. ${why} Open the address below in a browser.`);
    return null;
  });
};

const main = async (): Promise<number> => {
  const options = readShellOptions(process.argv.slice(2));
  const lost = Promise.withResolvers<void>();
  const started = await startShell({
    ...options,
    say: console.log,
    log,
    lost: (detail) => {
      log(detail);
      lost.resolve();
    },
  });
  if (!started.ok) {
    if (started.problem.kind === 'already_running' && (await raiseOther(options.data_dir))) {
      log('Spotter is already open: its window is in front now.');
      return 0;
    }
    log(started.problem.detail);
    return 1;
  }
  giveBackStart();
  const { server, stop } = started.value;
  const stopAsked = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => resolve());
    void lost.promise.then(resolve);
  });
  const window = await openWindow(server, options);
  if (window === null) printAddresses(server);
  // Without this listener (no free port, a full disk) a second start still says that Spotter is open.
  const raises = await answerRaises(
    options.data_dir,
    async () => (await window?.raise()) ?? false,
  ).catch(() => null);
  await Promise.race([...(window ? [window.closed] : []), stopAsked]);
  await raises?.end();
  await window?.close();
  await stop();
  return 0;
};

try {
  process.exit(await main());
} catch (error) {
  const words = error instanceof Error ? error.message : String(error);
  const kept = isPortKept(error as NodeJS.ErrnoException);
  log(kept ? 'That port is taken: choose another with --port, or leave it out.' : words);
  process.exit(1);
}
