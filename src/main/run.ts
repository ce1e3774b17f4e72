/** One run of the shell: the host behind its carrier, the shell in front of it, the system's events between them, and its end. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app, autoUpdater, BrowserWindow, globalShortcut, ipcMain, session } from 'electron';
import { systemClock } from '../host/clock.ts';
import { type Host, startHost, type StartProblem } from '../host/index.ts';
import type { OwnFirmParts } from '../host/own-firm.ts';
import { tellService } from '../host/tell-service.ts';
import { keytarVault } from '../host/vault/keytar.ts';
import { beginSelfTest } from './self-test-run.ts';
import { followAtLogin } from './at-login.ts';
import { plugCarrier } from './carrier.ts';
import { runServiceCommand, spawnVaultChild, startServiceProcess } from './children.ts';
import { keepCrashNote, type CrashNote } from './crash-note.ts';
import { onAway, onShutdown, onWake } from './desktop.ts';
import { developingFile, followDeveloping } from './developing.ts';
import { type Ending, endInOrder, startAgain } from './ending.ts';
import { createFacts } from './facts.ts';
import { askWhereToSave, keepSaveFolder } from './save-folder.ts';
import { Shell, type ShellOptions } from './shell.ts';
import type { TakeOpened } from './opened.ts';
import { keepShortcut } from './shortcut.ts';
import { keepSpelling } from './spelling.ts';
import { followUpdates } from './update-feed.ts';
import { openOutside } from './window.ts';

const ownFirm = (folder: string, log: ShellOptions['log']): OwnFirmParts => ({
  folder,
  start: startServiceProcess(folder, 'firm', log),
  command: runServiceCommand(folder),
});

const openHost = ({ out, data_dir, server, log, cannot }: ShellOptions) =>
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
    own_firm: ownFirm(join(data_dir, 'own-firm'), log),
    open_link: openOutside,
    // The system's settings, a PAC script included, as Chromium reads them.
    system_proxy: (address) => session.defaultSession.resolveProxy(address),
    phone_page: join(out, 'renderer/phone.html'),
    default_server: server,
    shell: 'electron',
    version: app.getVersion(),
    reply_worker: pathToFileURL(join(import.meta.dirname, 'reply-worker.js')),
    log: (line) => log(JSON.stringify(line)),
    lost: (detail) => void cannot({ kind: 'lost_folder', detail }),
  });

/** The system's events that reach the shell as long as it runs. */
const hearSystem = (
  shell: Shell,
  host: Host,
  { log, events }: ShellOptions,
  crashes: CrashNote,
  ending: Ending,
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
  // macOS puts an update in by closing the windows first; `before-quit` comes after that.
  autoUpdater.on('before-quit-for-update', () => (shell.quitting = true));
  app.on('child-process-gone', (_event, { type, reason, exitCode, serviceName }) => {
    if (reason === 'clean-exit') return;
    log(`${serviceName ?? type} ended: ${reason}, ${exitCode}`);
    crashes.ended(serviceName ?? type, `${reason}, ${exitCode}`);
  });
  // Only looks on: what Electron does with such an error stays as it is.
  process.on('uncaughtExceptionMonitor', crashes.threw);
  const facts = createFacts(host);
  const pressed = (): void => shell.askInFront({ ask: 'show', place: 'new' });
  const endings = [
    keepShortcut(host, globalShortcut, pressed, (keys) => facts.tell({ keys })),
    keepSpelling(host, shell.settings, app, session.defaultSession),
    followAtLogin(host, shell.settings.start_with_system, app, log),
    followDeveloping(developingFile(app.isPackaged, process.env), {
      reload: () => shell.window?.webContents.reload(),
      quit: shell.quit,
    }),
    // Whoever is at the screen now is not the one who showed the code for a phone.
    onAway(() => void host.call('phone.close', {})),
    // Nobody is there to be asked about what waits: it is on the disk.
    onShutdown(shell.quit),
    onWake(() => shell.ask({ ask: 'do', what: 'try_now' })),
  ];
  const putIn = (install: () => void): void => {
    // Elsewhere the newer program or its installer starts at once, and must find this one gone.
    if (process.platform === 'darwin') return install();
    ending.then(install);
    shell.quit();
  };
  const updates = followUpdates(host, facts, { busy: () => shell.known, put_in: putIn, log });
  updates.catch((error: unknown) => log(`updates cannot be looked for: ${String(error)}`));
  return () => {
    void updates.then((end) => end());
    endings.forEach((end) => end());
  };
};

/** Runs until the app quits; or answers why it cannot start. */
export const runShell = async (options: ShellOptions): Promise<StartProblem | null> => {
  const started = await openHost(options);
  if (!started.ok) return started.problem;
  const host = started.value;
  tellService(host, console.log);
  const unplug = plugCarrier(
    host,
    ipcMain,
    () => BrowserWindow.getAllWindows().map((window) => window.webContents),
    options.log,
  );
  const crashes = keepCrashNote(options.data_dir, app.getVersion());
  const saves = keepSaveFolder(options.data_dir, () => app.getPath('documents'));
  askWhereToSave(session.defaultSession, saves);
  const running = new Shell(host, options, { crashes, saves });
  if (options.self_test !== null) {
    const { data_dir, self_test: file } = options;
    beginSelfTest({ host, file, data_dir, session: session.defaultSession });
    await running.begin();
    return null;
  }
  await running.begin();
  let unhear = (): void => undefined;
  const ending = endInOrder(host, () => {
    unhear();
    unplug();
    running.tray?.remove();
  });
  unhear = hearSystem(running, host, options, crashes, ending);
  if (options.opened !== null) running.take(options.opened);
  // Only an installed program may make itself the system's own for its links.
  if (app.isPackaged) app.setAsDefaultProtocolClient('spotter');
  return null;
};
