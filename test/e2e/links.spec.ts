/**
 * Links of a description under a real pointer. A link to a public host opens in the system's browser; an address of this
 * machine or network is no link. No other local program gets anything of the window, not even a cookie that would be useful to
 * it.
 */
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { connectToServer } from './steps.ts';

test.use({ apart: false, serverProcess: true });

/** Another program on 127.0.0.1 that records what it receives. */
const listener = async (): Promise<{ port: number; heard: string[]; server: Server }> => {
  const heard: string[] = [];
  const server = createServer(({ method, url, headers }, answer) => {
    heard.push(`${method} ${url} ${headers.cookie}`);
    answer.setHeader('content-type', 'text/html').end('<!doctype html><title>other</title>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, heard, server };
};

/** A raw request, because a browser would not let a test forge one: what a program with the cookie could send. */
const forged = (origin: string, path: string, headers: Record<string, string>) =>
  new Promise<number>((resolve, reject) => {
    const call = request(`${origin}${path}`, { method: 'POST', headers, agent: false }, (answer) =>
      resolve(answer.resume().statusCode ?? 0),
    );
    call.on('error', reject);
    call.end('{}');
  });

test('A34, S24: a link opens in the system’s browser, never this machine; no visit takes the cookie, which opens nothing', async ({
  app,
  server,
  client,
  folder,
  afterApp,
  shell,
}) => {
  test.skip(
    shell !== 'browser',
    'the browser shell’s cookie; Electron’s links: shell-crossing.spec.ts',
  );
  test.skip(process.platform !== 'linux', 'stands in for xdg-open');
  const other = await listener();
  afterApp(() => void other.server.close());
  const opened = join(folder, 'opened');
  await writeFile(
    join(folder, 'xdg-open'),
    `#!/bin/sh\nprintf '%s\\n' "$#" "$@" >> '${opened}'\n`,
    {
      mode: 0o755,
    },
  );
  const said = async () => readFile(opened, 'utf8').catch(() => '');

  const spellings = ['127.0.0.1', '127.1', '2130706433', 'localhost', '[::ffff:127.0.0.1]'];
  const away = `https://rules.example/cranes?a=1&b='$(touch%20x)'`;
  const html = [
    ...spellings.map((host, n) => `<p><a href="http://${host}:${other.port}/">trap ${n}</a></p>`),
    `<p><a href="${away.replaceAll('&', '&amp;')}">the rules</a></p>`,
  ].join('');
  const catalog = (await client.get('~/catalog')).json as { incidents: { id: number }[] };
  const made = await client.post('~/incidents/near_misses', {
    near_miss: {
      incident_id: catalog.incidents[0]?.id,
      description: `<p>Links to follow</p>${html}`,
    },
  });
  // The service rejects such links, but the window must also be safe from a server that stores everything.
  expect(JSON.stringify(made.json)).not.toContain(String(other.port));
  const db = new Database(join(server.data_dir, 'spotter.db'));
  db.prepare(
    `update near_misses set description = ? where description like '%Links to follow%'`,
  ).run(`<p>Links to follow</p>${html}`);
  db.close();

  const page = await app.open({
    env: { PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` },
  });
  page.setDefaultTimeout(60_000);
  await connectToServer(page, server, 'Harbour Bridge East');
  await page.getByRole('link', { name: /Links to follow/ }).click();
  for (const n of spellings.keys()) {
    const trap = page.getByText(`trap ${n}`, { exact: true });
    await trap.click();
    await trap.click({ button: 'middle' });
    await trap.click({ modifiers: ['Control'] });
  }
  await expect(page.getByRole('link', { name: /trap/ })).toHaveCount(0);
  const rules = page.getByRole('link', { name: 'the rules' });
  await look(page, 'detail-links');
  const lines = `1\n${new URL(away).href}\n`;
  await rules.click();
  await expect.poll(said).toBe(lines);
  await rules.click({ button: 'middle' });
  await expect.poll(said).toBe(lines.repeat(2));
  await rules.focus();
  await page.keyboard.press('Enter');
  await expect.poll(said).toBe(lines.repeat(3));
  expect(page.context().pages()).toHaveLength(1);
  expect(other.heard).toEqual([]);

  // Share by mail: the system's mail program starts a message with the words and no recipient.
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('menuitem', { name: 'Email' }).click();
  await expect.poll(said).toContain('\nmailto:?subject=Links%20to%20follow&body=');
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('menuitem', { name: 'Copy as text' }).click();
  await expect(page.getByText('Copied. No names are in it.')).toBeVisible();

  // If no program accepts it, one sentence says so.
  await writeFile(join(folder, 'xdg-open'), '#!/bin/sh\nexit 3\n');
  await rules.click();
  await expect(page.getByText('No program on this laptop can open this link')).toBeVisible();

  // However the page is left, another program gets no cookie.
  const { origin } = new URL(page.url());
  const cookies = await page.context().cookies();
  const [own] = cookies.filter(({ name }) => name === `spotter-${new URL(origin).port}`);
  expect(own?.httpOnly).toBe(true);
  await page.evaluate((port) => void (location.href = `http://127.0.0.1:${port}/left`), other.port);
  await expect.poll(() => other.heard).toContain('GET /left undefined');
  expect(other.heard.join()).not.toContain(own?.value);
  // Even with the cookie, and at the host's address, it gets nothing.
  const headers = {
    origin,
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/json',
    cookie: `${own?.name}=${own?.value}`,
  };
  for (const path of ['host/session.get', 'host/photos.read', 'calls/rest.request', 'answers/x'])
    expect(await forged(origin, `${own?.path}/${path}`, headers), path).toBe(403);

  // After going back and reloading, the tab is still admitted. The other page must load fully first: Chromium keeps no
  // history entry otherwise.
  await page.waitForURL(/\/left$/);
  await page.goBack();
  await expect(page.getByText('Links to follow').first()).toBeVisible();
  await page.reload();
  await expect(page.getByRole('link', { name: 'the rules' })).toBeVisible();
});
