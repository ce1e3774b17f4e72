/**
 * Untrusted files (failures S10, S11, S12) in a real Chromium: 20,000 per format with a generated structure, read as the app
 * reads them. Failures are: a main thread blocked for 200 ms, a page or reader that dies, an exception, memory beyond its
 * bound. A file behaves the same every time, so a pause that does not recur with the same files was caused by the machine,
 * whose two cores serve readers, page and browser.
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
/** Files generated and read per batch. */
const PART = 500;
const FREEZE_MS = 200;
/** Maximum replays of the same files, to tell their pauses from the machine's. */
const TRIES = 3;
/** Limit of the page's heap after all files of a format, bytes. */
const HEAP_MAX = 300 * 1024 * 1024;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

/** Serves the built page on a free port. */
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
  /** Longest pause that recurred, milliseconds. */
  longest: number;
  /** Longest pause that did not recur. */
  once: number;
  stopped: number;
}

const playFormat = async (
  page: Page,
  name: string,
  seed: number,
  count: number,
  failures: string[],
): Promise<string> => {
  const sum: Sum = { files: 0, longest: 0, once: 0, stopped: 0 };
  const playPart = (start: number, part: number) =>
    page.evaluate(([format, from, files]) => window.formats.play(format, from, files), [
      name,
      start,
      part,
    ] as const);
  for (let at = 0; at < count; at += PART) {
    const part = Math.min(PART, count - at);
    let played = await playPart(seed + at, part);
    for (let tries = 1; tries < TRIES && played.longest > FREEZE_MS; tries += 1) {
      sum.once = Math.max(sum.once, played.longest);
      const again = await playPart(seed + at, part);
      played = {
        ...again,
        stopped: Math.max(played.stopped, again.stopped),
        failures: [...played.failures, ...again.failures],
      };
    }
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
  const once = sum.once > 0 ? `, once ${Math.round(sum.once)}` : '';
  return `${name} ${sum.files} (longest ${Math.round(sum.longest)} ms${once}, heap ${megabytes} MB)`;
};

const run = async (seed: number, share: number): Promise<Outcome> => {
  const folder = tempDir('formats');
  const failures: string[] = [];
  const told: string[] = [];
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: [...chromiumFlags(), '--js-flags=--expose-gc'],
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
