/**
 * The Electron shell: the same window and the same host as in the browser shell, with IPC between them. A list of
 * parts plugged together; logic that grows here belongs into host/.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { app, BrowserWindow, globalShortcut, ipcMain, session } from 'electron';
import { EVENT_CHANNEL } from '../contract/channels.ts';
import type { HostEvent } from '../contract/host.ts';
import { systemClock } from '../host/clock.ts';
import { startHost } from '../host/index.ts';
import { keytarVault } from '../host/vault/keytar.ts';
import { plugCarrier } from './carrier.ts';
import { spawnVaultChild, startServiceProcess } from './children.ts';
import { setMenu } from './menu.ts';
import { declareProtocol, serveWindow } from './protocol.ts';
import { keepShortcut } from './shortcut.ts';
import { closeDoors, closePermissions, openWindow } from './window.ts';

const out = join(import.meta.dirname, '..');
const preload = join(out, 'preload/index.cjs');
const icon = join(out, 'renderer/icon.png');
const log = (text: string): void => console.error(text);

/** Chromium's own switches come along in argv: what is not ours is passed over. */
const { values } = parseArgs({
  args: process.argv.slice(1),
  strict: false,
  options: { 'data-dir': { type: 'string' }, server: { type: 'string' } },
});
const folder =
  typeof values['data-dir'] === 'string' ? values['data-dir'] : app.getPath('userData');
const server = typeof values.server === 'string' ? values.server : '';

const start = async (): Promise<void> => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await app.whenReady();
  closePermissions(session.defaultSession);
  serveWindow(session.defaultSession, join(out, 'renderer'));
  setMenu();
  const started = await startHost({
    data_dir: folder,
    window_store: join(folder, 'electron/IndexedDB'),
    vault: keytarVault({
      marker_path: join(folder, 'vault.json'),
      clock: systemClock,
      spawn: spawnVaultChild,
    }),
    start_service: startServiceProcess(join(folder, 'service'), log),
    default_server: server === '' ? null : server,
    shell: 'electron',
    version: app.getVersion(),
    log: (line) => log(JSON.stringify(line)),
  });
  if (!started.ok) throw new Error(started.problem.detail);
  const host = started.value;
  const unplug = plugCarrier(
    host,
    ipcMain,
    () => BrowserWindow.getAllWindows().map((window) => window.webContents),
    log,
  );
  const open = () => openWindow(preload, icon);
  const toFront = (): BrowserWindow => {
    const [window = open()] = BrowserWindow.getAllWindows();
    if (window.isMinimized()) window.restore();
    window.focus();
    return window;
  };
  app.on('second-instance', toFront);
  const giveKeysBack = keepShortcut(
    host,
    globalShortcut,
    () => {
      const { webContents } = toFront();
      const ask = () =>
        webContents.send(EVENT_CHANNEL, { kind: 'capture.asked' } satisfies HostEvent);
      if (webContents.isLoading()) webContents.once('did-finish-load', ask);
      else ask();
    },
    log,
  );
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) open();
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  let stopped = false;
  app.on('will-quit', (event) => {
    if (stopped) return;
    event.preventDefault();
    stopped = true;
    giveKeysBack();
    unplug();
    void host.stop().finally(() => app.quit());
  });
  open();
};

// Beside the queue, so that another data folder is another app, with a lock and a window store of its own.
app.setPath('userData', join(folder, 'electron'));
app.enableSandbox();
declareProtocol();
closeDoors();
if (app.requestSingleInstanceLock()) {
  start().catch((error: unknown) => {
    log(error instanceof Error ? error.message : String(error));
    app.exit(1);
  });
} else app.quit();
