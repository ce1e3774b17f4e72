/**
 * Files of anybody's (failures S10, S11, S12) in a real Chromium: 20,000 of each format with a structure that is drawn, read as
 * the app reads them. Broken is: a main thread that answers nothing for 200 ms, a page or a reader that ends, an exception,
 * a memory that grows beyond its bound.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { chromium, type Page } from 'playwright/test';
import { chromiumFlags, findChromium } from '../../src/setup/chromium.ts';
import { tempDir } from '../support/service.ts';
import { buildDriver } from './outbox/machine.ts';
import type { Case, Outcome } from './run.ts';

const FILES = 20_000;
/** Drawn and played at once. */
const PART = 500;
const FREEZE_MS = 200;
/** Of the page's own heap, after all files of a format, bytes. */
const HEAP_MAX = 300 * 1024 * 1024;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/** The built page on a port that the system draws. */
const serve = async (folder: string) => {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = join(folder, pathname === '/' ? 'index.html' : pathname);
    readFile(path).then(
      (bytes) =>
        response
          .writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' })
          .end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() };
};

interface Sum {
  files: number;
  longest: number;
  stopped: number;
}

const playFormat = async (
  page: Page,
  name: string,
  seed: number,
  count: number,
  failures: string[],
): Promise<string> => {
  const sum: Sum = { files: 0, longest: 0, stopped: 0 };
  for (let at = 0; at < count; at += PART) {
    const part = Math.min(PART, count - at);
    const played = await page.evaluate(
      ([format, start, files]) => window.formats.play(format, start, files),
      [name, seed + at, part] as const,
    );
    sum.files += played.files;
    sum.longest = Math.max(sum.longest, played.longest);
    sum.stopped += played.stopped;
    failures.push(...played.failures);
    if (played.longest > FREEZE_MS)
      failures.push(`${name} seed ${seed + at}: the window stood still for ${played.longest} ms`);
    if (played.stopped > 0)
      failures.push(`${name} seed ${seed + at}: ${played.stopped} readers were ended`);
  }
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  if (usedSize > HEAP_MAX) failures.push(`${name}: the page's heap is ${usedSize} bytes`);
  const megabytes = Math.round(usedSize / 1024 / 1024);
  return `${name} ${sum.files} (longest ${Math.round(sum.longest)} ms, heap ${megabytes} MB)`;
};

const run = async (seed: number, share: number): Promise<Outcome> => {
  const folder = tempDir('formats');
  const failures: string[] = [];
  const told: string[] = [];
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: chromiumFlags(),
  });
  const site = await serve(
    await buildDriver(folder.path, join(import.meta.dirname, 'formats/window')),
  );
  const count = Math.max(1, Math.round(FILES * share));
  try {
    const page = await browser.newPage();
    page.on('crash', () => failures.push('the page crashed'));
    page.on('pageerror', (error) => failures.push(`the page: ${String(error)}`));
    await page.goto(site.url);
    await page.waitForFunction(() => 'formats' in window);
    const chosen = process.env['SPOTTER_FORMATS']?.split(',');
    for (const name of await page.evaluate(() => window.formats.names)) {
      if (chosen !== undefined && !chosen.includes(name)) continue;
      told.push(await playFormat(page, name, seed, count, failures));
      console.log(`  ${told.at(-1) ?? ''}`);
    }
  } finally {
    await browser.close();
    site.close();
    folder.remove();
  }
  return { runs: count * told.length, failures, note: told.join('; ') };
};

export const formats: Case = {
  name: 'formats',
  title: 'a file of anybody freezes, crashes or fills nothing',
  run: (seed, _replay, share) => run(seed, share),
};
