/**
 * The behaviour of the Electron shell: the built main process with test/electron in Electron's place. Covers what the app asks
 * of Electron, its user and its system, and real Chromium behaviour (permissions, a crashed renderer process).
 */
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MenuSeen } from '../electron/peer.ts';
import type { App } from './app.ts';
import { expect, test } from './fixtures.ts';
import { look } from './looks.ts';
import { photoFile, report, useThisLaptop, waitingCount } from './steps.ts';

test.skip(({ shell }) => shell !== 'stand-in', 'drives the stand-in of Electron');

const named = async (app: App, name: string): Promise<unknown[][]> =>
  (await app.electron.ask('calls', null))
    .filter((call) => call.name === name)
    .map(({ given }) => [...given]);
const labels = (items: readonly MenuSeen[]): string[] =>
  items.flatMap(({ label, submenu, type }) => [
    ...(type === 'separator' ? [] : [label]),
    ...labels(submenu),
  ]);

test('both Copy buttons copy: clean clipboard writing is allowed to the window, and storage lasts; reading is not', async ({
  app,
}) => {
  const page = await app.open();
  await useThisLaptop(page);
  await page.goto(`${new URL(page.url()).origin}/index.html#/settings/about`);
  await page.getByRole('button', { name: 'Copy diagnostics' }).click();
  await expect(page.getByText('Copied', { exact: false }).first()).toBeVisible();
  const state = (name: string) =>
    page.evaluate(
      async (one) => (await navigator.permissions.query({ name: one as PermissionName })).state,
      name,
    );
  expect(await state('persistent-storage')).toBe('granted');
  expect(await state('clipboard-read')).toBe('denied');
  expect(await state('microphone')).toBe('denied');
});

test('it prints where the service on this laptop is, and Help opens its documentation', async ({
  app,
}) => {
  await useThisLaptop(await app.open());
  const line = /Service on this laptop: (http\S+) {2}\(its documentation: \1\/docs\)/;
  await expect.poll(() => app.output).toMatch(line);
  const [, address = ''] = line.exec(app.output) ?? [];
  await app.electron.choose('Help', 'API documentation');
  await expect.poll(() => named(app, 'shell.openExternal')).toEqual([[`${address}/docs`]]);
});

