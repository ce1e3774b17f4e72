/**
 * The shell around the window: it opens under the strict policy without a violation, finds its own service, recovers from
 * SIGKILL with the same database, and leaves no process running. The rest is about the browser shell: its Chromium window, and
 * another site in the same browser (failures S24).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { chromiumFlags, findChromium } from '../../src/setup/chromium.ts';
import { alive, descendants } from '../support/processes.ts';
import { expect, test } from './fixtures.ts';

const shellEntry = join(import.meta.dirname, '../../src/browser/index.ts');

test(
  'the window opens under its policy without a complaint, and uses the service on this laptop',
  { tag: '@main' },
  async ({ app }) => {
    const page = await app.open();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.reload();
    await page.getByRole('button', { name: 'Try it with sample data' }).click();
    await expect(page.getByRole('link', { name: /^Online/ })).toBeVisible({ timeout: 60_000 });
    expect(complaints).toEqual([]);
    await expect
      .poll(() => app.output)
      .toMatch(/Service on this laptop: (http\S+) {2}\(its documentation: \1\/docs\)/);
  },
);

test('after SIGKILL nothing is left running, and the next start finds the same window database', async ({
  app,
}) => {
  test.skip(process.platform !== 'linux', 'needs /proc');
  const page = await app.open();
  await page.getByRole('button', { name: 'Try it with sample data' }).click();
  await expect(page.getByRole('link', { name: /^Online/ })).toBeVisible({ timeout: 60_000 });
  const databases = await page.evaluate(async () =>
    (await indexedDB.databases()).map(({ name }) => name),
  );
  const pids = descendants(app.pid).map(({ pid }) => pid);
  expect(pids.length).toBeGreaterThan(0);
  await app.kill();
  await expect.poll(() => alive(pids), { timeout: 60_000 }).toEqual([]);

  const again = await app.open();
  await expect(again.getByRole('link', { name: /^Online/ })).toBeVisible({ timeout: 60_000 });
  await expect
    .poll(() => again.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name)))
    .toEqual(databases);
  expect(databases.length).toBeGreaterThan(0);
});

test('a second start on the same data folder is refused with a sentence', async ({ app }) => {
  await app.open();
  const second = spawn(process.execPath, [shellEntry, `--data-dir=${app.data_dir}`]);
  let said = '';
  second.stderr.on('data', (part: Buffer) => (said += part.toString()));
  const [status] = (await once(second, 'exit')) as [number];
  expect(status).toBe(1);
  expect(said).toMatch(/already open/);
  expect(said).not.toMatch(/\n\s+at /);
});

test.describe('the browser shell', () => {
  test.skip(({ shell }) => shell !== 'browser', 'only there');

  for (const [signal, what] of [
    ['SIGTERM', 'asked to stop'],
    ['SIGKILL', 'killed'],
  ] as const)
    test(`${what}, it takes its own Chromium window along`, async () => {
      test.skip(process.platform !== 'linux', 'needs /proc');
      const folder = await mkdtemp(join(tmpdir(), 'spotter-shell-'));
      const host = spawn(process.execPath, [
        shellEntry,
        `--data-dir=${folder}`,
        `--chromium=${findChromium() ?? chromium.executablePath()}`,
        '--headless',
      ]);
      // A renderer process exists once the window shows a page.
      await expect
        .poll(
          () => descendants(host.pid ?? 0).some(({ command }) => /--type=renderer/.test(command)),
          {
            timeout: 60_000,
          },
        )
        .toBe(true);
      const pids = descendants(host.pid ?? 0).map(({ pid }) => pid);
      host.kill(signal);
      const [status] = (await once(host, 'exit')) as [number | null];
      if (signal === 'SIGTERM') expect(status).toBe(0);
      await expect.poll(() => alive(pids), { timeout: 60_000 }).toEqual([]);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    });

  test('S24: another site in the same browser, cookie and all, reaches nothing', async ({
    app,
  }) => {
    const page = await app.open();
    // Even knowing the host's path, which another page cannot know.
    const at = await page.evaluate(
      () =>
        (JSON.parse(sessionStorage.getItem('spotter-entered') ?? '{}') as { at?: string }).at ?? '',
    );
    expect(at).toMatch(/^\/at-/);
    const { origin } = new URL(page.url());
    const site = createServer((_request, answer) =>
      answer.setHeader('content-type', 'text/html').end('<!doctype html><title>other</title>'),
    ).listen(0, '127.0.0.1');
    await once(site, 'listening');
    const { port } = site.address() as { port: number };

    // The same site for cookies (127.0.0.1), and a different site.
    for (const other of [`http://127.0.0.1:${port}`, `http://localhost:${port}`]) {
      const evil = await page.context().newPage();
      await evil.goto(other);
      const reached = await evil.evaluate(
        async ([target, path]) => {
          const out: string[] = [];
          const post = (init: RequestInit) =>
            fetch(`${target}${path}/host/app.info`, {
              method: 'POST',
              credentials: 'include',
              ...init,
            });
          for (const init of [
            { body: '{}', headers: { 'content-type': 'application/json' } },
            { body: '{}', headers: { 'content-type': 'text/plain' } },
          ])
            await post(init).then(
              () => out.push('read an answer'),
              () => undefined,
            );
          await fetch(`${target}/`, { credentials: 'include' }).then(
            () => out.push('read the window'),
            () => undefined,
          );
          await new Promise<void>((resolve) => {
            const events = new EventSource(`${target}${path}/events`, { withCredentials: true });
            events.onopen = () => {
              out.push('heard events');
              resolve();
            };
            events.onerror = () => resolve();
          });
          const frame = document.createElement('iframe');
          const loaded = new Promise((resolve) => (frame.onload = resolve));
          frame.src = target;
          document.body.append(frame);
          await loaded;
          if (frame.contentDocument !== null && frame.contentDocument.title !== '')
            out.push('framed the window');
          return out;
        },
        [origin, at] as const,
      );
      expect(reached, other).toEqual([]);
      const blind = await evil.evaluate(
        (target) =>
          fetch(target, { method: 'POST', mode: 'no-cors', body: '{}' }).then(
            ({ type }) => type,
            () => 'blocked',
          ),
        `${origin}${at}/host/app.info`,
      );
      // Not even an opaque response: Cross-Origin-Resource-Policy.
      expect(blind).toBe('blocked');
      await evil.close();
    }
    site.close();
  });

  test('an address lets one window in, and Enter gives the next', async ({ app }) => {
    await app.open();
    const first = /http:\/\/127\.0\.0\.1:\d+\/enter#\S+/.exec(app.output)?.[0] ?? '';
    const browser = await chromium.launch({
      ...(findChromium() === undefined ? {} : { executablePath: findChromium() }),
      args: chromiumFlags(),
    });
    const page = await browser.newPage();
    await page.goto(first);
    await expect(page.getByText('has been used or is too old')).toBeVisible();
    expect(page.url()).not.toContain('#');
    // A Spanish reader gets Spanish before any window of Spotter was open.
    const reader = await browser.newPage({ locale: 'es-MX' });
    await reader.goto(first);
    await expect(reader.getByRole('status')).toContainText('ya se usó o es demasiado antigua');
    await expect(reader.locator('html')).toHaveAttribute('lang', 'es');
    // The language chosen in the settings wins over the browser's.
    await app.window.getByRole('button', { name: 'Español' }).click();
    await expect(app.window.locator('html')).toHaveAttribute('lang', 'es');
    // The window speaks it before its host has stored it.
    await expect(async () => {
      await page.goto('about:blank');
      await page.goto(first);
      await expect(page.getByRole('status')).toContainText('ya se usó o es demasiado antigua', {
        timeout: 2_000,
      });
    }).toPass();
    const second = await app.nextAddress();
    expect(second).not.toBe(first);
    await page.goto(second);
    await page.waitForURL((url) => url.pathname === '/');
    await browser.close();
  });
});
