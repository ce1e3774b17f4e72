/** The built Electron shell and its system, on the stand-in: how it is started, ended and inspected from outside. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Carrier } from '../../src/contract/carrier.ts';
import type { App } from './app.ts';
import { expect, test } from './fixtures.ts';
import { startProxy } from '../support/proxy.ts';
import { askServer, connectToServer, photoFile, report, waitingCount } from './steps.ts';

test.skip(({ shell }) => shell !== 'stand-in', 'drives the stand-in of Electron');

test('started without its sandbox, as an AppImage starts where it gets none, it says what to install and opens no window', async ({
  app,
}) => {
  await app.open({ args: ['--no-sandbox'], windowless: true });
  const asked = await app.electron.dialog(/so Spotter will not start/);
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

/** Pid of the child process that runs the service on this laptop. */
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
  // An address in a private network with nothing behind it.
  await askServer(page, { first: server.first, url: 'http://10.255.255.1:8080' });
  await expect(page.getByText('Signed in as')).toBeVisible();
  expect(proxy.asked.join()).toContain('GET http://10.255.255.1:8080/rest/');
});

test('failures A24: a proxy that wants the sign-in of the system’s user is passed by the system’s network stack', async ({
  app,
  server,
  folder,
  afterApp,
}) => {
  const { hostname, port } = new URL(server.url);
  const proxy = await startProxy({ host: hostname, port: Number(port) });
  afterApp(() => proxy.close());
  proxy.sign_in = 'Negotiate a-ticket';
  const page = await app.open({
    env: {
      STAND_IN_PROXY: `PROXY ${new URL(proxy.url).host}`,
      STAND_IN_SIGN_IN: 'a-ticket',
    },
  });
  const away = { first: server.first, url: 'http://10.255.255.1:8080' };
  await connectToServer(page, away, 'Harbour Bridge East');
  await report(page, { text: 'behind a proxy', photos: [await photoFile(folder, 1, 3_000_000)] });
  await expect.poll(() => waitingCount(page), { timeout: 60_000 }).toBe(0);
  expect(proxy.asked.some((asked) => asked.startsWith('POST http://10.255.255.1:8080/'))).toBe(
    true,
  );
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
  // Unreferenced memory is collected before the press.
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
  const menus = async (): Promise<readonly string[]> =>
    (await app.electron.ask('calls', null))
      .filter(({ name }) => name === 'tray.setContextMenu')
      .map(({ given }) => JSON.stringify(given));
  // The pending count may update after the report is saved.
  await expect.poll(async () => (await menus()).length, { timeout: 60_000 }).toBeGreaterThan(1);
  await expect.poll(() => waitingCount(page), { timeout: 60_000 }).toBe(0);
  const said = await menus();
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

const called = async (app: App, name: string): Promise<number> =>
  (await app.electron.ask('calls', null)).filter((call) => call.name === name).length;
const minimise = (app: App) => app.electron.ask('windowEvent', { window: 1, event: 'minimize' });

test('A55: on Windows a minimised window is not a hidden one: all is sent, and Spotter stays', async ({
  app,
  folder,
  world,
}) => {
  const page = await world.open({ env: { STAND_IN_PLATFORM: 'win32' } });
  world.offline();
  await report(page, {
    text: 'sent while minimised',
    photos: [await photoFile(folder, 1, 40_000)],
  });
  await expect.poll(() => waitingCount(page)).toBe(1);
  await minimise(app);
  world.online();
  await app.electron.ask('power', { event: 'resume' });
  await expect.poll(() => app.electron.ask('notices', null)).toHaveLength(1);
  expect(await called(app, 'app.quit')).toBe(0);
  await expect.poll(() => waitingCount(page)).toBe(0);
});

test('A55: Windows ends the session: what is typed is written, Spotter ends in order, and the next start has the draft', async ({
  app,
  world,
}) => {
  const page = await world.open({ env: { STAND_IN_PLATFORM: 'win32' } });
  await page.getByRole('link', { name: 'New near miss' }).first().click();
  await page.getByLabel('What happened?').pressSequentially('Typed as Windows restarts');
  expect(await app.electron.ask('endSession', null)).toMatch(/^(held|ends)$/);
  expect(await app.electron.exited()).toBe(0);
  await app.close();
  const again = await app.open();
  await again.getByRole('link', { name: 'New near miss' }).first().click();
  const drafts = again.getByRole('region', { name: 'Draft' });
  await expect(drafts.getByText('Typed as Windows restarts')).toBeVisible();
});

test('A55: Windows ends the session while nothing is being typed: Spotter ends in order and holds nothing up', async ({
  app,
  world,
}) => {
  await world.open({ env: { STAND_IN_PLATFORM: 'win32' } });
  expect(await app.electron.ask('endSession', null)).toBe('ends');
  expect(await app.electron.exited()).toBe(0);
});

test('ended right after the last key: the end waits for what was typed', async ({ app, world }) => {
  const page = await world.open();
  await page.getByRole('link', { name: 'New near miss' }).first().click();
  await page.getByLabel('What happened?').pressSequentially('Typed and ended');
  await app.close();
  const again = await app.open();
  await again.getByRole('link', { name: 'New near miss' }).first().click();
  const drafts = again.getByRole('region', { name: 'Draft' });
  await expect(drafts.getByText('Typed and ended')).toBeVisible();
});

test('the window is told that nobody sees it, which its page cannot know', async ({ app }) => {
  const page = await app.open();
  const told = (): Promise<unknown> =>
    page.evaluate(async () => {
      const { spotter } = window as unknown as { spotter: Carrier };
      const { result } = await spotter.call('desktop.get', {});
      return result.ok && (result.value as { desktop: { in_sight: boolean } }).desktop.in_sight;
    });
  await minimise(app);
  await expect.poll(told).toBe(false);
  expect(await page.evaluate(() => document.visibilityState)).toBe('visible');
  await app.electron.ask('appEvent', { event: 'second-instance', args: [['spotter'], '/'] });
  await expect.poll(told).toBe(true);
});

test('A55: on macOS a full screen is left before its window is hidden, and a window that is back by then stays', async ({
  app,
}) => {
  await app.open({ env: { STAND_IN_PLATFORM: 'darwin' } });
  await app.electron.choose('View', 'Full screen');
  await app.electron.ask('askToClose', { window: 1 });
  await expect.poll(() => called(app, 'window.hide')).toBe(1);
  expect(await called(app, 'a black screen')).toBe(0);
  await app.electron.ask('appEvent', { event: 'activate', args: [] });
  await expect.poll(() => called(app, 'window.show')).toBe(2);
});

test('A56: a folder that a person chose may be read and never written, as Chromium asks', async ({
  app,
}) => {
  await app.open();
  expect(await app.electron.ask('fileAccess', { access: 'readable' })).toBe('granted');
  expect(await app.electron.ask('fileAccess', { access: 'writable' })).toBe('denied');
});

test('an error that nobody caught is told in our words, once, and its details can be copied; nothing is uploaded', async ({
  app,
}) => {
  await app.open();
  await app.electron.ask('throws', { message: 'made for this test' });
  await app.electron.ask('throws', { message: 'and another' });
  const asked = await app.electron.dialog(/an unexpected error/);
  expect(asked.detail).not.toContain('made for this test');
  expect(await app.electron.ask('dialogs', null)).toHaveLength(1);
  const calls = await app.electron.ask('calls', null);
  expect(calls.filter(({ name }) => name === 'crashReporter.start')).toEqual([
    { name: 'crashReporter.start', given: [{ uploadToServer: false }, 'before ready'] },
  ]);
  await app.electron.press(asked, 'Copy the details and quit');
  expect(await app.electron.exited()).toBe(0);
  const notes = await readFile(join(app.data_dir, 'logs/crashes.log'), 'utf8');
  expect(notes.match(/an error nobody caught: Error/g)).toHaveLength(2);
});

test('started with the system it stays out of sight, sends, and comes when it is asked for', async ({
  app,
}) => {
  const page = await app.open({ args: ['--hidden'] });
  await expect(page.getByRole('button').first()).toBeVisible();
  expect(await called(app, 'window.show')).toBe(0);
  const [tray] = await app.electron.ask('tray', null);
  expect(tray?.menu.map(({ label }) => label)).toContain('Open Spotter');
  await app.electron.ask('choose', { menu: 'tray', path: ['Open Spotter'] });
  await expect.poll(() => called(app, 'window.show')).toBe(1);
});

test('a window whose page cannot be read says so instead of staying blank', async ({
  app,
  folder,
}) => {
  const root = join(folder, 'damaged');
  await cp('out', join(root, 'out'), { recursive: true });
  await cp('package.json', join(root, 'package.json'));
  await symlink(resolve('node_modules'), join(root, 'node_modules'));
  await rm(join(root, 'out/renderer/index.html'));
  await mkdir(join(root, 'out/renderer/index.html'));
  await app.open({ root, windowless: true });
  const asked = await app.electron.dialog(/This installation of Spotter is damaged/);
  await app.electron.press(asked, 'Quit');
  expect(await app.electron.exited()).toBe(1);
});

test('a graphics driver that stops twice in a minute: drawing without it is offered, kept, and counts from the next start', async ({
  app,
}) => {
  await app.open();
  expect(await called(app, 'app.disableHardwareAcceleration')).toBe(0);
  const gone = { type: 'GPU', reason: 'crashed', exitCode: 5 };
  await app.electron.ask('appEvent', { event: 'child-process-gone', args: [gone] });
  expect(await app.electron.ask('dialogs', null)).toEqual([]);
  await app.electron.ask('appEvent', { event: 'child-process-gone', args: [gone] });
  const asked = await app.electron.dialog(/graphics driver of this computer stopped/);
  const relaunched = app.electron.exited();
  await app.electron.press(asked, 'Restart without it');
  expect(await relaunched).toBe(0);
  await app.close();
  await app.open();
  expect(await called(app, 'app.disableHardwareAcceleration')).toBe(1);
  await app.electron.ask('appEvent', { event: 'child-process-gone', args: [gone], times: 3 });
  expect(await app.electron.ask('dialogs', null)).toEqual([]);
});

test('the tray has a picture for each scale, and on macOS one that the system colours', async ({
  app,
}) => {
  const pictures = async (): Promise<string[]> =>
    (await app.electron.ask('calls', null))
      .filter(({ name }) => name === 'nativeImage.createFromPath')
      .map(({ given: [path] }) => basename(String(path)));
  await app.open();
  await expect.poll(pictures).toEqual(['tray.png']);
  for (const name of ['tray', 'trayTemplate'])
    for (const scale of ['', '@1.5x', '@2x'])
      expect(existsSync(`out/renderer/${name}${scale}.png`), `${name}${scale}`).toBe(true);
  await app.close();
  await app.open({ env: { STAND_IN_PLATFORM: 'darwin' } });
  await expect.poll(pictures).toEqual(['trayTemplate.png']);
});

test('what electron.d.ts marks for other systems is not there', async ({ app }) => {
  await app.open();
  await expect(app.electron.ask('power', { event: 'lock-screen' })).rejects.toThrow(/no event/);
  await expect(app.electron.ask('endSession', null)).rejects.toThrow(/no event/);
  await expect(
    app.electron.ask('appEvent', { event: 'open-url', args: ['spotter://new'] }),
  ).rejects.toThrow(/no event/);
});
