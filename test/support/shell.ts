/**
 * The app as `npm start` starts it in the browser shell, driven from outside any test runner: for proofs that open it
 * dozens of times on folders they prepared. Beside it what such proofs read and do: the queue as the window's database
 * has it, and a near miss typed into the form.
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
  /** Closes the window, ends the host. */
  close(): Promise<void>;
  /** SIGKILL to the host, then the browser is closed. */
  kill(): Promise<void>;
}

/** Where the window's database lies below a data folder. */
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

/** @param profile where the browser's profile is; the data folder's own where it is left out */
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

/** Reads a store of the window's database, from beside the window: its keys, or what `field` of its rows says. */
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

/** The ids of everything queued, as the window's database has them. */
export const queuedIds = (page: Page): Promise<string[]> => readStore(page, 'entries', null);

/** What the receipts of the photos in the window's database say of their bytes: sha256. All of them are delivered. */
export const receiptsOf = (page: Page): Promise<string[]> =>
  readStore(page, 'photos', 'receipt.sha256');

/** The texts of the near misses in the window's database, of those that have an entry on the queue. */
export const waitingRecords = async (page: Page): Promise<string[]> => {
  const lanes = await readStore(page, 'entries', 'lane');
  const keys = await readStore(page, 'near_misses', 'key');
  const texts = await readStore(page, 'near_misses', 'fields.description');
  return texts.filter((_, at) => lanes.includes(keys[at] ?? ''));
};
