/** The built window in real Chromium over its own host, connected to a service that has stopped since, so nothing is sent. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { bringWindow } from '../../src/setup/window/window.ts';
import type { Global } from './list-page.ts';
import { results, root } from './machine.ts';
import { buildPage, openChromium, startHostProcess, startService } from './processes.ts';

interface OpenApp {
  readonly page: Page;
  end(): Promise<void>;
}

/** Puts the page of window/ into `bench/` of the window's files. Returns their folder. */
export const appFiles = async (): Promise<string> => {
  await bringWindow(root, console.log);
  const bench = await buildPage('window');
  const files = join(results, 'app');
  rmSync(files, { recursive: true, force: true });
  cpSync(join(root, 'out/renderer'), files, { recursive: true });
  cpSync(bench, join(files, 'bench'), { recursive: true });
  return files;
};

/** @param cached near misses that are already on this laptop */
export const openApp = async (cached: number): Promise<OpenApp> => {
  const files = await appFiles();
  const folder = mkdtempSync(join(tmpdir(), 'spotter-bench-'));
  const service = await startService(join(folder, 'service'));
  const host = await startHostProcess(join(folder, 'host'), files);
  const context = await openChromium(join(folder, 'profile'));
  const page = await context.newPage();
  await page.goto(host.first.address);
  await page.waitForURL((url) => url.pathname === '/');
  await page.goto(new URL('/bench/index.html', page.url()).href);
  await page.waitForFunction(() => 'bench' in globalThis);
  await page.evaluate(
    ([server, count]) => (globalThis as unknown as Global).bench.cache(server, count),
    [service.first, cached] as const,
  );
  await service.end();
  await page.goto(new URL('/', page.url()).href);
  return {
    page,
    end: async () => {
      await context.close();
      await host.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
