/**
 * Runs the shell once: starts the host and its IPC transport, opens the shell, connects the system's events, and ends in order.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app, autoUpdater, BrowserWindow, globalShortcut, ipcMain, net, session } from 'electron';
import type { PolicyView } from '../contract/policy.ts';
import { systemClock } from '../host/lib/clock.ts';
import { type Host, startHost, type StartProblem } from '../host/index.ts';
import type { LocalCompanyParts } from '../host/session/local-company.ts';
import { readPolicy } from '../host/policy.ts';
import { announceService } from '../host/session/announce-service.ts';
import { keytarVault } from '../host/vault/keytar.ts';
import { beginSelfTest } from './self-test/self-test-run.ts';
import { followAtLogin } from './system/at-login.ts';
import { plugCarrier } from './window/carrier.ts';
import { runServiceCommand, spawnVaultChild, startServiceProcess } from './children.ts';
import { hearErrors } from './uncaught.ts';
import { keepCrashNote, type CrashNote } from './self-test/crash-note.ts';
import { onAway, onShutdown, onWake } from './desktop.ts';
import { developingFile, followDeveloping } from './developing.ts';
import { type Ending, endInOrder, startAgain } from './ending.ts';
import { askGraphics } from './graphics.ts';
import { countDeaths, GRAPHICS_TIMES } from './window/health.ts';
import { createFacts, type Facts } from './self-test/facts.ts';
import { askWhereToSave, keepSaveFolder } from './window/save-folder.ts';
import { Shell, type ShellOptions } from './shell.ts';
import type { TakeOpened } from './system/opened.ts';
import { SERVER_PARTITION, sendBySystem } from './system/network.ts';
import { keepShortcut } from './system/shortcut.ts';
import { keepSpelling } from './system/spelling.ts';
import { followUpdates } from './update/update-feed.ts';
import { openOutside } from './window/window.ts';

const localCompany = (folder: string, log: ShellOptions['log']): LocalCompanyParts => ({
  folder,
  start: startServiceProcess(folder, 'company', log),
  command: runServiceCommand(folder),
});

const openHost = ({ out, data_dir, server, log, cannot }: ShellOptions, policy: PolicyView) =>
  startHost({
    data_dir,
    window_store: join(data_dir, 'electron/IndexedDB'),
    vault: keytarVault({
      marker_path: join(data_dir, 'vault.json'),
      clock: systemClock,
      spawn: spawnVaultChild,
    }),
    start_service: startServiceProcess(join(data_dir, 'service'), 'sample', log),
    run_command: runServiceCommand(join(data_dir, 'service')),
    local_company: localCompany(join(data_dir, 'local-company'), log),
    open_link: openOutside,
    // Chromium resolves the system's proxy settings, PAC scripts included.
    system_proxy: (address) => session.defaultSession.resolveProxy(address),
    system_send: sendBySystem(net, () => session.fromPartition(SERVER_PARTITION, { cache: false })),
    phone_page: join(out, 'renderer/phone.html'),
    report_page: join(out, 'renderer/report.html'),
    default_server: server,
    policy,
    shell: 'electron',
    version: app.getVersion(),
    reply_worker: pathToFileURL(join(import.meta.dirname, 'reply-worker.js')),
    log: (line) => log(JSON.stringify(line)),
    lost: (detail) => void cannot({ kind: 'lost_folder', detail }),
  });

/** Connects the system's events to the shell for as long as it runs. */
const hearSystem = (
  shell: Shell,
  host: Host,
  { log, events }: ShellOptions,
  crashes: CrashNote,
  ending: Ending,
  facts: Facts,
  policy: PolicyView,
): (() => void) => {
  const wanted: TakeOpened = (opened, args) => {
    if (ending.begun()) return ending.then(() => startAgain(args));
    shell.toFront();
    if (opened !== null) shell.take(opened);
  };
  events.follow(wanted);
  app.on('activate', () => wanted(null));
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  app.on('before-quit', () => (shell.quitting = true));
  // For an update, macOS closes the windows before it sends `before-quit`.
  autoUpdater.on('before-quit-for-update', () => (shell.quitting = true));
  const tooOften = countDeaths(systemClock.now, GRAPHICS_TIMES);
  const graphicsEnded = (): void => {
    if (!shell.settings.hardware_graphics || !tooOften()) return;
    void askGraphics(shell.words).then(async (off) => {
      if (!off) return;
      await host.call('settings.set', { hardware_graphics: false });
      ending.then(startAgain);
      shell.quit();
    });
  };
  app.on('child-process-gone', (_event, { type, reason, exitCode, serviceName }) => {
    if (reason === 'clean-exit') return;
    log(`${serviceName ?? type} ended: ${reason}, ${exitCode}`);
    crashes.ended(serviceName ?? type, `${reason}, ${exitCode}`);
    if (type === 'GPU') graphicsEnded();
  });
  hearErrors(crashes, () => shell.words, shell.quit);
  const pressed = (): void => shell.askInFront({ ask: 'show', place: 'new' });
  const endings = [
    keepShortcut(host, globalShortcut, pressed, (keys) => facts.update({ keys })),
    keepSpelling(host, shell.settings, app, session.defaultSession),
    followAtLogin(host, shell.settings, { fixed: policy.start_with_system !== null }, app, log),
    followDeveloping(developingFile(app.isPackaged, process.env), {
      reload: () => shell.window?.webContents.reload(),
      quit: shell.quit,
    }),
    // After sleep or a lock another person may use the computer, so the phone's code must expire.
    onAway(() => void host.call('phone.close', {})),
    // A shutdown asks no question about waiting records: they are on the disk.
    onShutdown(shell.quit),
    onWake(() => shell.ask({ ask: 'do', what: 'try_now' })),
  ];
  const putIn = (install: () => void): void => {
    // On other systems the new program or its installer starts at once and requires that this process has ended.
    if (process.platform === 'darwin') return install();
    ending.then(install);
    shell.quit();
  };
  const parts = { busy: () => shell.known, put_in: putIn, log };
  const updates = followUpdates(host, facts, policy, parts);
  updates.catch((error: unknown) => log(`updates cannot be looked for: ${String(error)}`));
  return () => {
    void updates.then((end) => end());
    endings.forEach((end) => end());
  };
};

