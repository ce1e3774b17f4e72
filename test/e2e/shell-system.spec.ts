/** The built Electron shell and the system around it: how it is started, told to end, and looked at from outside; on the stand-in. */
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures.ts';
import { startProxy } from '../support/proxy.ts';
import { askServer, photoFile, report, waitingCount } from './steps.ts';

test.skip(({ shell }) => shell !== 'stand-in', 'drives the stand-in of Electron');

test('started without its sandbox, as an AppImage starts where it gets none, it says what to install and opens no window', async ({
  app,
}) => {
  await app.open({ args: ['--no-sandbox'], windowless: true });
  const asked = await app.electron.dialog(/does not run without that/);
  expect(asked.detail).toContain('deb or rpm');
  await app.electron.press(asked, 'Quit');
  expect(await app.electron.exited()).toBe(1);
  expect(app.output).not.toContain('Service on this laptop');
});

test('macOS puts an update in: the windows close at once, whatever waits and however closing is answered', async ({
  app,
  world,
}) => {
  const page = await world.open();
  world.offline();
  await report(page, { text: 'waits', photos: [] });
  await expect.poll(() => waitingCount(page)).toBe(1);
  await app.electron.ask('squirrelPutsIn', null);
  expect(await app.electron.exited()).toBe(0);
});

/** The process of this program in which the service on this laptop runs. */
const serviceOf = (host: number): number => {
  const children = readFileSync(`/proc/${host}/task/${host}/children`, 'utf8').trim().split(' ');
  const service = children.find((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('service.js'),
  );
  return Number(service);
};

test('started again while it still ends, it opens nothing that is half gone, and comes back with the link once it has ended', async ({
  app,
  folder,
}) => {
  test.skip(process.platform !== 'linux', 'an AppImage, and a process that is found in /proc');
  const image = join(folder, 'Spotter.AppImage');
  const started = join(folder, 'started');
  writeFileSync(image, `#!/bin/sh\nprintf '%s\\n' "$@" > '${started}'\n`, { mode: 0o755 });
  const page = await app.open({ env: { STAND_IN_PACKAGED: '1', APPIMAGE: image } });
  await page.getByRole('button', { name: 'Try it with sample data' }).click();
  await expect(page.getByRole('link', { name: /^Online/ })).toBeVisible({ timeout: 60_000 });

  const service = serviceOf(app.electron.process.pid ?? 0);
  process.kill(service, 'SIGSTOP');
  await app.electron.ask('quit', null);
  await expect.poll(() => app.electron.ask('tray', null)).toEqual([]);
  await app.electron.ask('appEvent', {
    event: 'second-instance',
    args: [['/opt/Spotter/spotter', 'spotter://new'], '/'],
  });
  const windows = (await app.electron.ask('calls', null)).filter(
    ({ name }) => name === 'new BrowserWindow',
  );
  process.kill(service, 'SIGCONT');
  expect(await app.electron.exited()).toBe(0);
  expect(windows).toHaveLength(1);
  await expect.poll(() => readFile(started, 'utf8').catch(() => '')).toBe('spotter://new\n');
});

test('a server that the system reaches through a proxy alone is reached through it', async ({
  app,
  server,
  afterApp,
}) => {
  const { hostname, port } = new URL(server.url);
  const proxy = await startProxy({ host: hostname, port: Number(port) });
  afterApp(() => proxy.close());
  const page = await app.open({
    env: { STAND_IN_PROXY: `PROXY ${new URL(proxy.url).host}; DIRECT` },
  });
  // A private network's address, at which there is nothing.
  await askServer(page, { first: server.first, url: 'http://10.255.255.1:8080' });
  await expect(page.getByText('Signed in as')).toBeVisible();
  expect(proxy.asked.join()).toContain('GET http://10.255.255.1:8080/rest/');
});

test('a notification that was shown a while ago still leads to its place', async ({
  app,
  world,
}) => {
  const page = await world.open();
  world.offline();
  await report(page, { text: 'waits', photos: [] });
  await expect.poll(() => waitingCount(page)).toBe(1);
  await page.goto(`${new URL(page.url()).origin}/index.html#/settings`);
  await app.electron.ask('windowEvent', { window: 1, event: 'blur' });
  world.online();
  await app.electron.ask('power', { event: 'resume' });
  await expect.poll(async () => (await app.electron.ask('notices', null)).length).toBe(1);
  // Memory that nobody holds is collected before the press.
  await app.electron.ask('pressNotice', { id: 1 });
  await expect(page).toHaveURL(/#\/near-misses|#\/$/);
});

test('the tray’s menu stays open while a photo goes: it is made anew only where it says something else', async ({
  app,
  world,
  folder,
}) => {
  const page = await world.open();
  await report(page, { text: 'goes', photos: [await photoFile(folder, 1, 3_000_000)] });
  await expect.poll(() => waitingCount(page), { timeout: 60_000 }).toBe(0);
  const calls = await app.electron.ask('calls', null);
  const said = calls
    .filter(({ name }) => name === 'tray.setContextMenu')
    .map(({ given }) => JSON.stringify(given));
  expect(said.length).toBeGreaterThan(1);
  expect(said.filter((menu, at) => menu === said[at - 1])).toEqual([]);
});

test('whoever started it is gone, with both ends of its output: what it says to nobody ends nothing', async ({
  app,
}) => {
  await app.open();
  const { stdout, stderr } = app.electron.process;
  stdout?.destroy();
  stderr?.destroy();
  const gone = { type: 'GPU', reason: 'killed', exitCode: 9 };
  for (let turn = 0; turn < 3; turn += 1)
    await app.electron.ask('appEvent', { event: 'child-process-gone', args: [gone], times: 2 });
  await app.electron.ask('quit', null);
  expect(await app.electron.exited()).toBe(0);
});
