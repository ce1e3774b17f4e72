/**
 * The app as `npm start` starts it in the browser shell, driven without a test runner: for proofs that open it dozens of times
 * on prepared folders. Also reads the queue from the window's database and types near misses into the form.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium, type BrowserContext, type Page } from 'playwright';
import { chromiumFlags, findChromium } from '../../src/setup/chromium.ts';
import { nodeMemory } from '../../src/setup/node-memory.ts';

const entry = join(import.meta.dirname, '../../src/browser/index.ts');

export interface Shell {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly pid: number;
  /** Closes the window and ends the host. */
  close(): Promise<void>;
  /** Sends SIGKILL to the host, then closes the browser. */
  kill(): Promise<void>;
}

/** Where the window's database is below a data folder. */
export const indexedDbOf = (folder: string): string => join(folder, 'browser/Default/IndexedDB');

const addressOf = (host: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = '';
    for (const stream of [host.stdout, host.stderr])
      if (stream)
        createInterface({ input: stream }).on('line', (line) => {
          said += `${line}\n`;
          const address = /http:\/\/127\.0\.0\.1:\d+\/enter#\S+/.exec(line)?.[0];
          if (address !== undefined) resolve(address);
        });
    host.once('exit', () => reject(new Error(`the host ended at once\n${said}`)));
  });

/** Opens the app on the data folder `folder`, which also holds the browser's profile. */
export const openShell = async (folder: string): Promise<Shell> => {
  const host = spawn(process.execPath, [...nodeMemory, entry, `--data-dir=${folder}`], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = once(host, 'exit');
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (host.exitCode === null && host.signalCode === null) host.kill(signal);
    await ended;
  };
  try {
    const address = await addressOf(host);
    const context = await chromium.launchPersistentContext(join(folder, 'browser'), {
      executablePath: findChromium(),
      args: chromiumFlags(),
      headless: true,
      chromiumSandbox: process.getuid?.() !== 0,
      viewport: { width: 1280, height: 860 },
    });
    const page = context.pages()[0] ?? (await context.newPage());
    await page.goto(address);
    await page.waitForURL((url) => url.pathname === '/');
    const end = async (signal: NodeJS.Signals): Promise<void> => {
      await Promise.all([context.close().catch(() => undefined), stop(signal)]);
    };
    return {
      page,
      context,
      pid: host.pid ?? 0,
      close: () => end('SIGTERM'),
      kill: async () => {
        await stop('SIGKILL');
        await end('SIGKILL');
      },
    };
  } catch (error) {
    await stop('SIGKILL');
    throw error;
  }
};

/** Reads a store of the window's database directly: its keys, or the value of `field` in its rows. */
const readStore = (page: Page, store: string, field: string | null): Promise<string[]> =>
  page.evaluate(
    ([name, path]) =>
      new Promise<string[]>((resolve, reject) => {
        const asked = indexedDB.open('spotter');
        asked.onupgradeneeded = () => asked.transaction?.abort();
        asked.onerror = () => reject(new Error(String(asked.error)));
        asked.onsuccess = () => {
          const rows = asked.result.transaction(name).objectStore(name);
          const wanted: IDBRequest<unknown[]> =
            path === null ? (rows.getAllKeys() as IDBRequest<unknown[]>) : rows.getAll();
          const part = (row: unknown): unknown =>
            (path ?? '').split('.').reduce<unknown>((at, key) => (at as never)[key], row);
          wanted.onsuccess = () => {
            asked.result.close();
            resolve(wanted.result.map((one) => String(path === null ? one : part(one))));
          };
          wanted.onerror = () => reject(new Error(String(wanted.error)));
        };
      }),
    [store, field] as const,
  );

/** Ids of all queued entries in the window's database. */
export const queuedIds = (page: Page): Promise<string[]> => readStore(page, 'operations', null);

/** Checksums (sha256) in the receipts of the photos in the window's database. All of them are delivered. */
export const receiptsOf = (page: Page): Promise<string[]> =>
  readStore(page, 'photos', 'receipt.sha256');

/** Texts of the near misses in the window's database that have a queued entry. */
export const waitingRecords = async (page: Page): Promise<string[]> => {
  const lanes = await readStore(page, 'operations', 'lane');
  const keys = await readStore(page, 'near_misses', 'key');
  const texts = await readStore(page, 'near_misses', 'fields.description');
  return texts.filter((_, at) => lanes.includes(keys[at] ?? ''));
};