/** Runs until the app quits, or returns why it cannot start. */
export const runShell = async (options: ShellOptions): Promise<StartProblem | null> => {
  const policy = await readPolicy();
  const started = await openHost(options, policy);
  if (!started.ok) return started.problem;
  const host = started.value;
  announceService(host, console.log);
  const unplug = plugCarrier(
    host,
    ipcMain,
    () => BrowserWindow.getAllWindows().map((window) => window.webContents),
    options.log,
  );
  const crashes = keepCrashNote(options.data_dir, app.getVersion());
  const saves = keepSaveFolder(options.data_dir, () => app.getPath('documents'));
  askWhereToSave(session.defaultSession, saves);
  const facts = createFacts(host);
  const running = new Shell(host, options, { crashes, saves, facts });
  if (options.self_test !== null) {
    const { data_dir, self_test: file } = options;
    beginSelfTest({ host, file, data_dir, session: session.defaultSession });
    await running.begin();
    return null;
  }
  // macOS passes no arguments to a login item (electron.d.ts, LoginItemSettings).
  const by_system = process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin;
  await running.begin((options.hidden || by_system) && options.opened === null);
  let unhear = (): void => undefined;
  const ending = endInOrder(host, () => {
    unhear();
    unplug();
    running.tray?.remove();
  });
  unhear = hearSystem(running, host, options, crashes, ending, facts, policy);
  if (options.opened !== null) running.take(options.opened);
  // Only an installed program may register itself for `spotter://` links.
  if (app.isPackaged) app.setAsDefaultProtocolClient('spotter');
  return null;
};