test('the menu is in the app’s language, roles too, and changes with it', async ({ app }) => {
  const page = await app.open({ reads: 'es-MX' });
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  await expect
    .poll(async () => (await app.electron.ask('menu', null)).map(({ label }) => label))
    .toEqual(['Archivo', 'Edición', 'Ver', 'Ventana', 'Ayuda']);
  const all = labels(await app.electron.ask('menu', null));
  for (const english of ['Copy', 'Quit', 'Zoom In', 'Undo', 'Minimize', 'Reload', 'Window'])
    expect(all).not.toContain(english);
  for (const wanted of [
    'Nuevo reporte',
    'Pendientes',
    'Importar…',
    'Exportar…',
    'Imprimir…',
    'Ajustes…',
  ])
    expect(all).toContain(wanted);
  await page.getByRole('button', { name: 'English' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect
    .poll(async () => (await app.electron.ask('menu', null)).map(({ label }) => label))
    .toEqual(['File', 'Edit', 'View', 'Window', 'Help']);
});

test('menu, keys of the system, tray and links lead to their places, from a running window', async ({
  app,
}) => {
  const page = await app.open();
  await useThisLaptop(page);
  await app.electron.choose('File', 'New near miss');
  await expect(page.getByLabel('What happened?')).toBeVisible();
  await app.electron.choose('View', 'Waiting');
  await expect(page).toHaveURL(/#\/waiting/);
  await app.electron.choose('File', 'Settings…');
  await expect(page).toHaveURL(/#\/settings/);
  await app.electron.choose('Help', 'Help and keys');
  await expect(page).toHaveURL(/#\/help\/keys/);
  await expect(page.getByText('Show this list of keys')).toBeVisible();
  await app.electron.choose('Edit', 'Find near misses');
  await expect(page.getByRole('searchbox').first()).toBeFocused();
  await app.electron.ask('choose', { menu: 'tray', path: ['New near miss'] });
  await expect(page.getByLabel('What happened?')).toBeVisible();
});

test('macOS hands links over while the app runs, the last one counts', async ({ app }) => {
  const page = await app.open({ env: { STAND_IN_PLATFORM: 'darwin' } });
  await useThisLaptop(page);
  await app.electron.ask('appEvent', {
    event: 'open-url',
    args: ['spotter://near-misses/nothing'],
  });
  await expect(page).toHaveURL(/#\/near-misses\/nothing/);
  await app.electron.ask('appEvent', { event: 'open-url', args: ['spotter://settings'] });
  await app.electron.ask('appEvent', { event: 'open-url', args: ['spotter://new'] });
  await expect(page).toHaveURL(/#\/new/);
});

test('a link that started the app is followed once the window is there', async ({ app }) => {
  await useThisLaptop(await app.open());
  await app.close();
  const page = await app.open({ args: ['spotter://new'] });
  await expect(page.getByLabel('What happened?')).toBeVisible({ timeout: 60_000 });
});

test('Alt+N opens the form by the key’s place, where its letter is a dead key', async ({ app }) => {
  const page = await app.open();
  await useThisLaptop(page);
  await page.evaluate(() =>
    window.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Dead', code: 'KeyN', altKey: true, bubbles: true }),
    ),
  );
  await expect(page.getByLabel('What happened?')).toBeVisible();
});

test('a folder in use: a dialog says what happened, what is safe and what to do; trying again starts again', async ({
  app,
}) => {
  const other = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../src/browser/index.ts'), `--data-dir=${app.data_dir}`],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  await new Promise<void>((resolve) => {
    other.stdout.on('data', (part) => String(part).includes('/enter#') && resolve());
  });
  await app.open({ windowless: true });
  const dialog = await app.electron.dialog(/Spotter is already open/);
  expect(dialog.detail).toMatch(/Nothing is lost.*\n?.*Close the other/su);
  expect(await named(app, 'new BrowserWindow')).toEqual([]);
  await app.electron.press(dialog, 'Try again');
  expect(await app.electron.exited()).toBe(1);
  other.kill('SIGTERM');
});

test('a data folder that cannot be used: a dialog, no window', async ({ app, folder }) => {
  writeFileSync(join(folder, 'file'), '');
  await app.open({ windowless: true, args: [`--data-dir=${join(folder, 'file/data')}`] });
  const dialog = await app.electron.dialog(/data folder cannot be used/);
  expect(dialog.detail).toContain(join(folder, 'file'));
  await app.electron.press(dialog, 'Quit');
  expect(await app.electron.exited()).toBe(1);
});

test('a killed page is loaded again with one sentence, tray and menu stay; the third time in a minute it asks', async ({
  app,
}) => {
  const first = await app.open();
  await useThisLaptop(first);
  const before = (await app.electron.ask('tray', null)).length;
  expect(before).toBe(1);
  for (const _time of [1, 2]) {
    const was = app.window;
    await app.electron.crash();
    await expect.poll(() => app.window !== was, { timeout: 60_000 }).toBe(true);
    await expect(app.window.getByText('Spotter’s window had to be reopened.')).toBeVisible({
      timeout: 60_000,
    });
  }
  expect((await app.electron.ask('tray', null)).length).toBe(1);
  expect(labels(await app.electron.ask('menu', null))).toContain('New near miss');
  await app.electron.crash();
  const dialog = await app.electron.dialog(/stopped working three times in a minute/);
  expect(dialog.detail).toContain(app.data_dir);
  const was = app.window;
  await app.electron.press(dialog, 'Open it again');
  await expect.poll(() => app.window !== was, { timeout: 60_000 }).toBe(true);
  await expect(app.window.getByRole('link', { name: /^Online/ })).toBeVisible({ timeout: 60_000 });
});

test('a page that hangs: wait, or load again; the question goes when it answers', async ({
  app,
}) => {
  await useThisLaptop(await app.open());
  const tell = (event: string) => app.electron.ask('windowEvent', { window: 1, event });
  await tell('unresponsive');
  await app.electron.dialog(/is not responding/);
  await tell('responsive');
  await expect.poll(() => app.electron.ask('dialogs', null)).toEqual([]);
  await tell('unresponsive');
  const was = app.window;
  await app.electron.press(await app.electron.dialog(/is not responding/), 'Reload');
  await expect.poll(() => app.window !== was, { timeout: 60_000 }).toBe(true);
  await expect(app.window.getByText('Spotter’s window had to be reopened.')).toBeVisible({
    timeout: 60_000,
  });
});

test('the lock of the data folder is taken away: Spotter stops, says so and offers to start again', async ({
  app,
}) => {
  await useThisLaptop(await app.open());
  rmSync(join(app.data_dir, 'host.lock.db'));
  const dialog = await app.electron.dialog(/another Spotter may be using its data folder/);
  expect(dialog.title).toBe('Spotter has stopped');
  expect(dialog.buttons).toEqual(['Try again', 'Quit']);
  await app.electron.press(dialog, 'Quit');
  expect(await app.electron.exited()).toBe(1);
});

test('the window comes back where it was, on a screen that is still there', async ({ app }) => {
  const place = {
    bounds: { x: 200, y: 100, width: 1100, height: 700 },
    maximized: true,
    zoom: 0.5,
  };
  mkdirSync(app.data_dir, { recursive: true });
  writeFileSync(join(app.data_dir, 'window.json'), JSON.stringify(place));
  await app.open();
  const [[options]] = (await named(app, 'new BrowserWindow')) as [[Record<string, unknown>]];
  expect(options).toMatchObject(place.bounds);
  expect(options['webPreferences']).toMatchObject({ backgroundThrottling: false, sandbox: true });
  await expect.poll(() => named(app, 'window.maximize')).toEqual([[]]);
  await app.close();
  expect(JSON.parse(await readFile(join(app.data_dir, 'window.json'), 'utf8'))).toMatchObject(
    place,
  );
});

test('closing with something waiting asks once; chosen to go on, it sends from the tray, says so and ends', async ({
  app,
  server,
  folder,
  world,
}) => {
  const page = await world.open();
  world.offline();
  await report(page, { text: 'waits', photos: [await photoFile(folder, 1, 40_000)] });
  await expect.poll(() => waitingCount(page)).toBe(1);
  await app.electron.ask('askToClose', { window: 1 });
  const asked = await app.electron.dialog(/1 near miss is still waiting/);
  await app.electron.press(asked, 'Cancel');
  await app.electron.ask('askToClose', { window: 1 });
  const again = await app.electron.dialog(/1 near miss is still waiting/);
  await app.electron.ask('answer', { id: again.id, button: 0, checked: true });
  await expect.poll(() => named(app, 'window.hide')).toEqual([[]]);
  await expect
    .poll(async () => (await app.electron.ask('tray', null)).map(({ tooltip }) => tooltip))
    .toEqual(['Spotter · 1 near miss waiting']);
  world.online();
  await app.electron.ask('power', { event: 'resume' });
  expect(await app.electron.exited()).toBe(0);
  const settings = JSON.parse(
    await readFile(join(app.data_dir, 'settings.json'), 'utf8'),
  ) as object;
  expect(settings).toMatchObject({ when_closed: 'keep_sending' });
  expect(server.url).not.toBe('');
});

test('the system shuts down: it waits, nobody is asked about what waits, and the next start has it', async ({
  app,
  folder,
  world,
}) => {
  const page = await world.open();
  world.offline();
  await report(page, { text: 'waits over a night', photos: [await photoFile(folder, 1, 40_000)] });
  await expect.poll(() => waitingCount(page)).toBe(1);
  await app.electron.ask('power', { event: 'shutdown' });
  expect(await app.electron.exited()).toBe(0);
  await app.close();
  const again = await app.open();
  await expect.poll(() => waitingCount(again)).toBe(1);
});

test('unlocking tries at once, as waking up does; the system is held awake only while bytes go', async ({
  app,
  chaos,
  folder,
  world,
}) => {
  // Electron reports no unlocked screen on Linux.
  const page = await world.open({ env: { STAND_IN_PLATFORM: 'win32' } });
  world.offline();
  await report(page, { text: 'waits', photos: [await photoFile(folder, 1, 40_000)] });
  await expect(page.getByRole('link', { name: /Offline|Server busy/ })).toBeVisible({
    timeout: 60_000,
  });
  // Holds the answer until the power blocker was seen; on a fast machine everything would end too early to notice.
  let release = (): void => undefined;
  const seen = new Promise<'pass'>((resolve) => (release = () => resolve('pass')));
  chaos.plan = ({ method }) =>
    method === 'POST' ? { kind: 'hold_reply', until: () => seen } : null;
  world.online();
  await app.electron.ask('power', { event: 'unlock-screen' });
  const count = async (call: string): Promise<number> =>
    (await named(app, `powerSaveBlocker.${call}`)).length;
  await expect.poll(() => count('start'), { timeout: 60_000 }).toBeGreaterThan(0);
  release();
  await expect.poll(() => waitingCount(page), { timeout: 60_000 }).toBe(0);
  // Reading back may start once more after the last record has left, so every start needs its stop.
  await expect.poll(async () => (await count('start')) - (await count('stop'))).toBe(0);
});

test('the right mouse button offers what can be done with text, a picture and a link', async ({
  app,
}) => {
  await useThisLaptop(await app.open());
  const flags = { canCut: true, canCopy: true, canPaste: true, canSelectAll: true };
  const none = {
    isEditable: false,
    selectionText: '',
    mediaType: 'none',
    hasImageContents: false,
    srcURL: '',
    linkURL: '',
    misspelledWord: '',
    dictionarySuggestions: [],
    x: 1,
    y: 2,
  };
  const click = async (change: object) =>
    labels(
      await app.electron.ask('contextMenu', {
        window: 1,
        params: { ...none, editFlags: flags, ...change },
      }),
    );
  expect(await click({})).toEqual([]);
  expect(await click({ isEditable: true })).toContain('Paste');
  await click({ linkURL: 'https://a.example/x' });
  await app.electron.ask('choose', { menu: 'context', path: ['Copy link'] });
  await expect.poll(() => named(app, 'clipboard.writeText')).toEqual([['https://a.example/x']]);
});

test('a second start brings the window to the front and hands its link over', async ({ app }) => {
  const page = await app.open();
  await useThisLaptop(page);
  const { createApp } = await import('./app.ts');
  const { app: second } = createApp('stand-in', app.data_dir);
  await second.open({ windowless: true, args: ['spotter://new'] });
  expect(await second.electron.exited()).toBe(0);
  await expect(page.getByLabel('What happened?')).toBeVisible();
  await expect.poll(async () => (await named(app, 'window.focus')).length).toBeGreaterThan(0);
});

test('nothing of a page is granted, and no dictionary is fetched, unless it was asked for', async ({
  app,
}) => {
  await app.open();
  const [[options]] = (await named(app, 'new BrowserWindow')) as [[{ webPreferences: object }]];
  expect(options.webPreferences).toMatchObject({ spellcheck: process.platform === 'darwin' });
});

test('what is typed is checked by the dictionary of the window’s language, once spelling was asked for', async ({
  app,
}) => {
  mkdirSync(app.data_dir, { recursive: true });
  const write = (settings: object): void =>
    writeFileSync(join(app.data_dir, 'settings.json'), JSON.stringify(settings));
  const asked = async (settings: object): Promise<unknown> => {
    write(settings);
    await app.open({ reads: 'es-MX' });
    const calls = await named(app, 'session.setSpellCheckerLanguages');
    await app.close();
    return calls[0]?.[0];
  };
  expect(await asked({ spelling: true, language: 'en' })).toEqual(['en-US']);
  expect(await asked({ spelling: true, language: 'es' })).toEqual(['es-MX']);
  expect(await asked({ spelling: true, language: 'pl' })).toEqual(['pl']);
  expect(await asked({ spelling: true })).toEqual(['es-MX']);
  expect(await asked({ spelling: false, language: 'en' })).toBeUndefined();
});

test('a service that does not start says why; stopped with the app, it ends in order and not by a signal', async ({
  app,
}) => {
  mkdirSync(app.data_dir, { recursive: true });
  writeFileSync(join(app.data_dir, 'service'), 'a file where a folder should be');
  const page = await app.open();
  await page.getByRole('button', { name: 'Try it with sample data' }).click();
  await expect
    .poll(() => app.output, { timeout: 60_000 })
    .toMatch(/embedded service did not start.*the service on this laptop did not start: \S+/);
  await app.close();
  rmSync(join(app.data_dir, 'service'));
  const again = await app.open();
  await useThisLaptop(again);
  const host = app.electron;
  await app.close();
  expect(host.process.exitCode).toBe(0);
  expect(app.output).not.toContain('SIGKILL');
});

test('the desktop program has a part of the settings, in both themes, and keeps what is chosen', async ({
  app,
}) => {
  const page = await app.open();
  await useThisLaptop(page);
  await page.goto(`${new URL(page.url()).origin}/index.html#/settings/desktop`);
  const part = page.getByRole('region', { name: 'Desktop app' });
  await expect(part).toBeVisible();
  await look(page, 'settings-desktop');
  const notices = part.getByRole('group', { name: 'Notifications' });
  await notices.getByText('Off', { exact: true }).click();
  await expect
    .poll(async () => JSON.parse(await readFile(join(app.data_dir, 'settings.json'), 'utf8')))
    .toMatchObject({ notices: false });
});

test('developing: the tools are open, the window is loaded again when it was built, the app ends to be started again', async ({
  app,
  folder,
}) => {
  const asked = join(folder, 'asked');
  writeFileSync(asked, '');
  const page = await app.open({ env: { SPOTTER_DEVELOPING: asked } });
  await expect(page.getByRole('button', { name: 'Try it with sample data' })).toBeVisible();
  await expect.poll(() => named(app, 'webContents.openDevTools')).toHaveLength(1);
  writeFileSync(asked, 'reload 1');
  await expect.poll(() => named(app, 'webContents.reload')).toHaveLength(1);
  await expect(app.window.getByRole('button', { name: 'Try it with sample data' })).toBeVisible();
  writeFileSync(asked, 'quit 2');
  expect(await app.electron.exited()).toBe(0);
});

test('every export is offered the folder of the last one, over a restart too', async ({
  app,
  folder,
}) => {
  await app.open();
  const save = (filename: string, path: string) => app.electron.ask('download', { filename, path });
  expect(await save('list.csv', join(folder, 'list.csv'))).toMatch(/list\.csv$/);
  expect(await save('../waiting.zip', join(folder, 'w.zip'))).toBe(join(folder, 'waiting.zip'));
  await app.close();
  await app.open();
  expect(await save('again.csv', join(folder, 'again.csv'))).toBe(join(folder, 'again.csv'));
});

test('it starts with the system once that is chosen, and no longer when it is not', async ({
  app,
  folder,
}) => {
  test.skip(process.platform !== 'linux', 'looks at the autostart folder of Linux');
  const page = await app.open({ env: { XDG_CONFIG_HOME: folder } });
  await useThisLaptop(page);
  await page.goto(`${new URL(page.url()).origin}/index.html#/settings/desktop`);
  const entry = join(folder, 'autostart/spotter.desktop');
  const written = () => readFile(entry, 'utf8').catch(() => null);
  expect(await written()).toBe(null);
  const login = page.getByRole('group', { name: 'Start with the computer' });
  await login.getByText('On', { exact: true }).click();
  await expect.poll(written).toMatch(/^Exec="[^"]+" "[^"]+" "--hidden"$/m);
  await login.getByText('Off', { exact: true }).click();
  await expect.poll(written).toBe(null);
});

test('keys that another program has: Settings says so and offers those that are free', async ({
  app,
}) => {
  const page = await app.open();
  await useThisLaptop(page);
  await app.electron.ask('keysTaken', { accelerators: ['Control+Shift+F9', 'Control+Shift+F12'] });
  await page.goto(`${new URL(page.url()).origin}/index.html#/settings/capture`);
  await page.getByText('Ctrl + Shift + F9', { exact: true }).click();
  await expect(page.getByText('Another program is using Ctrl + Shift + F9')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Use Ctrl + Shift + F12' })).toHaveCount(0);
  await look(page, 'settings-keys-refused');
  await page.getByRole('button', { name: 'Use Ctrl + Shift + F7' }).click();
  await expect(page.getByText('the shortcut does nothing in Spotter')).toBeHidden();
  expect(await app.electron.ask('press', { accelerator: 'Control+Shift+F7' })).toBe(true);
  await expect(page.getByLabel('What happened?')).toBeVisible();
});

test('an export that is dropped on the window is asked about before anything is imported', async ({
  app,
}) => {
  const page = await app.open();
  await useThisLaptop(page);
  const drop = (name: string) =>
    page.evaluate((filename) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['no zip'], filename));
      const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      const main = document.querySelector('main');
      if (main === null) throw new Error('There is no main part to drop on.');
      main.dispatchEvent(event);
      return event.defaultPrevented;
    }, name);
  const before = page.url();
  expect(await drop('notes.txt')).toBe(true);
  expect(page.url()).toBe(before);
  expect(await drop('spotter-everything.zip')).toBe(true);
  await expect(page.getByText('This is not a readable zip file.')).toBeVisible();
  await expect(page.getByText('Nothing was changed', { exact: false })).toBeVisible();
});

test('an export that is opened with Spotter is asked about first: while it runs, as it starts, and handed over by macOS', async ({
  app,
  folder,
}) => {
  let page = await app.open();
  await useThisLaptop(page);
  const path = join(folder, 'spotter-everything ü.zip');
  await page.goto(`${new URL(page.url()).origin}/index.html#/settings/everything`);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export everything' }).click();
  await (await download).saveAs(path);
  const asked = async () => {
    await expect(page.getByRole('dialog', { name: 'Import this file?' })).toBeVisible();
    await expect(page.getByRole('checkbox', { name: 'Settings' })).toBeVisible();
  };
  await page.goto(`${new URL(page.url()).origin}/index.html#/near-misses`);
  const { createApp } = await import('./app.ts');
  const { app: second } = createApp('stand-in', app.data_dir);
  await second.open({ windowless: true, args: [path] });
  expect(await second.electron.exited()).toBe(0);
  await asked();
  await app.close();

  page = await app.open({ args: [pathToFileURL(path).href] });
  await asked();
  await app.close();

  const opened = JSON.stringify({ event: 'open-file', text: path });
  page = await app.open({ env: { STAND_IN_PLATFORM: 'darwin', STAND_IN_OPENED: opened } });
  await asked();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

  writeFileSync(path, 'no zip');
  await app.electron.ask('appEvent', { event: 'open-file', args: [path] });
  await expect(page.getByText('This is not a readable zip file.')).toBeVisible();
});

test('what ended stands in a note beside the log, without a path or a word of a person; the log has sentences only', async ({
  app,
}) => {
  await useThisLaptop(await app.open());
  await app.electron.crash();
  const crashes = () => readFile(join(app.data_dir, 'logs/crashes.log'), 'utf8').catch(() => '');
  await expect.poll(crashes).toMatch(/^\S+Z Spotter [\d.]+ linux \S+: the window: crashed, \d+\n$/);
  expect(await crashes()).not.toContain(app.data_dir);
});
