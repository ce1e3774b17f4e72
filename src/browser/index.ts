/**
 * The browser shell: the same window and the same host as in Electron, with Chromium's app mode as the window and
 * HTTP on 127.0.0.1 between them. A list of parts plugged together; logic that grows here belongs into host/.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../host/clock.ts';
import { startHost } from '../host/index.ts';
import { forkVaultChild } from '../host/vault/keytar-fork.ts';
import { tellService } from '../host/tell-service.ts';
import { keytarVault } from '../host/vault/keytar.ts';
import { chromiumFlags } from '../setup/chromium.ts';
import { type AppWindow, openAppWindow } from './app-window.ts';
import { openLink } from './open-link.ts';
import { readShellOptions, type ShellOptions } from './options.ts';
import { isPortKept, windowPort } from './port.ts';
import { startWindowServer, type WindowServer } from './server.ts';
import { runServiceCommand, startServiceChild } from './service-child.ts';
import type { OwnFirmParts } from '../host/own-firm.ts';
import { REPLY_WORKER } from '../host/reply-worker-source.ts';

const WINDOW = fileURLToPath(new URL('../../out/renderer', import.meta.url));
const VERSION = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  }
).version;
const log = (text: string): void => console.error(text);

/** Where nothing is opened: an address that lets one window in, and a new one whenever Enter is pressed. */
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

/** Null where no browser can be the window: the terminal says why, and the printed address opens it in any browser. */
const openWindow = (server: WindowServer, options: ShellOptions): Promise<AppWindow | null> => {
  if (options.chromium === undefined) return Promise.resolve(null);
  return openAppWindow({
    chromium: options.chromium,
    flags: [...chromiumFlags(), ...(options.headless ? ['--headless=new'] : [])],
    profile: join(options.data_dir, 'browser'),
    origin: server.origin,
    first: '/enter',
    entry: server.entry(),
  }).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    log(`Spotter runs, but could not open its window. ${why} Open the address below in a browser.`);
    return null;
  });
};

const ownFirm = (folder: string): OwnFirmParts => ({
  folder,
  start: startServiceChild(folder, 'firm', log),
  command: runServiceCommand(folder),
});

const main = async (): Promise<number> => {
  const options = readShellOptions(process.argv.slice(2));
  let taken: number | null = null;
  const lost = Promise.withResolvers<void>();
  const started = await startHost({
    reply_worker: REPLY_WORKER,
    data_dir: options.data_dir,
    window_store: join(options.data_dir, 'browser/Default/IndexedDB'),
    vault: keytarVault({
      marker_path: join(options.data_dir, 'vault.json'),
      clock: systemClock,
      spawn: forkVaultChild,
    }),
    start_service: startServiceChild(join(options.data_dir, 'service'), 'sample', log),
    run_command: runServiceCommand(join(options.data_dir, 'service')),
    own_firm: ownFirm(join(options.data_dir, 'own-firm')),
    open_link: openLink,
    phone_page: join(WINDOW, 'phone.html'),
    port_taken: () => taken,
    default_server: options.server ?? null,
    shell: 'browser',
    version: VERSION,
    log: (line) => log(JSON.stringify(line)),
    lost: (detail) => {
      log(detail);
      lost.resolve();
    },
  });
  if (!started.ok) {
    log(started.problem.detail);
    return 1;
  }
  const host = started.value;
  tellService(host, console.log);
  const stopAsked = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => resolve());
    void lost.promise.then(resolve);
  });
  const chosen = { port: options.port, taken: null };
  const drawn = options.port === 0 ? await windowPort(options.data_dir) : chosen;
  const { port } = drawn;
  taken = drawn.taken;
  const server = await startWindowServer({ host, files: WINDOW, port });
  if (taken !== null)
    console.log(
      `Port ${taken}, where this window was before, belongs to another program now: the window opens on ${port} with all that waits and all drafts, and on ${taken} again when that is free.`,
    );
  console.log(`Spotter answers at ${server.origin}; its data is in ${options.data_dir}`);

  const window = await openWindow(server, options);
  if (window === null) printAddresses(server);
  await Promise.race([...(window ? [window.closed] : []), stopAsked]);
  await window?.close();
  await server.stop();
  await host.stop();
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
